// Bench: webhook deliveries to TLS receivers, compared with a bare undici loop; then with one endpoint that hangs
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SAMPLES } from '../packages/contract/src/samples.ts';
import { CAPS } from '../server/src/areas/webhooks/slots.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { writeOutbox } from '../server/src/road/write/record.ts';
import { sql } from '../server/src/store/sql.ts';
import { Authority } from '../test/support/receivers.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { type Bench, benchmark, busy, machine, median, roundsOf, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** How long to wait until attempts that hang have failed and are on record. */
const HANGS_FOR = 17_000;
/**
 * The least ratio of our deliveries per second to those of the bare loop; and of the rate at which the other endpoints are served
 * while one hangs to their rate without it.
 */
const LIMIT = 0.5;
const HANGING_LIMIT = 0.9;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** How many deliveries one round has. */
    deliveries: { type: 'string', default: '20000' },
    endpoints: { type: 'string', default: '1,10,100' },
    /** `speed` leaves out the part with an endpoint that hangs. */
    only: { type: 'string' },
    /** The folder to which a CPU profile of our server is written. */
    profile: { type: 'string' },
  },
});
const rounds = roundsOf(options.rounds);
const total = Number(options.deliveries);
const sizes = options.endpoints.split(',').map(Number);

interface Receivers {
  ports: number[];
  control: number;
}
interface Box {
  bench: Bench;
  turnout: BenchTurnout;
  org: { id: Id; key: string };
  receivers: Receivers;
  peer: { control: number };
  endpoints: Id[];
}

const asked = <T>(port: number, line: string): Promise<T> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(line));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () => resolve(JSON.parse(text)));
    socket.on('error', reject);
  });
interface Counted {
  counts: number[];
  /** When the first and the last request had arrived completely. */
  firstAt: number;
  lastAt: number;
}
const counted = ({ receivers }: Box) => asked<Counted>(receivers.control, 'counts\n');
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

async function open(bench: Bench): Promise<Box> {
  const authority = await Authority.make();
  const { key, cert } = await authority.issue(['127.0.0.1']);
  const ca = join(bench.folder(), 'ca.pem');
  writeFileSync(ca, authority.pem);
  const most = Math.max(...sizes, 10);
  const receivers = await bench.child<Receivers>('webhooks-receiver.ts', {
    KEY: key,
    CERT: cert,
    RECEIVERS: String(most),
  });
  const peer = await bench.child<{ control: number }>('peers/webhooks-undici.ts', {
    CA: authority.pem,
    PORTS: receivers.ports.join(','),
    IN_FLIGHT: String(CAPS.endpoint),
  });
  const turnout = await startBenchTurnout(bench, {
    env: { ROLES: 'api,worker', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WEBHOOK_CA_FILE: ca },
    ...(options.profile && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] }),
  });
  const org = await turnout.org('hooks');
  const endpoints: Id[] = [];
  for (const port of receivers.ports) {
    const body = { url: `https://127.0.0.1:${port}/hook`, events: ['*'] };
    const { id } = await call<{ id: string }>(turnout.url, org.key, 'POST', '/v1/webhooks', body);
    endpoints.push(toUuid(id));
  }
  return { bench, turnout, org, receivers, peer, endpoints };
}

/** Records `each` deliveries for each of the first `endpoints`. They are paused meanwhile, as after a long pause. */
async function record(box: Box, endpoints: number, each: number): Promise<string> {
  const { turnout, org } = box;
  const listening = box.endpoints.slice(0, endpoints);
  await turnout.system(async (tx) => {
    await tx.run(sql`update webhook_endpoints set status = 'paused_plan', failures_in_a_row = 0, failing_since = null`);
    await tx.run(sql`update webhook_endpoints set status = 'paused' where id = any(${listening})`);
  });
  for (let made = 0; made < each; made += 500) {
    const some = Math.min(500, each - made);
    await turnout.system(async (tx) =>
      writeOutbox(
        tx,
        org.id,
        Array.from({ length: some }, () => ({
          type: 'registration.created' as const,
          event: null,
          group: null,
          livemode: true,
          data: SAMPLES.registration,
        })),
      ),
    );
  }
  const waiting = () =>
    turnout.system(async (tx) => (await tx.one<{ n: number }>(sql`select count(*)::int as n from webhook_queue`)).n);
  while ((await waiting()) < endpoints * each) await sleep(50);
  const { body } = await turnout.system((tx) =>
    tx.one<{ body: Buffer }>(sql`select body from webhook_envelopes order by id desc limit 1`),
  );
  await turnout.system((tx) => tx.run(sql`analyze webhook_queue`)).catch(() => {}); // as autovacuum would
  return body.toString();
}

interface Rate {
  /** Counted from the first delivery received to the last. */
  perSecond: number;
  /** How long it took until the first delivery was received, in milliseconds. */
  first: number;
  /** CPU time of one delivery in microseconds, in Node and in PostgreSQL. */
  node: number | null;
  postgres: number | null;
}

const rateOf = (deliveries: number, { firstAt, lastAt }: Counted): number => deliveries / ((lastAt - firstAt) / 1000);

/** Enables the endpoints in the database. The deliverer finds out by itself, as it finds what is due. */
async function ours(box: Box, endpoints: number, each: number, hangs = 0): Promise<Rate> {
  const { turnout, receivers } = box;
  await asked(receivers.control, 'reset\n');
  for (let i = 1; i <= hangs; i += 1) await asked(receivers.control, `hang ${endpoints - i}\n`);
  const expected = (endpoints - hangs) * each;
  const cpu = () =>
    [cpuOf(turnout.pid), turnout.databasePid === null ? null : cpuOfFamily(turnout.databasePid)] as const;
  const before = cpu();
  const started = Date.now();
  await turnout.system((tx) => tx.run(sql`update webhook_endpoints set status = 'healthy' where status = 'paused'`));
  const seen = await until(box, expected);
  const after = cpu();
  const spent = (i: 0 | 1) => (before[i] === null ? null : ((after[i]! - before[i]) * 1000) / expected);
  return { perSecond: rateOf(expected, seen), first: seen.firstAt - started, node: spent(0), postgres: spent(1) };
}

