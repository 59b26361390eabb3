import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteOperations, traces } from '../../../../test/support/operations.ts';
import { call, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilRunning } from '../../../../test/support/waiting.ts';
import { DAY } from '../../clock.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let second: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ operations: noteOperations });
  // This is like a second process: it has a pool and running calls of its own, and the same database.
  second = await startTest({ operations: noteOperations, database: t.database, clock: t.clock });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(async () => {
  await second.stop();
  await t.stop();
});

const note = (text: string, idempotencyKey: string | null, more: object = {}) =>
  t.call('POST', '/v1/notes', { key, idempotencyKey, body: { text, ...more } });

describe('the same key and body', () => {
  // claim: idempotency
  test('gets the first answer back, byte for byte, and does the work once', async () => {
    const first = await note('once', 'k-once');
    const again = await note('once', 'k-once');
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await traces(t, 'once')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test('200 at once are one piece of work and 200 equal answers', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => note('crowd', 'k-crowd', { wait_ms: 50 })));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(await traces(t, 'crowd')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test('on two processes at once are one piece of work', async () => {
    const on = (url: string) =>
      call(url, 'POST', '/v1/notes', { key, idempotencyKey: 'k-two', body: { text: 'two', wait_ms: 200 } });
    const replies = await Promise.all([...Array(5)].flatMap(() => [on(t.url), on(second.url)]));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(await traces(t, 'two')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test('is 409 with Retry-After while the first still runs elsewhere', async () => {
    const slow = call(second.url, 'POST', '/v1/notes', {
      key,
      idempotencyKey: 'k-slow',
      body: { text: 'slow', wait_ms: 7000 },
    });
    await untilRunning(t.database, 'pg_sleep');
    const twin = await note('slow', 'k-slow', { wait_ms: 7000 });
    expect(twin.status).toBe(409);
    expect(twin.body.error.code).toBe('idempotency_in_progress');
    expect(twin.headers.get('retry-after')).toBe('1');
    const first = await slow;
    const after = await note('slow', 'k-slow', { wait_ms: 7000 });
    expect(after.text).toBe(first.text);
    expect(await traces(t, 'slow')).toMatchObject({ notes: 1 });
  });

  // claim: idempotency
  test('is new work after 24 hours, also before the old record was swept', async () => {
    const first = await note('day', 'k-day');
    t.clock.advance(DAY - 1000);
    expect((await note('day', 'k-day')).text).toBe(first.text);
    t.clock.advance(2000);
    const later = await note('day', 'k-day');
    expect(later.status).toBe(201);
    expect(later.text).not.toBe(first.text);
    expect((await note('day', 'k-day')).text).toBe(later.text);
    expect(await traces(t, 'day')).toEqual({ notes: 2, audit: 2, outbox: 2 });
  });

  test('belongs to the API key: the same Idempotency-Key with another API key is new work', async () => {
    const other = (await t.key('acme')).secret;
    await note('mine', 'k-shared');
    await t.call('POST', '/v1/notes', { key: other, idempotencyKey: 'k-shared', body: { text: 'mine' } });
    expect(await traces(t, 'mine')).toMatchObject({ notes: 2 });
  });
});

describe('422 idempotency_key_reused', () => {
  test('for another body, another path, another query', async () => {
    await note('reuse', 'k-reuse');
    const body = await note('reuse!', 'k-reuse');
    expect([body.status, body.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    const path = await t.call('POST', '/v1/shared-notes', { key, idempotencyKey: 'k-reuse', body: { text: 'reuse' } });
    expect(path.body.error.code).toBe('idempotency_key_reused');
    expect(await traces(t, 'reuse')).toMatchObject({ notes: 1 });
  });

  test('also while the first one runs', async () => {
    const first = note('busy', 'k-busy', { wait_ms: 1000 });
    await untilRunning(t.database, 'pg_sleep');
    expect((await note('other', 'k-busy')).body.error.code).toBe('idempotency_key_reused');
    expect((await first).status).toBe(201);
  });
});

describe('400 idempotency_key_required', () => {
  // claim: idempotency-key-required
  test('for a POST without the header, and nothing is done', async () => {
    const reply = await note('none', null);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'idempotency_key_required']);
    expect(await traces(t, 'none')).toMatchObject({ notes: 0 });
  });
  test('a key that is not printable ASCII is refused', async () => {
    expect((await note('odd', 'x'.repeat(256))).body.error.code).toBe('validation_failed');
  });
});

describe('which answers are stored', () => {
  test('a refusal of the work is repeated, and its writes are undone', async () => {
    const first = await note('refused', 'k-refused', { fail: 'refuse' });
    expect(first.status).toBe(409);
    const again = await note('refused', 'k-refused', { fail: 'refuse' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await traces(t, 'refused')).toEqual({ notes: 0, audit: 0, outbox: 0 });
  });

  test('a failure and a 400 are not stored: the retry is new work', async () => {
    for (const [fail, status] of [
      ['fault', 500],
      ['validate', 400],
    ] as const) {
      const first = await note(`claims-${fail}`, `k-${fail}`, { fail });
      expect(first.status).toBe(status);
      const again = await note(`claims-${fail}`, `k-${fail}`, { fail });
      expect(again.headers.get('idempotent-replayed')).toBeNull();
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(await traces(t, `claims-${fail}`)).toEqual({ notes: 0, audit: 0, outbox: 0 });
    }
  });

  test('a refusal before the work is not stored', async () => {
    const bad = await t.call('POST', '/v1/notes', { key, idempotencyKey: 'k-before', body: { wrong: 1 } });
    expect(bad.status).toBe(400);
    expect((await note('before', 'k-before')).status).toBe(201);
  });
});

test('old records are swept in batches', async () => {
  const { crons } = await import('../../areas/index.ts');
  const { pino } = await import('pino');
  await note('sweep', 'k-sweep');
  t.clock.advance(2 * DAY);
  const sweep = crons.find((cron) => cron.name === 'sweep-idempotency')!;
  await sweep.run({ pool: t.pool, clock: t.clock, log: pino({ level: 'silent' }), outside: t.outside });
  const left = await t.system((tx) => tx.one<{ n: number }>(sql`select count(*)::int as n from idempotency`));
  expect(left.n).toBe(0);
});
