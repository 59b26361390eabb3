// Bench: a rush for the places of an event beside pgbench with one commit a registration; then with products, failures, kill -9
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { findPgbench, type Peer, pgbenchPeer, type Way } from './peers/rush-pgbench.ts';
import { checkRush } from './rush-check.ts';
import type { Fate, Rushed, RushJob } from './rush-client.ts';
import { type Bench, benchmark, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** Our registrations a second, divided by the peer's: at least. */
const LIMIT = 1;
/** Registrations a second with two products and a code, divided by those without: at least. */
const SELLING_LIMIT = 0.8;
const PEER_CLIENTS = [1, 2, 4, 8, 16, 32, 64];

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '500' },
    attempts: { type: 'string', default: '20000' },
    places: { type: 'string', default: '5000' },
    /** How many seconds each run of the peer takes. */
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'speed,selling,mix,kill' },
    /** `--no-peer` leaves pgbench out. */
    peer: { type: 'boolean', default: true },
    /** `api,worker`: the same process also sends the mails and webhooks that the rush makes. */
    roles: { type: 'string', default: 'api' },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
  },
});
const rounds = roundsOf(options.rounds);
const clients = Number(options.clients);
const attempts = Number(options.attempts);
const capacity = Number(options.places);
const seconds = Number(options.seconds);
const only = options.only.split(',');

interface Box {
  bench: Bench;
  turnout: BenchTurnout;
  org: { id: Id; key: string };
  events: number;
  /** Starts the server again at the same address, on the same data folder. */
  restart(): Promise<void>;
}

/** Makes a published event with one day and one attendee type. */
async function newEvent(url: string, key: string, code: string, places: number | null): Promise<Id> {
  const path = `/v1/events/${code}`;
  const { id } = await call<{ id: string }>(url, key, 'POST', '/v1/events', { code, name: code, capacity: places });
  await call(url, key, 'POST', `${path}/days`, { code: 'd1', date: '2027-05-01' });
  await call(url, key, 'POST', `${path}/attendee-types`, { code: 'adult', name: 'Adult' });
  await call(url, key, 'POST', `${path}/publish`);
  return toUuid(id);
}

/** What everybody takes in the variant `selling`. The code makes it free, so that the registration is confirmed like the others. */
const SELLS = {
  attendee: { products: [{ product: 'tea' }, { product: 'shirt', option: 'm' }] },
  registration: { discount_code: 'rush 100' },
};

/** Puts on sale what everybody takes, as much of it as there are places, so that each is counted and limited. */
async function sellMore(url: string, key: string, code: string, places: number): Promise<void> {
  const path = `/v1/events/${code}`;
  const options = [{ code: 'm', name: 'Medium', capacity: places }];
  await call(url, key, 'POST', `${path}/products`, { code: 'tea', name: 'Tea', price_minor: 300, capacity: places });
  await call(url, key, 'POST', `${path}/products`, { code: 'shirt', name: 'Shirt', price_minor: 1500, options });
  const free = { name: 'Free', kind: 'percent', value: 100, products: null, max_people: places };
  await call(url, key, 'POST', `${path}/discounts`, { code: 'RUSH-100', ...free });
}

interface Ran extends Rushed {
  /** CPU time an answer in microseconds, of the Node process and of PostgreSQL. */
  node: number;
  database: number;
  checked: string;
}

