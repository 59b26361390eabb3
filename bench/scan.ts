// Bench: scans over HTTP with everything on beside pgbench; duplicates, unknown codes, batches, 10,000 to 1,000,000 tickets
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cpuOfFamily } from './cpu.ts';
import { findPgbench } from './peers/rush-pgbench.ts';
import { BATCH, type ScanPeer, scanPeer, type Way } from './peers/scan-pgbench.ts';
import { checkAdmissions, countRows } from './scan-check.ts';
import { arrival, ticketCode } from './scan-fill.ts';
import { type Gate, open, openGate, type Ran, run, type Webhooks } from './scan-hall.ts';
import { type ScanGenerator, scanGenerator } from './scan-load.ts';
import { type Bench, benchmark, busy, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { call } from './turnout.ts';

/** At 128 connections: scans a second divided by those of the bare statement, and by those of batches with the same rows; p99 in ms. */
const LIMITS = { bare: 0.6, batches: 0.5, p99: 50 };
/** With a hundred times as many tickets, scans a second may drop by a quarter at most. */
const SIZE_LIMIT = 0.75;
const PEER_CLIENTS: Record<Way, number[]> = { bare: [4, 8, 16, 32, 64], batches: [1, 2, 4, 8] };

const { values: options } = parseArgs({
  options: {
    /** For a quick look: few tickets, one short round. */
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    tickets: { type: 'string' },
    only: { type: 'string', default: 'speed,others,decide,size' },
    /** `sent`: the same process also sends the deliveries while people are scanned. */
    webhooks: { type: 'string', default: 'paused' },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
  },
});
const { short } = options;
const rounds = roundsOf(options.rounds ?? (short ? 1 : 5));
const seconds = Number(options.seconds ?? (short ? 1 : 5));
const tickets = Number(options.tickets ?? (short ? 50_000 : 200_000));
const sizes = short ? ([10_000, 100_000] as const) : ([10_000, 1_000_000] as const);
const only = options.only.split(',');
const webhooks = options.webhooks as Webhooks;

interface Side {
  name: string;
  /** pgbench; otherwise it is our server. */
  peer: boolean;
  run(gate: Gate): Promise<Ran>;
  ran: Ran[];
}

const ours = (connections: number): Side => ({
  name: `ours, ${connections} connections`,
  peer: false,
  run: (gate) => run(gate, { connections, seconds }),
  ran: [],
});

/** The peer copies a scan that our server made, so there must be exactly one. */
async function startPeer(bench: Bench, gate: Gate): Promise<ScanPeer | null> {
  const program = findPgbench(bench);
  if (program === null) {
    bench.say('pgbench is not installed, so there is nothing to compare with');
    return null;
  }
  const { turnout, hall, key } = gate;
  const body = { code: ticketCode(arrival(0, tickets)), check_in_point: 'gate', client_uuid: randomUUID() };
  const { result } = await call<{ result: string }>(turnout.url, key, 'POST', '/v1/events/hall/scan', body);
  if (result !== 'accepted') throw new Error(`The first scan was ${result} instead of accepted.`);
  gate.come = 1;
  await countRows(turnout, hall);
  return scanPeer(bench, program, hall, tickets);
}

async function runPeer(gate: Gate, peer: ScanPeer, way: Way, clients: number, length: number): Promise<Ran> {
  const { databasePid } = gate.turnout;
  const before = cpuOfFamily(databasePid ?? 0) ?? 0;
  const ran = await peer.run(way, clients, length, gate.come);
  const spent = (cpuOfFamily(databasePid ?? 0) ?? 0) - before;
  gate.come += ran.used;
  if (gate.come > gate.tickets)
    throw new Error(`${whole(gate.tickets)} tickets are too few for this machine; use --tickets.`);
  return { perSecond: ran.perSecond, p50: 0, p99: 0, node: 0, database: (spent * 1000) / ran.scans };
}

/** Finds the number of clients with which the peer is fastest. */
async function bestOf(bench: Bench, gate: Gate, peer: ScanPeer, way: Way): Promise<{ side: Side; summary: string }> {
  const tried: { clients: number; perSecond: number }[] = [];
  for (const clients of PEER_CLIENTS[way]) {
    bench.say(`pgbench, ${way}, ${clients} clients …`);
    tried.push({ clients, perSecond: (await runPeer(gate, peer, way, clients, 1)).perSecond });
    if (gate.come > gate.tickets / 2) await open(gate, tickets);
  }
  const { clients } = tried.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const speeds = tried.map((one) => `${one.clients}: ${whole(one.perSecond)}/s`).join(', ');
  const name = way === 'bare' ? 'pgbench, bare statement' : `pgbench, batches of ${BATCH}`;
  const side = { name, peer: true, run: (at: Gate) => runPeer(at, peer, way, clients, seconds), ran: [] };
  return { side, summary: `${name}: best with ${clients} clients (${speeds})` };
}

const met = (is: boolean): string => (is ? 'met' : 'MISSED');
const of = (side: Side, pick: (ran: Ran) => number): number => median(side.ran.map(pick));

async function speed(bench: Bench, gate: Gate): Promise<void> {
  await open(gate, tickets);
  const peer = await startPeer(bench, gate);
  const many = ours(128);
  const sides = [ours(32), many];
  const notes: string[] = [];
  const peers: Partial<Record<Way, Side>> = {};
  for (const way of ['bare', 'batches'] as const) {
    if (peer === null) break;
    await open(gate, tickets);
    const best = await bestOf(bench, gate, peer, way);
    peers[way] = best.side;
    sides.push(best.side);
    notes.push(best.summary);
  }
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(`round ${round} of ${rounds} …`);
    const inTurns = <T>(list: T[]): T[] => (round % 2 === 1 ? list : list.toReversed());
    // Each side gets tickets that were filled anew: the second one would find index pages that the first has split already.
    for (const group of inTurns([sides.filter((side) => !side.peer), sides.filter((side) => side.peer)])) {
      if (group.length === 0) continue;
      await open(gate, tickets);
      for (const side of inTurns(group)) side.ran.push(await side.run(gate));
      notes.push(`round ${round}: ${await checkAdmissions(gate.turnout, gate.hall)}`);
    }
  }
  const rate = (side: Side) => of(side, (ran) => ran.perSecond);
  const ratio = (side: Side, way: Way) => (peers[way] === undefined ? null : rate(side) / rate(peers[way]));
  const against = (side: Side, way: Way) => ratio(side, way)?.toFixed(2) ?? '–';
  const row = (side: Side) => {
    const cpu = `${whole(of(side, (ran) => ran.node))} + ${whole(of(side, (ran) => ran.database))}`;
    if (side.peer) return [side.name, whole(rate(side)), '', '', '', '', cpu];
    const times = [ms(of(side, (ran) => ran.p50)), ms(of(side, (ran) => ran.p99))];
    return [side.name, whole(rate(side)), against(side, 'bare'), against(side, 'batches'), ...times, cpu];
  };
  console.log(`\n${table(['', 'scans/s', 'to bare', 'to batches', 'p50', 'p99', 'µs'], sides.map(row))}\n`);
  const p99 = of(many, (ran) => ran.p99);
  const limits = [['p99 at 128', ms(p99), `at most ${LIMITS.p99} ms`, met(p99 <= LIMITS.p99)]];
  for (const way of ['bare', 'batches'] as const) {
    const reached = ratio(many, way);
    if (reached === null) continue;
    limits.push([`${way} at 128`, reached.toFixed(2), `at least ${LIMITS[way]}`, met(reached >= LIMITS[way])]);
  }
  console.log(table(['limit', 'is', 'should be', ''], limits));
  const each = sides.map((side) => `${side.name}: ${side.ran.map((ran) => whole(ran.perSecond)).join(', ')} scans/s`);
  console.log(`\nµs: CPU time of one scan, Node + PostgreSQL\n${[...each, ...notes].join('\n')}`);
}

