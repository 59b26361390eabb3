import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/support/redis.ts';
import { hasTool } from '../../../../test/support/tools.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HeldClock } from '../../areas/scanning/fair.support.ts';
import { type Id, newId } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { BATCH_LEASE, type BatchStore, MemoryBatches, PostgresBatches, RedisBatches } from './batches.ts';
import { Spare, SpareBatches } from './spare.ts';

/** The three stores behave alike. There are two of each, as two processes would have them. */
const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
interface Shared {
  name: string;
  stores(): Promise<[BatchStore, BatchStore]>;
  device(): Promise<{ org: Id; device: Id }>;
  /** Lets time pass for a device. */
  pass(ms: number, device: Id): Promise<void>;
}

let t: TestTurnout;
let org: Id;
const postgres: Shared = {
  name: 'PostgreSQL',
  stores: async () => {
    t = await startTest({ clock });
    org = await t.org('acme');
    return [new PostgresBatches(t.pool, clock), new PostgresBatches(t.pool, clock)];
  },
  device: async () => {
    const device = newId(clock.now());
    await t.system(async (tx) => {
      await tx.run(sql`
        insert into events (org_id, id, code, name, test, timezone, currency, ticketing, language, registration, created_at, updated_at)
        values (${org}, ${device}, ${`e${device}`}, 'E', false, 'UTC', 'EUR', 'per_person', 'en', '{}', now(), now())`);
      await tx.run(sql`
        insert into devices (org_id, id, event_id, name, token_hash, created_at, updated_at)
        values (${org}, ${device}, ${device}, 'D', ${Buffer.from(device)}, now(), now())`);
    });
    return { org, device };
  },
  pass: async (ms) => clock.advance(ms),
};
const plain = async () => ({ org: newId(clock.now()), device: newId(clock.now()) });
const memory: Shared = {
  name: 'memory',
  stores: async () => {
    const one = new MemoryBatches(clock);
    return [one, one];
  },
  device: plain,
  pass: async (ms) => clock.advance(ms),
};
let started: TestRedis | undefined;
const startedRedis = async (): Promise<TestRedis> => {
  started ??= await startRedis();
  return started;
};
const redis: Shared = {
  name: 'Redis',
  stores: async () => {
    const { client } = await startedRedis();
    return [new RedisBatches(client), new RedisBatches(client)];
  },
  device: plain,
  // Redis measures the time by its own clock, so the test lets the key expire itself.
  pass: async (ms, device) => {
    const { client } = await startedRedis();
    const name = `turnout:batch:${device}`;
    const left = await client.pttl(name);
    if (left > 0 && left <= ms) await client.del(name);
  },
};
afterAll(async () => {
  await t?.stop();
  started?.stop();
});

const kinds = hasTool('redis-server') ? [memory, postgres, redis] : [memory, postgres];
describe.each(kinds)('batches by $name', ({ stores, device, pass }) => {
  let one: BatchStore;
  let other: BatchStore;
  beforeAll(async () => {
    [one, other] = await stores();
  });

  test('after a batch comes a second of rest, then the next batch may begin', async () => {
    const of = await device();
    const [first, next] = [randomUUID(), randomUUID()];
    expect((await one.begin(of, first, 'a')).flight).toBe(first);
    expect(await other.begin(of, next, 'b')).toMatchObject({ flight: first, claim: 'a' });
    await one.end(of, first, 'a');
    const resting = await other.begin(of, next, 'b');
    expect([resting.flight, resting.wait > 0 && resting.wait <= 1000]).toEqual([null, true]);
    await pass(1000, of.device);
    expect((await other.begin(of, next, 'b')).flight).toBe(next);
  });

  test('if many batches arrive at once, one begins', async () => {
    const of = await device();
    const flights = Array.from({ length: 12 }, () => randomUUID());
    const begun = await Promise.all(flights.map((flight, i) => (i % 2 ? one : other).begin(of, flight, flight)));
    expect(begun.filter(({ flight }, i) => flight === flights[i])).toHaveLength(1);
    expect(new Set(begun.map(({ flight }) => flight)).size).toBe(1);
  });

  test('a batch that nobody ended is over with its lease; if it ends after that, it does not end the next one', async () => {
    const of = await device();
    const [lost, next] = [randomUUID(), randomUUID()];
    await one.begin(of, lost, 'a');
    await pass(BATCH_LEASE, of.device);
    expect((await other.begin(of, next, 'b')).flight).toBe(next);
    await one.end(of, lost, 'a');
    expect(await one.begin(of, randomUUID(), 'c')).toMatchObject({ flight: next, claim: 'b' });
  });
});

test.skipIf(!hasTool('redis-server'))(
  'what began in Redis after it was given up does not keep the device waiting for its lease',
  async () => {
    const { client, freeze, wake } = await startedRedis();
    // PostgreSQL's part has a test of its own above; here it only has to take over.
    const both = new SpareBatches(
      new Spare(pino({ level: 'silent' })),
      new RedisBatches(client),
      new MemoryBatches(clock),
    );
    const of = await plain();
    const flight = randomUUID();
    freeze();
    try {
      expect((await both.begin(of, flight, 'a')).flight).toBe(flight);
    } finally {
      wake();
    }
    const name = `turnout:batch:${of.device}`;
    await expect.poll(() => client.pttl(name)).toBeLessThanOrEqual(1000);
    expect(await client.get(name)).not.toContain(flight);
    await both.end(of, flight, 'a');
  },
);