/** Runs one rush on an event of its own and checks the database afterwards. */
async function runRush(
  { bench, turnout, org, events }: Box,
  how: Pick<RushJob, 'mix' | 'retries' | 'sells'>,
  meanwhile: (event: Id) => Promise<void> = async () => {},
): Promise<Ran> {
  const code = `rush-${events}`;
  const event = await newEvent(turnout.url, org.key, code, capacity);
  if (how.sells !== undefined) await sellMore(turnout.url, org.key, code, capacity);
  const folder = bench.folder();
  const prefix = `${code}-`;
  const fates = join(folder, 'fates.json');
  const job: RushJob = {
    ...how,
    url: turnout.url,
    key: org.key,
    event: code,
    clients,
    attempts,
    capacity,
    prefix,
    fates,
  };
  const file = join(folder, 'job.json');
  writeFileSync(file, JSON.stringify(job));
  const cpu = () => [cpuOf(turnout.pid) ?? 0, cpuOfFamily(turnout.databasePid ?? 0) ?? 0] as const;
  const [node, database] = cpu();
  const [rushed] = await Promise.all([crowd(bench, file), meanwhile(event)]);
  const [nodeAfter, databaseAfter] = cpu();
  const answers = Object.values(rushed.statuses).reduce((sum, count) => sum + count, 0);
  const each = (spent: number) => (spent * 1000) / answers;
  const written = JSON.parse(readFileSync(fates, 'utf8')) as Fate[];
  const checked = await checkRush(turnout, { org: org.id, event, capacity, prefix, fates: written });
  return { ...rushed, node: each(nodeAfter - node), database: each(databaseAfter - database), checked };
}

function crowd(bench: Bench, job: string): Promise<Rushed> {
  return new Promise((resolve, reject) => {
    const client = fileURLToPath(new URL('rush-client.ts', import.meta.url));
    const child = spawn(process.execPath, [client, job], { stdio: ['ignore', 'pipe', 2], timeout: 120_000 });
    const text: Buffer[] = [];
    bench.later(() => child.kill('SIGKILL'));
    child.stdout!.on('data', (chunk: Buffer) => text.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(text).toString()));
      else reject(new Error(`The process with the clients ended (${signal ?? code}).`));
    });
  });
}

/** The peer copies a registration that our server made. It has an organization and an event of its own. */
async function startPeer({ bench, turnout }: Box): Promise<Peer | null> {
  const program = findPgbench(bench);
  if (program === null) {
    bench.say('pgbench is not installed, so there is nothing to compare with');
    return null;
  }
  const org = await turnout.org('peer');
  const event = await newEvent(turnout.url, org.key, 'rush', null);
  const body = {
    attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Visitor 1', email: 'visitor1@example.org' }],
  };
  const made = await call<{ id: string }>(turnout.url, org.key, 'POST', '/v1/events/rush/registrations', body);
  return pgbenchPeer(
    bench,
    program,
    { url: turnout.adminUrl, org: org.id, event, registration: toUuid(made.id) },
    made.id,
  );
}

interface Tried {
  clients: number;
  way: Way;
  perSecond: number;
}

async function bestOf(bench: Bench, peer: Peer): Promise<{ best: Tried; summary: string }> {
  const tried: Tried[] = [];
  bench.say(`${peer.name} with ${PEER_CLIENTS.join(', ')} clients …`);
  for (const count of PEER_CLIENTS) {
    for (const way of ['pipelined', 'plain'] as const) {
      tried.push({ clients: count, way, perSecond: await peer.run(count, way, 2) });
    }
  }
  const best = tried.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const same = tried.filter(({ way }) => way === best.way);
  const speeds = same.map((one) => `${one.clients}: ${whole(one.perSecond)}/s`).join(', ');
  return { best, summary: `with ${best.clients} clients, ${best.way} (${speeds})` };
}