async function until(box: Box, expected: number): Promise<Counted> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const seen = await counted(box);
    if (sum(seen.counts) >= expected) return seen;
    if (Date.now() > deadline) throw new Error(`only ${sum(seen.counts)} of ${expected} arrived`);
    await sleep(100);
  }
}

async function bare(box: Box, endpoints: number, each: number, body: string): Promise<number> {
  await asked(box.receivers.control, 'reset\n');
  await asked(box.peer.control, `${JSON.stringify({ endpoints, each, body })}\n`);
  const seen = await counted(box);
  if (sum(seen.counts) !== endpoints * each)
    throw new Error(`the peer sent ${sum(seen.counts)} of ${endpoints * each}`);
  return rateOf(endpoints * each, seen);
}

/** Checks that every delivery has exactly one attempt on record and that nothing is left in the queue. */
async function check(box: Box, deliveries: number): Promise<void> {
  const state = () =>
    box.turnout.system((tx) =>
      tx.one<{ queue: number; delivered: number; attempts: number }>(sql`
        select (select count(*)::int from webhook_queue) as queue,
          (select count(distinct delivery_id)::int from webhook_attempts where succeeded) as delivered,
          (select count(*)::int from webhook_attempts where succeeded) as attempts`),
    );
  let now = await state();
  for (let i = 0; i < 100 && now.queue > 0; i += 1) {
    await sleep(50);
    now = await state();
  }
  if (now.queue !== 0 || now.delivered !== deliveries || now.attempts !== deliveries) {
    throw new Error(`of ${deliveries} deliveries: ${JSON.stringify(now)}`);
  }
}

await benchmark(async (bench) => {
  const others = busy();
  bench.say('starting the receivers, the peer and Turnout');
  const box = await open(bench);
  const rows: string[][] = [];
  let deliveries = 0;
  // One round for both that does not count, because the code is not compiled yet.
  const first = await record(box, 1, total);
  await ours(box, 1, total);
  deliveries += total;
  await check(box, deliveries);
  await bare(box, 1, total, first);
  for (const endpoints of sizes) {
    const each = Math.ceil(total / endpoints);
    const mine: Rate[] = [];
    const peer: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const body = await record(box, endpoints, each);
      bench.say(`${endpoints * each} deliveries are recorded`);
      mine.push(await ours(box, endpoints, each));
      deliveries += endpoints * each;
      await check(box, deliveries);
      peer.push(await bare(box, endpoints, each, body));
      bench.say(
        `${endpoints} endpoint(s), round ${round + 1}: ${whole(mine.at(-1)!.perSecond)}/s, the bare loop ${whole(peer.at(-1)!)}/s`,
      );
    }
    const ratio = median(mine.map((one, i) => one.perSecond / peer[i]!));
    const cpu = (of: 'node' | 'postgres') => {
      const known = mine.flatMap((one) => (one[of] === null ? [] : [one[of]]));
      return known.length === 0 ? '?' : `${whole(median(known))} µs`;
    };
    rows.push([
      String(endpoints),
      whole(median(mine.map((one) => one.perSecond))),
      whole(median(peer)),
      ratio.toFixed(2),
      `${LIMIT}`,
      ratio >= LIMIT ? 'yes' : 'NO',
      cpu('node'),
      cpu('postgres'),
      `${whole(median(mine.map((one) => one.first)))} ms`,
    ]);
  }

  const each = Math.ceil(total / 10);
  const ratios: number[] = [];
  for (let round = 0; round < Math.min(rounds, 3) && options.only !== 'speed'; round += 1) {
    await record(box, 9, each);
    const alone = (await ours(box, 9, each)).perSecond;
    deliveries += 9 * each;
    await check(box, deliveries);
    await record(box, 10, each);
    const beside = (await ours(box, 10, each, 1)).perSecond;
    // The endpoint that hangs takes no part in the next round. In the one after that it is like any other again.
    await box.turnout.system(async (tx) => {
      await tx.run(
        sql`update webhook_endpoints set status = 'paused_plan', failures_in_a_row = 0 where id = ${box.endpoints[9]}`,
      );
      await tx.run(sql`delete from webhook_queue where endpoint_id = ${box.endpoints[9]}`);
    });
    await sleep(HANGS_FOR);
    deliveries += 9 * each;
    await check(box, deliveries);
    ratios.push(beside / alone);
    bench.say(`one of ten endpoints hangs, round ${round + 1}: ${whole(beside)}/s, and ${whole(alone)}/s without it`);
  }

  console.log(
    `\nWebhook deliveries, ${total} in each round, up to ${CAPS.endpoint} at once for each endpoint. ${machine()}`,
  );
  if (others !== null) console.log(others);
  console.log(
    `\n${table(['endpoints', 'ours/s', 'undici/s', 'ratio', 'limit', 'met', 'CPU node', 'CPU postgres', 'first after'], rows)}`,
  );
  if (ratios.length === 0) return;
  const kept = median(ratios);
  console.log(
    `\nOne of ten endpoints hangs: the others keep ${kept.toFixed(2)} of their rate (limit ${HANGING_LIMIT}: ${kept >= HANGING_LIMIT ? 'met' : 'NOT met'}).`,
  );
});