/** Lets Node compile the code, and PostgreSQL learn the size of its tables before autovacuum does, which takes up to 20 s. */
async function warmUp(bench: Bench, gate: Gate): Promise<void> {
  bench.say('warming up …');
  await open(gate, sizes[0]);
  await run(gate, { connections: 128, seconds: 2 });
  await gate.turnout.pool.query('analyze');
}

/** What a gate also meets: tickets that were scanned before, unknown codes, batches. */
async function others(bench: Bench, gate: Gate): Promise<void> {
  bench.say('duplicates, unknown codes, batches …');
  await open(gate, tickets);
  const crowd = { connections: 128, seconds };
  const first = await run(gate, crowd);
  const come = Math.floor(first.perSecond * seconds);
  const again = Array.from({ length: seconds * 20_000 }, (_, n) => ticketCode(arrival(n % come, tickets)));
  const strangers = Array.from({ length: seconds * 20_000 }, () => randomBytes(14).toString('hex').toUpperCase());
  const rows: [string, Ran][] = [
    ['fresh tickets', first],
    ['duplicates', await run(gate, { ...crowd, codes: again })],
    ['unknown codes', await run(gate, { ...crowd, codes: strangers, known: false })],
    ['batches of 500, 4 connections', await run(gate, { connections: 4, seconds, batch: 500 })],
  ];
  const cells = rows.map(([name, ran]) => [
    name,
    whole(ran.perSecond),
    ms(ran.p50),
    ms(ran.p99),
    `${whole(ran.node)} + ${whole(ran.database)}`,
  ]);
  console.log(`\n${table(['128 connections', 'scans/s', 'p50', 'p99', 'µs'], cells)}`);
}

