import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { batchCount, noteOperations, traces } from '../../../../test/support/operations.ts';
import { RawClient } from '../../../../test/support/raw.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilRunning, untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { DAY } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { Lanes } from './lane.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ operations: noteOperations });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const share = (text: string, more: object = {}, idempotencyKey?: string) =>
  t.call('POST', '/v1/shared-notes', { key, body: { text, ...more }, ...(idempotencyKey && { idempotencyKey }) });

describe('calls that share a transaction', () => {
  test('100 at once need far fewer transactions, and each has its own rows', async () => {
    const before = batchCount();
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => share(`many-${i}`)));
    expect(replies.every((reply) => reply.status === 201)).toBe(true);
    expect(batchCount() - before).toBeLessThan(50);
    for (const i of [0, 42, 99]) expect(await traces(t, `many-${i}`)).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test('a refused call leaves its neighbours alone', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => share(`some-${i}`, i % 3 === 0 ? { fail: 'refuse' } : {})),
    );
    expect(replies.map((reply) => reply.status)).toEqual(
      Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 409 : 201)),
    );
    expect(await traces(t, 'some-0')).toEqual({ notes: 0, audit: 0, outbox: 0 });
    expect(await traces(t, 'some-1')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test.each(['fault', 'sql'])(
    'a call that fails (%s) is 500 by itself; the batch is run again item by item',
    async (fail) => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => share(`${fail}-${i}`, i === 7 ? { fail } : {})),
      );
      expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, (_, i) => (i === 7 ? 500 : 201)));
      for (const i of [0, 6, 8, 19]) expect(await traces(t, `${fail}-${i}`)).toEqual({ notes: 1, audit: 1, outbox: 1 });
      expect(await traces(t, `${fail}-7`)).toEqual({ notes: 0, audit: 0, outbox: 0 });
    },
  );

  test('a key of more than 24 hours ago that was not swept yet is new work, beside others', async () => {
    const first = await share('old', {}, 'lane-old');
    t.clock.advance(DAY + 1000);
    const replies = await Promise.all([share('old', {}, 'lane-old'), share('young-1'), share('young-2')]);
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201]);
    expect(replies[0]!.text).not.toBe(first.text);
    expect((await share('old', {}, 'lane-old')).text).toBe(replies[0]!.text);
    expect(await traces(t, 'old')).toMatchObject({ notes: 2 });
  });

  test('a repeated key is answered from the store, its neighbours do their work', async () => {
    const first = await share('again', {}, 'lane-again');
    const replies = await Promise.all([share('again', {}, 'lane-again'), share('fresh-1'), share('fresh-2')]);
    expect(replies[0]!.text).toBe(first.text);
    expect(replies[0]!.headers.get('idempotent-replayed')).toBe('true');
    expect(await traces(t, 'again')).toMatchObject({ notes: 1 });
    expect(await traces(t, 'fresh-2')).toMatchObject({ notes: 1 });
  });
});

test('a twin that runs in another process stalls nobody', async () => {
  const second = await startTest({ operations: noteOperations, database: t.database, clock: t.clock });
  // The other process holds the claim: its own work with the same key is still running.
  const claim = 'lane-twin';
  const slow = second.call('POST', '/v1/notes', { key, idempotencyKey: claim, body: { text: 'twin', wait_ms: 2000 } });
  await untilRunning(t.database, 'pg_sleep');
  let twinDone = false;
  const twin = share('twin', {}, claim).then((reply) => {
    twinDone = true;
    return reply;
  });
  const others = await Promise.all([share('beside-1'), share('beside-2')]);
  expect((await share('beside-3')).status).toBe(201);
  expect(others.map((reply) => reply.status)).toEqual([201, 201]);
  expect(twinDone).toBe(false);
  // Another path with the same key: once the first is through, it is told so.
  expect((await twin).body.error.code).toBe('idempotency_key_reused');
  expect((await slow).status).toBe(201);
  await second.stop();
});

