// Bench: scans a second while a job runs: an export of 205,000 rows, an import of 5,000, a bulk change, tickets by mail (limit 0.8)
import { randomBytes, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { toUlid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { cpuOf } from './cpu.ts';
import { writeFiles } from './import-fill.ts';
import { checkAdmissions } from './scan-check.ts';
import { writeCodes } from './scan-fill.ts';
import { type Gate, open, openGate } from './scan-hall.ts';
import { type ScanGenerator, scanGenerator } from './scan-load.ts';
import { type Bench, benchmark, busy, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { call } from './turnout.ts';

/** Scans a second beside a job, divided by those without it: at least. */
const LIMIT = 0.8;
const IMPORTED = 5_000;
const MAILED = 2_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** How long people are scanned, once alone and once beside each job. */
    seconds: { type: 'string', default: '5' },
    tickets: { type: 'string', default: '205000' },
    connections: { type: 'string', default: '64' },
    /** One process for calls and jobs, or one for each. */
    ways: { type: 'string', default: 'one,two' },
    only: { type: 'string', default: 'export,csv,import,bulk,tickets' },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
  },
});
const rounds = roundsOf(options.rounds);
const seconds = Number(options.seconds);
const tickets = Number(options.tickets);
const connections = Number(options.connections);

interface Job {
  id: string;
  status: string;
  error: string | null;
  progress: { done: number };
}
const isOver = ({ status }: Job): boolean => status !== 'queued' && status !== 'running';

interface Kind {
  name: string;
  start(gate: Gate): Promise<Job>;
}
interface Besides {
  alone: number;
  beside: number;
  p99: { alone: number; beside: number };
  /** What the job did a second while people were scanned. */
  done: number;
}

const post = <T>({ turnout, key }: Gate, path: string, body: object): Promise<T> =>
  call<T>(turnout.url, key, 'POST', `/v1${path}`, body);
const got = ({ turnout, key }: Gate, { id }: Job): Promise<Job> => call<Job>(turnout.url, key, 'GET', `/v1/jobs/${id}`);