async function speed(box: Box): Promise<void> {
  const { bench } = box;
  const peer = options.peer ? await startPeer(box) : null;
  const best = peer === null ? null : await bestOf(bench, peer);
  const ours: Ran[] = [];
  const theirs: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(`${whole(attempts)} attempts for ${whole(capacity)} places, round ${round} of ${rounds} …`);
    box.events += 1;
    ours.push(await runRush(box, { mix: false, retries: false }));
    if (peer !== null) theirs.push(await peer.run(best!.best.clients, best!.best.way, seconds));
  }
  const of = (pick: (one: Ran) => number) => median(ours.map(pick));
  const perSecond = of((one) => one.registered.answers / one.registered.seconds);
  const rows = [
    [
      'registrations/s',
      whole(perSecond),
      ...(peer === null ? ['–', '–'] : [whole(median(theirs)), (perSecond / median(theirs)).toFixed(2)]),
      `at least ${LIMIT.toFixed(1)}`,
      ms(of((one) => one.registered.p50)),
      ms(of((one) => one.registered.p99)),
    ],
    [
      'refusals/s',
      whole(of((one) => one.refused.answers / one.refused.seconds)),
      '–',
      '–',
      '–',
      ms(of((one) => one.refused.p50)),
      ms(of((one) => one.refused.p99)),
    ],
  ];
  console.log(`\n${table(['', 'ours', 'pgbench', 'ratio', 'limit', 'p50', 'p99'], rows)}\n`);
  if (best !== null) console.log(`pgbench, one transaction a registration, at its best ${best.summary}`);
  const cpu = `${whole(of((one) => one.node))} + ${whole(of((one) => one.database))}`;
  console.log(
    `CPU time an answer: ${cpu} µs (Node + PostgreSQL); the clients took ${percent(of((one) => one.cpu))} of a core`,
  );
  for (const one of ours) console.log(one.checked);
}

