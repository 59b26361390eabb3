// Bench: a whole call beside a bare Fastify route with one indexed query, and beside a bare transaction with the same rows
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Id } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { generator, type Load, type Measured } from './load.ts';
import { type Bench, benchmark, busy, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { type BenchTurnout, call, POOL_SIZE, startBenchTurnout } from './turnout.ts';

/** Our requests a second, divided by the peer's: at least. */
const LIMIT = 0.5;
const EVENTS = 200;
const PAGE = 20;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32,128' },
    only: { type: 'string', default: 'me,events,post' },
    /** The server owns its database, as with `npm start`. Otherwise it runs as one of several that share one (DATABASE_URL). */
    embedded: { type: 'boolean', default: false },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
    /** The address of a collector of OpenTelemetry, to which our server then sends traces and metrics. */
    otlp: { type: 'string' },
    /** `off`: the peer does not pipeline its statements. By default it does, which is faster. */
    'bare-pipeline': { type: 'string', default: 'on' },
  },
});
const rounds = roundsOf(options.rounds);
const seconds = Number(options.seconds);
const levels = options.connections.split(',').map(Number);
const only = options.only.split(',');

type Target = Omit<Load, 'connections' | 'seconds'>;
interface Case {
  id: string;
  name: string;
  ours: Target;
  bare: Target;
  /** For writes: the organizations whose rows are counted afterwards. */
  writes?: { ours: Id; bare: Id };
}

async function cases(bench: Bench, turnout: BenchTurnout): Promise<{ all: Case[]; pids: Record<Side, number> }> {
  const ours = await turnout.org('ours');
  const peer = await turnout.org('peer');
  for (let i = 1; i <= EVENTS; i += 1) {
    const body = { name: `Conference ${i}`, venue: 'Town hall', starts_at: '2027-05-01T08:00:00Z', capacity: 500 };
    await call(turnout.url, ours.key, 'POST', '/v1/events', body);
  }
  await call(turnout.url, ours.key, 'POST', '/v1/bench-notes', { name: 'the first' });
  const bare = await bench.child<{ url: string }>('peers/bare.ts', {
    BARE_DATABASE_URL: turnout.adminUrl,
    BARE_POOL: String(POOL_SIZE),
    BARE_ORG: peer.id,
    BARE_PIPELINE: options['bare-pipeline'],
  });
  const headers = { Authorization: `Bearer ${ours.key}` };
  const body = { name: 'Doors open at nine, the hall is on the left' };
  const all: Case[] = [
    {
      id: 'me',
      name: 'GET /v1/me',
      ours: { url: `${turnout.url}/v1/me`, headers },
      bare: { url: `${bare.url}/me`, headers },
    },
    {
      id: 'events',
      name: `GET /v1/events (${PAGE})`,
      ours: { url: `${turnout.url}/v1/events?limit=${PAGE}`, headers },
      bare: { url: `${bare.url}/events?org=${ours.id}&limit=${PAGE}`, headers },
    },
    {
      id: 'post',
      name: 'POST, 4 rows',
      ours: { url: `${turnout.url}/v1/bench-notes`, method: 'POST', headers, body },
      bare: { url: `${bare.url}/bench-notes`, method: 'POST', headers, body },
      writes: { ours: ours.id, bare: peer.id },
    },
  ];
  return { all, pids: { ours: turnout.pid, bare: bare.pid } };
}

const SIDES = ['ours', 'bare'] as const;
type Side = (typeof SIDES)[number];
/** `node` and `database`: CPU time a request in microseconds, of the Node process and of PostgreSQL. */
interface Round extends Measured {
  node: number;
  database: number;
}
interface Compared {
  name: string;
  connections: number;
  rounds: Record<Side, Round[]>;
}

/** One side runs at a time, and they take turns, so that other work on the machine affects both. */
async function compare(
  run: (side: Side, load: Load) => Promise<Round>,
  one: Case,
  connections: number,
): Promise<Compared> {
  const measured: Record<Side, Round[]> = { ours: [], bare: [] };
  for (const side of SIDES) await run(side, { ...one[side], connections, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      measured[side].push(await run(side, { ...one[side], connections, seconds }));
    }
  }
  return { name: one.name, connections, rounds: measured };
}

type Rows = Record<'groups' | 'audit_log' | 'outbox' | 'idempotency', number>;

async function countRows(turnout: BenchTurnout, org: Id): Promise<Rows> {
  const read = () =>
    turnout.system((tx) =>
      tx.one<Rows>(sql`
        select (select count(*) from groups where org_id = ${org}) as groups,
          (select count(*) from audit_log where org_id = ${org} and action = 'bench.noted') as audit_log,
          (select count(*) from outbox where org_id = ${org}) as outbox,
          (select count(*) from idempotency where org_id = ${org} and status = 201 and body like ${'%"code":"n-%'}::bytea) as idempotency`),
    );
  // Calls that were under way when the load ended are still being written.
  let before = await read();
  for (;;) {
    await sleep(250);
    const now = await read();
    if (now.groups === before.groups) return now;
    before = now;
  }
}

