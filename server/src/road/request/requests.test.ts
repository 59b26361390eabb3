import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  t.call('POST', '/v1/events', { key, body, headers });

describe('400 validation_failed', () => {
  // claim: error-envelope, error-validation-failed
  test('names every fault at once, unknown fields included', async () => {
    const reply = await post({
      code: 'a b',
      capacity: '7',
      timezone: 'Mars/Base',
      starts_at: 'tomorrow',
      colour: 'red',
      registration: { approval: 1, odd: 2 },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.error.code).toBe('validation_failed');
    expect(reply.body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual(
      [
        'capacity',
        'code',
        'colour',
        'name',
        'registration/approval',
        'registration/odd',
        'starts_at',
        'timezone',
      ].sort(),
    );
  });

  test.each([
    ['not JSON', '{"name":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['U+0000', '{"name":"a\\u0000b"}'],
    ['U+0000 in a field name', '{"na\\u0000me":"b"}'],
    ['half a surrogate pair', '{"name":"\\ud83d"}'],
    ['__proto__', '{"name":"x","__proto__":{"code":"y"}}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) as unknown as string],
  ])('%s', async (_what, body) => {
    const reply = await fetch(`${t.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': `v${Math.random()}`,
        'content-type': 'application/json',
      },
      body,
    });
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'validation_failed',
    ]);
  });

  test('unknown query parameters are a fault: a mistyped filter must not return everything', async () => {
    const reply = await t.call('GET', '/v1/events?udpated_since=2026-01-01T00:00:00Z', { key });
    expect(reply.body.error.details).toEqual([{ path: 'udpated_since', message: 'is not a field of this operation' }]);
  });

  test('an operation without a body refuses one', async () => {
    const reply = await t.call('POST', '/v1/events/x/publish', { key, body: { now: true } });
    expect(reply.status).toBe(400);
  });
});

// claim: error-not-found
test('404 for an unknown address, 405 with Allow for a wrong method', async () => {
  expect((await t.call('GET', '/v1/nothing', { key })).body.error.code).toBe('not_found');
  const reply = await t.call('PUT', '/v1/events', { key, body: {} });
  expect([reply.status, reply.body.error.code, reply.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    'GET, POST',
  ]);
});

// claim: bodies-are-json
test('413 for a body over the limit, 415 for another type', async () => {
  const large = await post({ name: 'x'.repeat(1_100_000) });
  expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large']);
  const xml = await t.call('POST', '/v1/events', { key, body: '<event/>', headers: { 'content-type': 'text/xml' } });
  expect([xml.status, xml.body.error.code]).toEqual([415, 'unsupported_media_type']);
});

test('unicode goes in and out unchanged', async () => {
  const name = 'Žluťoučký kůň 𝒳 🎪 名前 \u202e';
  expect((await post({ name })).body.name).toBe(name);
});

// claim: times-in-utc
test('times with another offset are converted to UTC', async () => {
  const made = await post({
    name: 'Offset',
    starts_at: '2026-11-15T10:00:00+01:00',
    registration: { opens_at: '2026-11-01T00:00:00-05:00' },
  });
  expect(made.body.starts_at).toBe('2026-11-15T09:00:00Z');
  expect(made.body.registration.opens_at).toBe('2026-11-01T05:00:00Z');
});

test('503 unavailable in the usual envelope while the database is away', async () => {
  const away = await startTest();
  await away.org('acme');
  const { secret } = await away.key('acme');
  await away.database.drop();
  const reply = await away.call('GET', '/v1/me', { key: secret });
  expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect((await away.call('GET', '/readyz')).status).toBe(503);
  await away.stop();
});

test('health, readiness and metrics need no key', async () => {
  expect((await t.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
  const ready = { status: 'ok', checks: { database: 'ok', migrations: 'ok', files: 'ok' } };
  expect((await t.call('GET', '/readyz')).body).toEqual(ready);
  await t.call('GET', '/v1/me', { key });
  const metrics = (await t.call('GET', '/metrics')).text;
  expect(metrics).toContain('turnout_requests_total{operation="getMe",status="200"}');
  for (const name of [
    'turnout_request_seconds_bucket',
    'turnout_pool_connections',
    'turnout_outbox_rows',
    'turnout_mails_queued',
    'turnout_lane_waiting',
  ]) {
    expect(metrics).toContain(name);
  }
});