describe('a stop', () => {
  /** Locks the table of the notes until the returned function is called. */
  async function lockNotes(): Promise<() => Promise<void>> {
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = t.system(async (tx) => {
      await tx.run(sql`lock table mails in exclusive mode`);
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    return () => {
      over.resolve();
      return holding;
    };
  }

  const requestOf = (text: string) => {
    const body = JSON.stringify({ text });
    return `POST /v1/shared-notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test('lets a call finish that had begun when its caller hung up, before the database goes, and begins no other one', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    const second = await startTest({ operations: noteOperations, database: t.database, clock: t.clock, log });
    const unlock = await lockNotes();
    const clients = [new RawClient(second.url).send(requestOf('left-1'))];
    await untilWaitingForLock(t.database);
    clients.push(new RawClient(second.url).send(requestOf('left-2')));
    await vi.waitFor(() => expect(second.road.waiting).toBe(1), { timeout: 30_000 });
    for (const client of clients) client.destroy();

    const waits = new Promise((resolve) => {
      const { road } = second;
      const settled = road.settled.bind(road);
      vi.spyOn(road, 'settled').mockImplementation((ms) => {
        resolve('waits for the calls');
        return settled(ms);
      });
    });
    const ends = new Promise((resolve) => {
      const end = second.pool.end.bind(second.pool);
      vi.spyOn(second.pool, 'end').mockImplementation((async () => {
        resolve('ends the pool');
        await end();
      }) as typeof second.pool.end);
    });
    const stopping = second.stop();
    const first = await Promise.race([waits, ends]);
    await unlock();
    await stopping;
    expect(first).toBe('waits for the calls');
    expect(await traces(t, 'left-1')).toEqual({ notes: 1, audit: 1, outbox: 1 });
    expect(await traces(t, 'left-2')).toEqual({ notes: 0, audit: 0, outbox: 0 });
    expect(lines).toEqual([]);
  });

  test('waits for a limited time only', async () => {
    const unlock = await lockNotes();
    const stuck = share('stuck');
    await untilWaitingForLock(t.database);
    expect(await t.road.settled(1)).toBe(1);
    await unlock();
    expect((await stuck).status).toBe(201);
    expect(await t.road.settled(30_000)).toBe(0);
  });
});

describe('the queue', () => {
  test('runs one batch of a lane at a time, and lanes beside each other', async () => {
    const log: string[] = [];
    let running = 0;
    const lanes = new Lanes<string>(async (_kind, items) => {
      running += 1;
      log.push(`${items.join('')}:${running}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    });
    const kind = {};
    await Promise.all([
      lanes.take('a', kind, '1'),
      lanes.take('a', kind, '2'),
      lanes.take('a', 'other', '3'),
      lanes.take('a', kind, '4'),
    ]);
    // The third is of another kind: it does not part its neighbours.
    expect(log).toEqual(['124:1', '3:1']);
    await Promise.all([lanes.take('a', kind, '5'), lanes.take('b', kind, '6')]);
    expect(log.slice(2).sort()).toEqual(['5:1', '6:2']);
  });

  test('makes batches of even size of those who wait', async () => {
    const sizes: number[] = [];
    const lanes = new Lanes<number>(async (_kind, items) => {
      sizes.push(items.length);
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => lanes.take('a', 'x', i)));
    await Promise.all(Array.from({ length: 10 }, (_, i) => lanes.take('a', 'x', i)));
    expect(sizes).toEqual([50, 50, 10]);
  });

  test('of two kinds that come by turns needs a batch for each kind, not for each call', async () => {
    const batches: [unknown, number[]][] = [];
    const lanes = new Lanes<number>(async (kind, items) => {
      batches.push([kind, items]);
    });
    const numbers = Array.from({ length: 160 }, (_, i) => i);
    await Promise.all(numbers.map((i) => lanes.take('a', i % 2 === 0 ? 'scan' : 'register', i)));
    expect(batches.map(([kind]) => kind).slice(0, 2)).toEqual(['scan', 'register']);
    expect(batches.length).toBeLessThanOrEqual(4);
    for (const [, items] of batches) expect(items).toEqual(items.toSorted((a, b) => a - b));
    expect(batches.flatMap(([, items]) => items).toSorted((a, b) => a - b)).toEqual(numbers);
  });

  test('lets no kind wait for more than one batch of each other kind, however many of that come', async () => {
    const batches: string[][] = [];
    const lanes = new Lanes<string>(async (_kind, items) => {
      batches.push(items);
      // Others of the frequent kind come while this batch runs.
      if (batches.length < 10) for (let i = 0; i < 300; i += 1) void lanes.take('a', 'frequent', 'f');
    });
    const first = lanes.take('a', 'frequent', 'f');
    const rare = [lanes.take('a', 'rare', 'rare'), lanes.take('a', 'alone', 'alone')];
    await Promise.all([first, ...rare]);
    expect(batches.slice(0, 3)).toEqual([['f'], ['rare'], ['alone']]);
    await vi.waitFor(() => expect(lanes.depth).toBe(0));
    const late = Promise.all(Array.from({ length: 1000 }, () => lanes.take('a', 'frequent', 'f')));
    const before = batches.length;
    await lanes.take('a', 'rare', 'late');
    expect(batches.slice(before).findIndex(([one]) => one === 'late')).toBeLessThanOrEqual(1);
    await late;
  });

  describe('is bounded by the time that one would wait', () => {
    /** Lanes whose batches end when they are told to, by a clock that is set by hand. */
    function byHand(longestWait: number) {
      let now = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now);
      const held: (() => void)[] = [];
      const lanes = new Lanes<number>(() => new Promise((resolve) => held.push(resolve)), { longestWait });
      const begun = (count: number) => vi.waitFor(() => expect(held).toHaveLength(count));
      return {
        lanes,
        begun,
        pass: (ms: number) => {
          now += ms;
        },
        endBatch: async () => {
          await begun(1);
          held.pop()!();
          await new Promise(setImmediate);
        },
      };
    }
    const codeOf = (taken: Promise<void>) =>
      taken.then(
        () => 'done',
        (error) => error.code,
      );
    afterEach(() => void vi.restoreAllMocks());

    test('whoever would wait too long is refused, and nobody any more when it has been worked off', async () => {
      const { lanes, begun, pass, endBatch } = byHand(2000);
      const waits = [lanes.take('a', 'x', 1)];
      await begun(1);
      waits.push(lanes.take('a', 'x', 2));
      pass(2001);
      // Nothing has come of the batch for longer than that.
      const refused = await lanes.take('a', 'x', 3).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'unavailable', options: { headers: { 'Retry-After': '3' } } });
      expect(lanes.depth).toBe(1);
      await endBatch();
      pass(10);
      await endBatch();
      await Promise.all(waits);
      const again = lanes.take('a', 'x', 4);
      await endBatch();
      await again;
    });

    test('a queue of single calls is as long as they take', async () => {
      const { lanes, begun, pass, endBatch } = byHand(2000);
      const first = lanes.take('a', 'first', 0);
      await begun(1);
      const second = lanes.take('a', 'second', 0);
      pass(100);
      await endBatch();
      const waits = Array.from({ length: 25 }, (_, i) => codeOf(lanes.take('a', i, i)));
      while (lanes.depth > 0) await endBatch();
      await endBatch();
      await Promise.all([first, second]);
      const codes = await Promise.all(waits);
      expect(codes.slice(0, 21)).toEqual(Array(21).fill('done'));
      expect(codes.slice(21)).toEqual(Array(4).fill('unavailable'));
    });

    test('one slow call does not turn away those who share the next batch', async () => {
      const { lanes, begun, pass, endBatch } = byHand(2000);
      const slow = lanes.take('a', 'slow', 0);
      await begun(1);
      const waits = Array.from({ length: 5 }, (_, i) => codeOf(lanes.take('a', 'scan', i)));
      pass(900);
      await endBatch();
      await begun(1);
      waits.push(...Array.from({ length: 50 }, (_, i) => codeOf(lanes.take('a', 'scan', i))));
      await endBatch();
      while (lanes.depth > 0) await endBatch();
      await endBatch();
      await slow;
      expect(new Set(await Promise.all(waits))).toEqual(new Set(['done']));
    });
  });

  test('ends a batch before it has more work than one transaction should do; whoever is heavier runs alone', async () => {
    const batches: number[][] = [];
    const lanes = new Lanes<number>(async (_kind, items) => {
      batches.push(items);
    });
    await Promise.all([8_000, 12_000, 1, 30_000, 5_000, 5_000].map((weight) => lanes.take('a', 'x', weight, weight)));
    expect(batches).toEqual([[8_000, 12_000], [1], [30_000], [5_000, 5_000]]);
  });

  test('goes on after a batch that threw', async () => {
    let runs = 0;
    const lanes = new Lanes<number>(async () => {
      runs += 1;
      if (runs === 1) throw new Error('first');
    });
    await lanes.take('a', 'x', 1);
    await lanes.take('a', 'x', 2);
    expect(runs).toBe(2);
  });
});
