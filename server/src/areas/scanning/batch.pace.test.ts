import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';

/** A device uploads one batch at a time, and the next one at least a second later. */
const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
let second: TestTurnout;
let manager: string;
beforeAll(async () => {
  fair = await openFair(clock);
  second = await startTest({ database: fair.t.database, clock });
  manager = await fair.t.session('acme', 'manager');
});
afterAll(async () => {
  await second.stop();
  await fair.t.stop();
});
beforeEach(() => clock.advance(2 * MINUTE));

const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const path = '/api/v1/events/fair/scan/batch';
async function device(): Promise<{ token: string; id: string }> {
  const made = await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', {});
  const { status, body } = await fair.t.call('POST', '/api/v1/devices/pair', { body: { code: made.body.code } });
  expect(status).toBe(201);
  return { token: body.token, id: body.device.id };
}
const scans = (count = 3) =>
  Array.from({ length: count }, (_, i) => ({ code: `X${i}`, check_in_point: 'gate', client_uuid: randomUUID() }));
/** A batch together with its Idempotency-Key, so that it can be sent again unchanged. */
function batch(as: string, body: unknown = { scans: scans() }) {
  const idempotencyKey = randomUUID();
  return (on: TestTurnout = fair.t) => on.call('POST', path, { key: as, body, idempotencyKey });
}
const recorded = (since: number) =>
  fair.t
    .system((tx) => tx.one<{ n: number }>(sql`select count(*)::int - ${since}::int as n from scans`))
    .then((r) => r.n);

/** Holds the event's clock meanwhile, so that every scan and batch that is sent waits for its answer. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: fair.t.database.adminUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(
      `select 1 from event_clocks where event_id = (select id from events where code = 'fair') for update`,
    );
    return await work();
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
}
/** Waits until the device has a batch in flight. */
const isFlying = (id: string) =>
  expect
    .poll(
      async () =>
        (
          await fair.t.system((tx) =>
            tx.one<{ flies: boolean }>(
              sql`select batch_flight is not null as flies from devices where id = ${toUuid(id)}`,
            ),
          )
        ).flies,
      { timeout: 10_000 },
    )
    .toBe(true);

describe('409 batch_in_progress', () => {
  test('a device has one batch in flight, whatever the process; other devices have theirs, and single scans go on', async () => {
    const [one, other] = [await device(), await device()];
    const before = await recorded(0);
    const held = await whileHeld(async () => {
      const first = batch(one.token)();
      await isFlying(one.id);
      const refused = await Promise.all([fair.t, second, fair.t, second].map((on) => batch(one.token)(on)));
      const theirs = batch(other.token)();
      await isFlying(other.id);
      return { first, refused, theirs };
    });
    for (const reply of held.refused) {
      expect([...code(reply), reply.headers.get('retry-after')]).toEqual([409, 'batch_in_progress', '1']);
    }
    expect((await held.first).status).toBe(200);
    expect((await held.theirs).status).toBe(200);
    expect(await recorded(before)).toBe(6);
    expect((await fair.scan('X', {}, one.token)).status).toBe(200);
  });

  test('of six batches at once one is accepted; the control: from a key, which is limited by requests per minute, all six are', async () => {
    const { token } = await device();
    const six = (as: string) =>
      Promise.all(Array.from({ length: 6 }, (_, i) => batch(as, { scans: scans(50) })(i % 2 ? second : fair.t)));
    const before = await recorded(0);
    const replies = await six(token);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    for (const reply of replies) expect([200, 409, 429]).toContain(reply.status);
    expect(await recorded(before)).toBe(50);
    expect((await six(fair.key)).map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await recorded(before)).toBe(350);
  });

  test('after a crash the device is refused for half a minute, but its retry is accepted', async () => {
    const { token, id } = await device();
    // The row that a process leaves behind when it is killed during a batch.
    const crashed = batch(token);
    expect((await crashed()).status).toBe(200);
    await fair.t.system((tx) =>
      tx.run(sql`
        update devices set batch_flight = ${randomUUID()}, batch_free_at = ${new Date(clock.now().getTime() + 30_000)}
        where id = ${toUuid(id)}`),
    );
    expect(code(await batch(token)())).toEqual([409, 'batch_in_progress']);
    expect((await crashed()).status).toBe(200);
    clock.advance(30_000);
    expect((await batch(token)(second)).status).toBe(200);
  });
});