/**
 * Every answer must have its rows, and every table the same number of them. When the load ends, each connection may have one call
 * that was carried out and not answered.
 */
function checkRows(side: Side, before: Rows, after: Rows, answers: number, unanswered: number): string {
  const written = Object.entries(after).map(([name, rows]) => [name, rows - before[name as keyof Rows]] as const);
  const [, rows] = written[0]!;
  const counts = written.map(([name, count]) => `${name} ${whole(count)}`).join(', ');
  if (written.some(([, count]) => count !== rows))
    throw new Error(`${side}: the tables have different numbers of rows: ${counts}`);
  if (rows < answers || rows > answers + unanswered) {
    throw new Error(
      `${side}: ${answers} answers, but ${rows} rows (at most ${unanswered} calls can be without an answer)`,
    );
  }
  return `${side}: ${whole(answers)} answers (201); rows: ${counts}; ${rows - answers} calls were not answered before the end of a round`;
}

const report = (compared: readonly Compared[]): string =>
  table(
    ['', 'connections', 'ours/s', 'bare/s', 'ratio', 'ours p99', 'bare p99', 'ours µs', 'bare µs', `limit ${LIMIT}`],
    compared.map(({ name, connections, rounds: sides }) => {
      const of = (side: Side, pick: (one: Round) => number) => median(sides[side].map(pick));
      const ratio = of('ours', (one) => one.perSecond) / of('bare', (one) => one.perSecond);
      return [
        name,
        String(connections),
        whole(of('ours', (one) => one.perSecond)),
        whole(of('bare', (one) => one.perSecond)),
        ratio.toFixed(2),
        ms(of('ours', (one) => one.p99)),
        ms(of('bare', (one) => one.p99)),
        `${whole(of('ours', (one) => one.node))} + ${whole(of('ours', (one) => one.database))}`,
        `${whole(of('bare', (one) => one.node))} + ${whole(of('bare', (one) => one.database))}`,
        ratio >= LIMIT ? 'ok' : 'UNDER',
      ];
    }),
  );

await benchmark(async (bench) => {
  const started = performance.now();
  const note = busy();
  const load = generator(bench);
  bench.say('starting PostgreSQL, our server and its peer …');
  const turnout = await startBenchTurnout(bench, {
    embedded: options.embedded,
    ...(options.otlp !== undefined && { env: { OTEL_EXPORTER_OTLP_ENDPOINT: options.otlp } }),
    ...(options.profile !== undefined && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] }),
  });
  const { all, pids } = await cases(bench, turnout);
  await turnout.pool.query('analyze');
  const compared: Compared[] = [];
  const checked: string[] = [];
  for (const one of all.filter((candidate) => only.includes(candidate.id))) {
    const { writes } = one;
    const before = writes && {
      ours: await countRows(turnout, writes.ours),
      bare: await countRows(turnout, writes.bare),
    };
    const answers: Record<Side, number> = { ours: 0, bare: 0 };
    const run = async (side: Side, wanted: Load): Promise<Round> => {
      const cpu = () => [cpuOf(pids[side]) ?? 0, cpuOfFamily(turnout.databasePid ?? 0) ?? 0] as const;
      const [node, database] = cpu();
      const measured = await load.run(wanted);
      const [nodeAfter, databaseAfter] = cpu();
      answers[side] += measured.answers;
      const each = (spent: number) => (spent * 1000) / measured.answers;
      return { ...measured, node: each(nodeAfter - node), database: each(databaseAfter - database) };
    };
    for (const connections of levels) {
      bench.say(`${one.name}, ${connections} connections …`);
      compared.push(await compare(run, one, connections));
    }
    if (writes === undefined || before === undefined) continue;
    const unanswered = levels.reduce((sum, connections) => sum + connections * (rounds + 1), 0);
    for (const side of SIDES) {
      const after = await countRows(turnout, writes[side]);
      checked.push(checkRows(side, before[side], after, answers[side], unanswered));
    }
  }
  const database = options.embedded ? 'embedded, rates in memory' : 'DATABASE_URL, rates in PostgreSQL';
  console.log(
    `\n${machine()}; ${load.name}; ${database}; median of ${rounds} rounds of ${seconds} s a side, in turns\n`,
  );
  console.log(report(compared));
  console.log('\nµs: CPU time of one request, Node + PostgreSQL');
  if (note !== null) console.log(`Note: ${note}.`);
  if (checked.length > 0) console.log(`\n${checked.join('\n')}`);
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
