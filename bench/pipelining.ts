// Bench: transactions per second with pipelined statements, against plain pg and postgres.js (npm i --no-save postgres)
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Id, newId } from '../server/src/common/ids.ts';
import { startEmbedded } from '../server/src/embedded/index.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { gather } from '../server/src/store/pipeline.ts';

/**
 * A transaction like that of a scan: enter the role, move the event's clock, four reads that do not depend on each other, three
 * writes that nobody waits for, commit. Eight connections, each with an event of its own, so that none waits for another's lock.
 */
const CONNECTIONS = 8;
const ROUNDS = 7;
const ROUND_MS = 2_000;

const ENTER = (org: Id) => `set local role turnout_app; set local turnout.org = '${org}'`;
const CLOCK = `update event_clocks set at = greatest($3::timestamptz, at + interval '1 microsecond')
  where org_id = $1 and event_id = $2 returning at`;
const READS = ['days', 'attendee_types', 'check_in_points', 'questions'].map(
  (table) => `select * from ${table} where org_id = $1 and event_id = $2`,
);
const WRITE = `insert into outbox (org_id, id, type, livemode, data, created_at, head) values ($1, $2, 'bench', false, '{}', $3, '')`;

interface Way {
  name: string;
  run(org: Id, event: Id): Promise<void>;
  end(): Promise<void>;
}

function withPg(name: string, url: string, pipeline: boolean, gathers: boolean): Way {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, pipeline });
  return {
    name,
    end: () => pool.end(),
    run: async (org, event) => {
      const client = await pool.connect();
      const query = (label: string, text: string, values: unknown[]) => {
        if (gathers) gather(client);
        return client.query({ name: label, text, values });
      };
      try {
        const now = new Date();
        if (gathers) gather(client);
        const begun = client.query(`begin; ${ENTER(org)}`);
        await query('clock', CLOCK, [org, event, now]);
        await Promise.all(READS.map((text, i) => query(`read${i}`, text, [org, event])));
        const sent = [1, 2, 3].map(() => query('write', WRITE, [org, newId(now), now]));
        if (gathers) gather(client);
        await Promise.all([begun, ...sent, client.query('commit')]);
      } finally {
        client.release();
      }
    },
  };
}

async function withPostgresJs(url: string): Promise<Way | null> {
  const name = process.env.POSTGRES_JS ?? 'postgres';
  // biome-ignore lint/suspicious/noExplicitAny: not a dependency, so it has no types here
  const postgres: any = await import(name).then((module) => module.default).catch(() => null);
  if (postgres === null) return null;
  const { hostname, username, pathname } = new URL(url);
  const sql = postgres({ host: decodeURIComponent(hostname), username, database: pathname.slice(1), max: CONNECTIONS });
  return {
    name: 'postgres.js',
    end: () => sql.end(),
    run: (org, event) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      sql.begin(async (tx: any) => {
        const now = new Date();
        const prepared = (text: string, values: unknown[]) => tx.unsafe(text, values, { prepare: true });
        const entered = tx.unsafe(ENTER(org)).execute();
        await prepared(CLOCK, [org, event, now]);
        await Promise.all(READS.map((text) => prepared(text, [org, event])));
        await Promise.all([entered, ...[1, 2, 3].map(() => prepared(WRITE, [org, newId(now), now]))]);
      }),
  };
}

async function measure(way: Way, org: Id, events: readonly Id[]): Promise<{ perSecond: number; cpuMicros: number }> {
  const until = performance.now() + ROUND_MS;
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  let done = 0;
  await Promise.all(
    events.map(async (event) => {
      while (performance.now() < until) {
        await way.run(org, event);
        done += 1;
      }
    }),
  );
  const used = process.cpuUsage(cpu);
  return { perSecond: done / ((performance.now() - begun) / 1000), cpuMicros: (used.user + used.system) / done };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const dataDir = mkdtempSync(join(tmpdir(), 'turnout-bench-'));
const embedded = await startEmbedded({ dataDir });
try {
  await migrate(embedded.url);
  const admin = new pg.Client({ connectionString: embedded.adminUrl.replace(/\/postgres$/, '/turnout') });
  admin.on('error', () => {});
  await admin.connect();
  const org = newId(new Date());
  const events = Array.from({ length: CONNECTIONS }, () => newId(new Date()));
  await admin.query(
    `insert into organizations (id, code, name, plan, created_at, updated_at) values ($1, 'bench', 'Bench', 'scale', now(), now())`,
    [org],
  );
  for (const event of events) {
    await admin.query(
      `insert into events (org_id, id, code, name, test, timezone, currency, ticketing, language, registration, created_at, updated_at)
       values ($1, $2, $3, 'E', false, 'UTC', 'EUR', 'per_person', 'en', '{}', now(), now())`,
      [org, event, `e${event}`],
    );
    await admin.query('insert into event_clocks (org_id, event_id, at) values ($1, $2, now())', [org, event]);
  }
  const ways = [
    withPg('plain pg', embedded.url, false, false),
    withPg('pg, pipelined', embedded.url, true, false),
    withPg('pg, pipelined, one packet per turn (ours)', embedded.url, true, true),
    await withPostgresJs(embedded.url),
  ].filter((way) => way !== null);
  const found = new Map(ways.map((way) => [way.name, [] as Awaited<ReturnType<typeof measure>>[]]));
  for (const way of ways) await measure(way, org, events); // warm up
  for (let round = 0; round < ROUNDS; round += 1)
    for (const way of ways) {
      await admin.query('truncate outbox');
      found.get(way.name)!.push(await measure(way, org, events));
    }
  console.log(`median of ${ROUNDS} alternating rounds of ${ROUND_MS / 1000} s, ${CONNECTIONS} connections\n`);
  for (const [name, rounds] of found) {
    const perSecond = Math.round(median(rounds.map((one) => one.perSecond)));
    const cpu = Math.round(median(rounds.map((one) => one.cpuMicros)));
    console.log(
      `${name.padEnd(44)} ${String(perSecond).padStart(6)} transactions/s  ${String(cpu).padStart(5)} µs of Node's CPU each`,
    );
  }
  for (const way of ways) await way.end();
  await admin.end();
} finally {
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