describe('429 rate_limited', () => {
  test('the next batch is refused within a second of the answer, whatever the process', async () => {
    const { token } = await device();
    const other = await device();
    expect((await batch(token)()).status).toBe(200);
    for (const on of [fair.t, second]) {
      const early = await batch(token)(on);
      expect([...code(early), early.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    }
    clock.advance(999);
    expect((await batch(token)(second)).status).toBe(429);
    expect((await batch(other.token)()).status).toBe(200);
    clock.advance(1);
    expect((await batch(token)(second)).status).toBe(200);
    expect((await batch(token)()).status).toBe(429);
    // A key is limited by its requests per minute only.
    for (let i = 0; i < 3; i += 1) expect((await batch(fair.key)()).status).toBe(200);
  });

  test('a refused batch ends the flight, but the second still has to pass', async () => {
    const { token } = await device();
    for (const [body, status] of [
      [{ scans: 'none' }, 400],
      ['no json', 400],
      [`{"scans":["${'x'.repeat(2_200_000)}"]}`, 413],
    ] as const) {
      expect((await batch(token, body)()).status).toBe(status);
      expect(code(await batch(token)())).toEqual([429, 'rate_limited']);
      clock.advance(1000);
    }
    expect((await batch(token)()).status).toBe(200);
  });
});

describe('a retry with its Idempotency-Key', () => {
  test('waits for the batch in flight and gets its answer, on either process', async () => {
    const { token, id } = await device();
    const before = await recorded(0);
    const send = batch(token);
    const all: Promise<Reply>[] = [];
    await whileHeld(async () => {
      all.push(send());
      await isFlying(id);
      all.push(send(), send(second));
      await sleep(200);
    });
    const replies = await Promise.all(all);
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(await recorded(before)).toBe(3);
  });

  test('after a lost answer is told to wait once, then gets the answer', async () => {
    const { token } = await device();
    const send = batch(token);
    const first = await send();
    expect((await send()).status).toBe(429);
    clock.advance(1000);
    const again = await send(second);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
  });

  test('waits only if few others do: the rest are told that the batch is in progress', async () => {
    const { token, id } = await device();
    const send = batch(token);
    let refused = 0;
    const all = await whileHeld(async () => {
      const first = send();
      await isFlying(id);
      const twins = Array.from({ length: 12 }, async () => {
        const reply = await send();
        if (reply.status === 409) refused += 1;
        return reply;
      });
      await expect.poll(() => refused, { timeout: 10_000 }).toBe(9);
      return [first, ...twins];
    });
    const statuses = (await Promise.all(all)).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(refused).toBe(9);
  });
});

describe('a connection that breaks', () => {
  const raw = (token: string, body: string, length: number) =>
    new Promise<ReturnType<typeof connect>>((resolve) => {
      const { hostname, port } = new URL(fair.t.url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
            `Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${length}\r\n\r\n${body}`,
          () => resolve(socket),
        );
      });
      socket.on('error', () => {});
    });
  const free = (token: string) =>
    expect
      .poll(
        async () => {
          clock.advance(1000);
          return (await batch(token)()).status;
        },
        { timeout: 10_000 },
      )
      .toBe(200);
  // After half a minute the device would be free anyway, so these tests must be faster than that.
  const atOnce = async (work: () => Promise<void>) => {
    const before = clock.now().getTime();
    await work();
    expect(clock.now().getTime() - before).toBeLessThan(25_000);
  };

  test('in the middle of the body frees the device', async () => {
    const { token, id } = await device();
    const socket = await raw(token, '{"scans":[', 5000);
    await isFlying(id);
    expect(code(await batch(token)())).toEqual([409, 'batch_in_progress']);
    socket.destroy();
    await atOnce(() => free(token));
  });

  test('during the work frees the device when the work is done, not before', async () => {
    const { token, id } = await device();
    const body = JSON.stringify({ scans: scans() });
    const before = await recorded(0);
    await whileHeld(async () => {
      const socket = await raw(token, body, body.length);
      await isFlying(id);
      socket.destroy();
      await sleep(300); // proves that the lost connection does not free the device
      expect(code(await batch(token)())).toEqual([409, 'batch_in_progress']);
    });
    await atOnce(() => free(token));
    expect(await recorded(before)).toBe(6);
  });
});