function kindsOf(people: string, ids: readonly string[]): Kind[] {
  const exported = (format: string) => (gate: Gate) =>
    post<Job>(gate, '/exports', { what: 'people', format, event: 'hall' });
  let turn = 0;
  const all: Record<string, Kind> = {
    export: { name: `export, Excel, ${whole(tickets)} rows`, start: exported('xlsx') },
    csv: { name: `export, CSV, ${whole(tickets)} rows`, start: exported('csv') },
    import: {
      name: `import, ${whole(IMPORTED)} rows`,
      start: async ({ turnout, key }) => {
        const answer = await fetch(`${turnout.url}/v1/events/hall/imports`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
          body: await openAsBlob(people),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return (await answer.json()) as Job;
      },
    },
    bulk: {
      name: 'bulk change of everybody',
      start: (gate) => {
        turn += 1;
        const change = { group: turn % 2 === 1 ? 'one' : 'two' };
        return post<Job>(gate, '/events/hall/bulk', { action: 'change', filter: {}, change });
      },
    },
    tickets: {
      name: `${whole(MAILED)} tickets printed and mailed`,
      start: (gate) => post<Job>(gate, '/events/hall/bulk', { action: 'send_tickets', ids }),
    },
  };
  return options.only.split(',').map((one) => all[one]!);
}

/** Scans for some seconds. Rows are not counted after each load as in other benches: the job writes some, too. */
async function scan(gate: Gate): Promise<{ perSecond: number; p99: number }> {
  writeCodes(gate.codes, gate.tickets, gate.come, Math.min(gate.tickets, gate.come + seconds * 20_000));
  const url = `${gate.turnout.url}/v1/events/hall/scan`;
  const ran = await gate.load.run({ url, key: gate.key, codes: gate.codes, batch: 1, connections, seconds });
  gate.come += ran.answers + connections;
  if (gate.come + connections >= gate.tickets) throw new Error('There are too few tickets; use --tickets.');
  return { perSecond: ran.answers / ran.seconds, p99: ran.p99 };
}

/** Scans beside a job. One that is done too early is started again; one that is not done at the end is cancelled. */
async function scanBeside(gate: Gate, { start }: Kind): Promise<{ perSecond: number; p99: number; done: number }> {
  let open = true;
  const work = async () => {
    let done = 0;
    while (open) {
      let job = await start(gate);
      const before = done;
      while (open && !isOver(job)) {
        await sleep(100);
        job = await got(gate, job);
        done = before + job.progress.done;
      }
      if (isOver(job)) {
        if (job.status !== 'succeeded') throw new Error(`The job has status ${job.status}: ${job.error}`);
        continue;
      }
      await post(gate, `/jobs/${job.id}/cancel`, {});
    }
    return done;
  };
  const working = work();
  await sleep(500); // the job is claimed within a moment
  const began = performance.now();
  const scanned = await scan(gate).finally(() => {
    open = false;
  });
  const done = await working;
  await settled(gate);
  return { ...scanned, done: (done * 1000) / (performance.now() - began) };
}

/** Waits until nothing that the job has left is to be done: its mails, and its occurrences. */
async function settled({ turnout }: Gate): Promise<void> {
  for (;;) {
    const { waiting } = await turnout.system((tx) =>
      tx.one<{ waiting: number }>(sql`
        select (select count(*) from mails where status = 'queued') + (select count(*) from outbox)
          + (select count(*) from jobs where status in ('queued', 'running')) as waiting`),
    );
    if (waiting === 0) return;
    await sleep(200);
  }
}

/** How long a job takes while nobody is scanned, and the processor time of the process that answers calls meanwhile. */
async function alone(gate: Gate, { start }: Kind): Promise<string> {
  const at = performance.now();
  const cpu = cpuOf(gate.turnout.pid) ?? 0;
  let job = await start(gate);
  while (!isOver(job)) {
    await sleep(50);
    job = await got(gate, job);
  }
  return `${((performance.now() - at) / 1000).toFixed(1)} s (${(((cpuOf(gate.turnout.pid) ?? 0) - cpu) / 1000).toFixed(1)} s)`;
}

async function openGateFor(bench: Bench, load: ScanGenerator, way: string): Promise<Gate> {
  const profile = options.profile;
  const shared = { SECRET_KEY: randomBytes(32).toString('base64'), FILES_URL: bench.folder() };
  const gate = await openGate(bench, load, {
    webhooks: 'paused',
    profile,
    ...(way === 'two' && { embedded: false, env: { ...shared, ROLES: 'api' } }),
  });
  await gate.turnout.system(async (tx) =>
    setPlan(tx, await acrossOrganizationsFind(tx, 'ours'), undefined, [['attendees_per_event', '999999999']]),
  );
  for (const code of ['one', 'two']) await post(gate, '/groups', { code, name: code });
  if (way === 'two') {
    const { databaseUrl } = gate.turnout;
    const own = {
      ROLES: 'worker',
      DATABASE_URL: databaseUrl,
      DATA_DIR: bench.folder(),
      PORT: '0',
      SANDBOX: 'off',
      LOG_LEVEL: 'warn',
    };
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    await bench.child('server.ts', { ...shared, ...own }, [...NODE_FLAGS, ...flags]);
  }
  return gate;
}

const WAYS: Record<string, string> = { one: 'one process for calls and jobs', two: 'a worker of its own' };

async function measure(bench: Bench, load: ScanGenerator, way: string): Promise<void> {
  const gate = await openGateFor(bench, load, way);
  const people = join(bench.folder(), 'people.csv');
  await writeFiles(people, `${people}.keyed`, IMPORTED);
  await open(gate, tickets);
  const found = await gate.turnout.system((tx) =>
    tx.all<{ id: string }>(sql`select id from attendees where org_id = ${gate.hall.org} order by id limit ${MAILED}`),
  );
  const kinds = kindsOf(
    people,
    found.map(({ id }) => toUlid(id as never)),
  );
  bench.say(`${WAYS[way]}: warming up …`);
  await scan(gate);
  await gate.turnout.pool.query('analyze');
  const times: string[] = [];
  for (const kind of kinds) {
    if (kind.name.startsWith('bulk')) times.push('');
    else times.push(await alone(gate, kind));
    await settled(gate);
  }
  const ran = kinds.map((): Besides[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    await open(gate, tickets);
    for (const [i, kind] of kinds.entries()) {
      bench.say(`${WAYS[way]}: ${kind.name}, round ${round} of ${rounds} …`);
      // The one that comes first alternates, and both have the same machine around them.
      const first = (round + i) % 2 === 0 ? await scan(gate) : null;
      const beside = await scanBeside(gate, kind);
      const quiet = first ?? (await scan(gate));
      const p99 = { alone: quiet.p99, beside: beside.p99 };
      ran[i]!.push({ alone: quiet.perSecond, beside: beside.perSecond, p99, done: beside.done });
    }
    await checkAdmissions(gate.turnout, gate.hall);
  }
  const rows = kinds.map(({ name }, i) => {
    const of = (pick: (one: Besides) => number) => median(ran[i]!.map(pick));
    const ratios = ran[i]!.map((one) => one.beside / one.alone);
    return [
      name,
      whole(of((one) => one.alone)),
      whole(of((one) => one.beside)),
      median(ratios).toFixed(2),
      `at least ${LIMIT}`,
      `${ms(of((one) => one.p99.alone))}, ${ms(of((one) => one.p99.beside))}`,
      whole(of((one) => one.done)),
      times[i]!,
      ratios.map((one) => one.toFixed(2)).join(' '),
    ];
  });
  const head = [WAYS[way]!, 'alone', 'beside', 'ratio', 'limit', 'p99', 'done/s', 'without scans (CPU)', 'each round'];
  console.log(`\n${table(head, rows)}`);
}

await benchmark(async (bench) => {
  const started = performance.now();
  const note = busy();
  const load = scanGenerator(bench);
  console.log(
    `\n${machine()}; ${load.name}; scans a second of ${connections} connections alone and beside a job of the same event, ${seconds} s each in turns, medians of ${rounds} rounds`,
  );
  for (const way of options.ways.split(',')) await measure(bench, load, way);
  if (note !== null) console.log(`\nNote: ${note}.`);
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