/** The decision alone, by the bench of its package. */
async function decide(bench: Bench): Promise<void> {
  bench.say('the decision alone …');
  const file = fileURLToPath(new URL('../packages/checkin/bench.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
  console.log(
    `\n${stdout
      .split('\n')
      .filter((line) => line.includes('decisions/s'))
      .join('\n')}`,
  );
}

/** A small and a large event take turns. The small one is filled anew for each turn; the large one has tickets enough for all. */
async function size(bench: Bench, load: ScanGenerator, large: Gate): Promise<void> {
  const small = await openGate(bench, load, { webhooks });
  await warmUp(bench, small);
  bench.say(`filling ${whole(sizes[1])} tickets …`);
  await open(large, sizes[1]);
  const ran: Record<'small' | 'large', Ran[]> = { small: [], large: [] };
  for (let turn = 1; turn <= rounds; turn += 1) {
    bench.say(`${sizes.map(whole).join(' and ')} tickets, turn ${turn} of ${rounds} …`);
    await open(small, sizes[0]);
    ran.small.push(await run(small, { connections: 128, seconds }));
    ran.large.push(await run(large, { connections: 128, seconds }));
  }
  await checkAdmissions(large.turnout, large.hall);
  const rate = (which: 'small' | 'large') => median(ran[which].map((one) => one.perSecond));
  const cpu = (which: 'small' | 'large') =>
    `${whole(median(ran[which].map((one) => one.node)))} + ${whole(median(ran[which].map((one) => one.database)))}`;
  const ratio = rate('large') / rate('small');
  console.log(
    `\n${table(
      ['tickets', 'scans/s', 'µs', 'ratio', 'should be', ''],
      [
        [whole(sizes[0]), whole(rate('small')), cpu('small'), '', '', ''],
        [
          whole(sizes[1]),
          whole(rate('large')),
          cpu('large'),
          ratio.toFixed(2),
          `at least ${SIZE_LIMIT}`,
          met(ratio >= SIZE_LIMIT),
        ],
      ],
    )}`,
  );
}

const WEBHOOKS: Record<Webhooks, string> = {
  sent: 'one webhook endpoint for all events, whose deliveries are sent to loopback meanwhile',
  paused: 'one webhook endpoint for all events, paused: its deliveries are queued and not sent',
};

await benchmark(async (bench) => {
  const started = performance.now();
  const note = busy();
  if (!(webhooks in WEBHOOKS)) throw new Error(`--webhooks must be one of ${Object.keys(WEBHOOKS).join(', ')}`);
  const load = scanGenerator(bench);
  bench.say('starting …');
  const gate = await openGate(bench, load, { webhooks, profile: options.profile });
  console.log(
    `\n${machine()}; ${load.name}; PostgreSQL embedded, durable; ${WEBHOOKS[webhooks]}; median of ${rounds} rounds of ${seconds} s a side, in turns`,
  );
  await warmUp(bench, gate);
  if (only.includes('speed')) await speed(bench, gate);
  if (only.includes('others')) await others(bench, gate);
  if (only.includes('decide')) await decide(bench);
  if (only.includes('size')) await size(bench, load, gate);
  if (note !== null) console.log(`\nNote: ${note}.`);
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
