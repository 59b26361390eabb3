import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { otherParts } from '../test/support/abuse/others.ts';
import { processorTime } from '../test/support/abuse/processor.ts';
import type { Shape } from '../test/support/abuse/shapes.ts';
import { type Case, casesOn } from './abuse-cases.ts';
import { groundOf } from './abuse-ground.ts';
import { startOthers } from './abuse-others.ts';
import { type Bench, ms, table } from './support.ts';
import { type BenchTurnout, call } from './turnout.ts';

/** How much more a kilobyte may cost in a body of the largest size than in one of 100 KB; if the cost is linear, it is about 1. */
const RATIO_LIMIT = 3;
/** How long another caller may wait at most. */
export const WAIT_LIMIT_MS = 250;
/** Microseconds a kilobyte. A megabyte takes 10 ms then; differences below that are noise. */
const FLOOR_US = 10;
const KB = 1024;

export interface BodyOptions {
  only: string[] | undefined;
  kinds: string[] | undefined;
  kilobytes: number;
  file: number;
  patience: number;
}

interface Measured {
  status: number;
  /** CPU time and duration of one request, in milliseconds. */
  cpu: number;
  wall: number;
  /** The longest that the other caller waited meanwhile, in milliseconds. */
  wait: number;
  bytes: number;
}

/** The worst bodies of the most exposed operations, each at several sizes. */
export async function benchBodies(bench: Bench, turnout: BenchTurnout, options: BodyOptions): Promise<void> {
  const { only, kinds } = options;
  const { key } = await turnout.org('abuser');
  const cases = (await casesOn(turnout, key)).filter(({ name }) => only === undefined || only.includes(name));
  const pool = new Pool(turnout.url, { connections: 8, headersTimeout: 600_000 });
  bench.later(() => pool.destroy());
  const parts = await otherParts(await groundOf(bench, turnout, 'bystander'));
  const others = await startOthers(bench, turnout.url, parts, ['me']);
  const longest = async (): Promise<number> => {
    const [me] = await others.waits();
    if (me!.troubles.length > 0)
      throw new Error(`The other caller was not answered as usual: ${me!.troubles.slice(0, 3).join('; ')}`);
    return me!.waited;
  };

  const send = async ({ method, path, contentType }: Case, body: string): Promise<number> => {
    const answer = await pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': contentType,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode === 202) await settle((JSON.parse(text) as { id: string }).id);
    return answer.statusCode;
  };
  /** Waits for a background job to end; cancels it when it takes too long. */
  const settle = async (job: string): Promise<void> => {
    for (const until = Date.now() + options.patience * 1000; Date.now() < until; await sleep(100)) {
      const { status } = await call<{ status: string }>(turnout.url, key, 'GET', `/v1/jobs/${job}`);
      if (status !== 'queued' && status !== 'running') return;
    }
    await call(turnout.url, key, 'POST', `/v1/jobs/${job}/cancel`).catch(() => {});
  };

  const measure = async (one: Case, shape: Shape, size: number, most = 200): Promise<Measured> => {
    const body = shape.fill(size);
    const bytes = Buffer.byteLength(body);
    // A body that is accepted starts work in the background, and a large file takes long: these are sent once.
    const taken = shape.kind === 'largest' || bytes > 4 * KB * KB;
    const fitting = Math.floor((options.kilobytes * KB) / bytes);
    const times = taken ? 1 : Math.max(2, Math.min(most, fitting));
    others.forget();
    const cpu = processorTime(turnout.pid);
    const start = performance.now();
    let status = 0;
    for (let i = 0; i < times; i += 1) status = await send(one, body);
    const wall = (performance.now() - start) / times;
    return { status, wall, cpu: (processorTime(turnout.pid) - cpu) / times, wait: await longest(), bytes };
  };

  others.forget();
  await sleep(3000);
  const quiet = await longest();

  const rows: string[][] = [];
  let worstRatio = 0;
  let worstWait = 0;
  for (const one of cases) {
    const limit = Math.min(one.limit, options.file * KB * KB);
    for (const kind of new Set(one.shapes.map((shape) => shape.kind))) {
      if (kinds !== undefined && !kinds.includes(kind)) continue;
      bench.say(`${one.name}: ${kind} …`);
      // The worst shape of a kind is the one that costs most at 100 KB.
      let worst: { shape: Shape; middle: Measured } | null = null;
      for (const shape of one.shapes.filter((candidate) => candidate.kind === kind)) {
        const middle = await measure(one, shape, 100 * KB, 2);
        if (worst === null || middle.cpu > worst.middle.cpu) worst = { shape, middle };
      }
      const { shape } = worst!;
      const small = await measure(one, shape, KB);
      const middle = await measure(one, shape, 100 * KB);
      const large = await measure(one, shape, limit);
      // The small request shows what a request costs whatever its size; that part is left out of the comparison.
      const perKb = ({ cpu, bytes }: Measured) => (Math.max(0, cpu - small.cpu) * 1000) / (bytes / KB);
      const ratio = perKb(large) / Math.max(FLOOR_US, perKb(middle));
      const wait = Math.max(small.wait, middle.wait, large.wait);
      worstRatio = Math.max(worstRatio, ratio);
      worstWait = Math.max(worstWait, wait);
      const ok = ratio <= RATIO_LIMIT && wait <= WAIT_LIMIT_MS;
      rows.push([
        `${one.name}: ${shape.name}`.slice(0, 70),
        String(large.status),
        `${Math.round(large.bytes / KB)}`,
        ms(small.cpu),
        ms(middle.cpu),
        ms(large.cpu),
        ms(large.wall),
        perKb(middle).toFixed(1),
        perKb(large).toFixed(1),
        ratio.toFixed(2),
        ms(wait),
        ok ? 'ok' : 'OVER',
      ]);
    }
  }
  console.log('\nOne request at a time, while another caller sends GET /v1/me every 5 ms\n');
  console.log(
    table(
      [
        'worst body of each kind',
        'status',
        'KB',
        '1 KB',
        '100 KB',
        'limit',
        'wall',
        'µs/KB 100',
        'µs/KB limit',
        'ratio',
        'wait',
        '',
      ],
      rows,
    ),
  );
  console.log(
    `\n1 KB, 100 KB, limit: CPU time of the server for one request with a body of that size (limit: the largest).\n` +
      `ratio: CPU time a kilobyte of the largest body, divided by that of a body of 100 KB, both without what a body of 1 KB\n` +
      `costs (at most ${RATIO_LIMIT}; the worst is ${worstRatio.toFixed(2)}).\n` +
      `wait: the longest that the other caller waited (at most ${WAIT_LIMIT_MS} ms; the worst is ${ms(worstWait)}, and ` +
      `${ms(quiet)} while nothing else was sent).`,
  );
}