/** Plain registrations and such with two products and a code, in turns. */
async function selling(box: Box): Promise<void> {
  const ran: Record<'plain' | 'selling', Ran[]> = { plain: [], selling: [] };
  for (let round = 1; round <= rounds; round += 1) {
    box.bench.say(`without and with two products and a code, round ${round} of ${rounds} …`);
    for (const kind of round % 2 === 1 ? (['plain', 'selling'] as const) : (['selling', 'plain'] as const)) {
      box.events += 1;
      ran[kind].push(await runRush(box, { mix: false, retries: false, ...(kind === 'selling' && { sells: SELLS }) }));
    }
  }
  const of = (kind: keyof typeof ran, pick: (one: Ran) => number) => median(ran[kind].map(pick));
  const speedOf = (kind: keyof typeof ran) => of(kind, ({ registered }) => registered.answers / registered.seconds);
  const row = (name: string, kind: keyof typeof ran, ...ratio: string[]) => [
    name,
    whole(speedOf(kind)),
    ...ratio,
    ms(of(kind, ({ registered }) => registered.p50)),
    ms(of(kind, ({ registered }) => registered.p99)),
    `${whole(of(kind, ({ node }) => node))} + ${whole(of(kind, ({ database }) => database))}`,
  ];
  const ratio = (speedOf('selling') / speedOf('plain')).toFixed(2);
  const rows = [
    row('plain', 'plain', '–', '–'),
    row('two products and a code', 'selling', ratio, `at least ${SELLING_LIMIT.toFixed(1)}`),
  ];
  console.log(
    `\n${table(['', 'registrations/s', 'ratio', 'limit', 'p50', 'p99', 'CPU µs (Node + PostgreSQL)'], rows)}\n`,
  );
  for (const one of ran.selling) console.log(one.checked);
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;
const statusCounts = ({ statuses }: Ran): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${whole(count)}`)
    .join(', ');

async function mix(box: Box): Promise<void> {
  box.bench.say('a rush with cancellations, invalid bodies and broken connections …');
  box.events += 1;
  const ran = await runRush(box, { mix: true, retries: true });
  console.log(
    `\nwith cancellations, invalid bodies and ${whole(ran.hungUp)} broken connections: ${ran.seconds.toFixed(1)} s, ` +
      `201 p50 ${ms(ran.registered.p50)}, p99 ${ms(ran.registered.p99)}; answers ${statusCounts(ran)}\n${ran.checked}`,
  );
}

async function taken({ turnout, org }: Box, event: Id): Promise<number> {
  const row = await turnout.system((tx) =>
    tx.maybe<{ taken: number }>(
      sql`select taken from places where org_id = ${org.id} and event_id = ${event} and scope_id = ${event} and not test`,
    ),
  );
  return row?.taken ?? 0;
}

/**
 * Kills the server in the middle of the rush, at the worst moment: a batch was committed, and nobody was answered yet. To find it,
 * the server is stopped (SIGSTOP) until a batch that PostgreSQL has already received commits.
 */
async function killInTheMiddle(box: Box, event: Id): Promise<{ at: number; unheard: number }> {
  const { pid } = box.turnout;
  const until = performance.now() + 30_000;
  let at = 0;
  while (at < capacity * 0.3) {
    if (performance.now() > until) throw new Error('The rush has not begun within 30 s.');
    await sleep(5);
    at = await taken(box, event);
  }
  for (let i = 0; at < capacity * 0.7; i += 1) {
    process.kill(pid, 'SIGSTOP');
    const before = await taken(box, event);
    for (let waited = 0; waited < 400; waited += 20) {
      await sleep(20);
      at = await taken(box, event);
      if (at > before) break;
    }
    if (at > before) {
      process.kill(pid, 'SIGKILL');
      return { at, unheard: at - before };
    }
    process.kill(pid, 'SIGCONT');
    await sleep(7 + (i % 5) * 11);
  }
  process.kill(pid, 'SIGKILL');
  return { at, unheard: 0 };
}

async function kill(box: Box): Promise<void> {
  const { bench } = box;
  bench.say('kill -9 in the middle …');
  box.events += 1;
  let died = { at: 0, unheard: 0 };
  let down = 0;
  const ran = await runRush(box, { mix: false, retries: true }, async (event) => {
    died = await killInTheMiddle(box, event);
    const killed = performance.now();
    await box.restart();
    down = performance.now() - killed;
  });
  // Whoever got a place before the kill must get that same place, and no other, by retrying.
  if (ran.replayed < died.unheard) {
    throw new Error(
      `${died.unheard} places were given and not answered, but only ${ran.replayed} retries got a stored answer.`,
    );
  }
  console.log(
    `\nkill -9 after ${whole(died.at)} places, ${whole(died.unheard)} of them not answered yet; serving again after ${(down / 1000).toFixed(1)} s; ` +
      `${whole(ran.retries)} retries, ${whole(ran.replayed)} of them got a stored answer; answers ${statusCounts(ran)}\n${ran.checked}`,
  );
}

/** A port that is free now. It is chosen beforehand, because the server must come back at the same address. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

await benchmark(async (bench) => {
  const started = performance.now();
  // PostgreSQL outlives a server that was killed, and also the bench, unless a new server takes it over.
  let postmaster: number | null = null;
  bench.later(() => {
    if (postmaster !== null && cpuOf(postmaster) !== null) process.kill(postmaster, 'SIGQUIT');
  });
  const env = {
    PORT: String(await freePort()),
    ROLES: options.roles,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const nodeOptions = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  let dataDir = '';
  const noting: Bench = { ...bench, folder: () => (dataDir = bench.folder()) };
  const turnout = await startBenchTurnout(noting, { embedded: true, env, nodeOptions });
  postmaster = turnout.databasePid;
  const box: Box = {
    bench,
    turnout,
    org: await turnout.org('ours'),
    events: 0,
    restart: async () => {
      const again = { ...env, DATA_DIR: dataDir, LOG_LEVEL: 'warn', SANDBOX: 'off', DATABASE_POOL: '20' };
      const { url, pid } = await bench.child<{ url: string }>('server.ts', again);
      if (url !== turnout.url) throw new Error(`The server came back at ${url} instead of ${turnout.url}.`);
      turnout.pid = pid;
    },
  };
  console.log(
    `\n${machine()}; ${whole(clients)} clients, ${whole(attempts)} attempts, ${whole(capacity)} places; PostgreSQL embedded, durable; median of ${rounds} rounds`,
  );
  if (only.includes('speed')) await speed(box);
  if (only.includes('selling')) await selling(box);
  if (only.includes('mix')) await mix(box);
  if (only.includes('kill')) await kill(box);
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
