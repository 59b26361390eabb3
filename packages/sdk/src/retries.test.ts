import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ApiError,
  type CallOptions,
  ConnectionError,
  QuotaExceededError,
  RateLimitedError,
  type Retry,
  TimeoutError,
  type Turnout,
} from './index.ts';
import { BadProxy, type Way } from './proxy.support.ts';
import { delayOf } from './retries.ts';
import { person, startWorld, type World } from './world.support.ts';

let world: World;
let proxy: BadProxy;
let turnout: Turnout;
let retries: Retry[];
beforeAll(async () => {
  world = await startWorld();
  await world.fair('fair');
});
afterAll(() => world.t.stop());
beforeEach(async () => {
  retries = [];
  proxy = await BadProxy.before(world.t.url);
  turnout = world.client({ baseUrl: proxy.url, onRetry: (retry) => retries.push(retry) });
});
afterEach(() => proxy.stop());

let serial = 0;
const register = (options?: CallOptions) => {
  serial += 1;
  return turnout.registrations.create('fair', { attendees: [person(serial)], send_emails: false }, options);
};
/** How many registrations the person has who was registered last. */
const registered = async () =>
  (await world.turnout.registrations.list('fair', { email: `person-${serial}@example.org` })).data.length;

const envelope = (code: string, status: number, headers: Record<string, string> = {}): Way => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  body: JSON.stringify({ error: { code, message: 'For a test.', request_id: 'req-1', hint: 'new' } }),
});

describe('a registration is made once', () => {
  test.each<[string, Way[]]>([
    ['the connection is cut before the server has seen the request', ['cut before', 'cut before']],
    ['the connection is cut after the server has answered', ['cut after']],
    ['the connection is cut within the answer', ['cut within', 'cut after']],
    ['the server is unavailable', [{ status: 503, headers: { 'retry-after': '0' } }, envelope('unavailable', 503)]],
    ['a proxy has no answer', [{ status: 502, body: '<html>Bad Gateway</html>' }]],
    ['the server has a fault', [envelope('internal_error', 500)]],
    ['too many requests', [envelope('rate_limited', 429, { 'retry-after': '1' })]],
    ['the first try is still running', [envelope('idempotency_in_progress', 409, { 'retry-after': '1' })]],
  ])('although %s', async (_what, ways) => {
    proxy.ways = [...ways];
    const registration = await register();
    expect(registration.attendees[0]!.external_id).toBe(`crm-${serial}`);
    expect(await registered()).toBe(1);
    const keys = proxy.values('idempotency-key');
    expect(keys.length).toBe(ways.length + 1);
    expect([...new Set(keys)]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(retries.map(({ operation, retry }) => [operation, retry])).toEqual(
      ways.map((_way, i) => ['registrations.create', i + 1]),
    );
  });

  test('although the program itself begins again, with a key of its own', async () => {
    const first = await register({ idempotencyKey: 'crm-sync-1' });
    serial -= 1;
    const { data: again, headers } = await register({ idempotencyKey: 'crm-sync-1' }).withResponse();
    expect(again).toEqual(first);
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(await registered()).toBe(1);
  });

  test('control: with a new Idempotency-Key for each try there would be two', async () => {
    proxy.ways = ['cut after'];
    await expect(register({ maxRetries: 0 })).rejects.toBeInstanceOf(ConnectionError);
    serial -= 1;
    await register();
    expect(await registered()).toBe(2);
  });
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    proxy.ways = [envelope('rate_limited', 429, { 'retry-after': '1' })];
    await turnout.me.get();
    expect(retries[0]!.delay).toBeGreaterThanOrEqual(1000);
    expect(retries[0]!.error).toBeInstanceOf(RateLimitedError);
  });

  test('may be a date', async () => {
    const date = new Date(Date.now() + 100_000_000).toUTCString();
    proxy.ways = [envelope('rate_limited', 429, { 'retry-after': date })];
    const error = (await turnout.me.get().then(null, (one: unknown) => one)) as RateLimitedError;
    expect(error.retryAfter).toBeGreaterThan(99_000);
  });

  test('of more than two minutes is the program’s to decide', async () => {
    proxy.ways = [envelope('rate_limited', 429, { 'retry-after': '121' })];
    await expect(turnout.me.get()).rejects.toMatchObject({ name: 'RateLimitedError', retryAfter: 121 });
    expect(proxy.seen.length).toBe(1);
  });
});

describe('is not tried again', () => {
  test.each<[string, Way, string]>([
    ['the calls of the month are used up', envelope('quota_exceeded', 429, { 'retry-after': '1' }), 'quota_exceeded'],
    ['a code that is not known, which is a refusal', envelope('too_late_for_this', 409), 'too_late_for_this'],
    ['a code that is also a word of the language', envelope('constructor', 422), 'constructor'],
    ['a refusal without our envelope', { status: 403, body: 'no' }, 'http_403'],
    ['a redirect, which would take the key elsewhere', { status: 302, headers: { location: '/x' } }, 'http_302'],
  ])('%s', async (_what, way, code) => {
    proxy.ways = [way];
    const error = (await turnout.me.get().then(null, (one: unknown) => one)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect([error.code, error.operation]).toEqual([code, 'me.get']);
    expect(proxy.seen.length).toBe(1);
  });

  // claim: unknown-code-is-a-refusal
  test('unknown codes keep everything that the answer said; known ones have their class', async () => {
    proxy.ways = [envelope('too_late_for_this', 409), envelope('quota_exceeded', 429)];
    const refused = () => turnout.me.get().then(null, (one: unknown) => one) as Promise<ApiError>;
    const unknown = await refused();
    expect(unknown.constructor).toBe(ApiError);
    expect(unknown).toMatchObject({ status: 409, requestId: 'req-1', error: { hint: 'new' } });
    expect(await refused()).toBeInstanceOf(QuotaExceededError);
  });

  test('an answer that is not JSON', async () => {
    proxy.ways = [{ status: 200, body: '<html>Welcome</html>' }];
    await expect(turnout.me.get()).rejects.toThrow(/not JSON/);
  });
});

test('tries end: the last failure is thrown', async () => {
  proxy.ways = ['cut before', 'cut before', 'cut before'];
  await expect(turnout.me.get({ maxRetries: 2 })).rejects.toMatchObject({
    name: 'ConnectionError',
    operation: 'me.get',
  });
  expect(proxy.seen.length).toBe(3);
});

test('what a lost DELETE has deleted is deleted, and what never was there is not found', async () => {
  await world.turnout.groups.create({ code: 'lost', name: 'Lost' });
  proxy.ways = ['cut after'];
  expect(await turnout.groups.delete('lost')).toBeUndefined();
  await expect(turnout.groups.delete('lost')).rejects.toMatchObject({ code: 'not_found' });
});

test('a PATCH is repeated, and is the same change', async () => {
  const { attendees } = await register();
  proxy.ways = ['cut after'];
  const changed = await turnout.attendees.update('fair', attendees[0]!.id, { first_name: 'Once' });
  expect(changed.first_name).toBe('Once');
});

describe('time limits', () => {
  test('a try that takes too long is repeated', async () => {
    proxy.ways = ['hang'];
    expect((await register({ timeout: 1000 })).status).toBe('confirmed');
    expect(retries[0]!.error).toBeInstanceOf(TimeoutError);
    expect(await registered()).toBe(1);
  });

  test('and in the end a TimeoutError, which is a ConnectionError', async () => {
    proxy.ways = ['hang'];
    const error = await turnout.me.get({ timeout: 50, maxRetries: 0 }).then(null, (one: unknown) => one);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('me.get was not answered within 50 ms');
  });
});

describe('an AbortSignal', () => {
  test('ends a call that waits for its answer', async () => {
    proxy.ways = ['hang'];
    const end = new AbortController();
    // With a time limit that cannot end it instead.
    const call = turnout.me.get({ signal: end.signal, timeout: 3_600_000 });
    await expect.poll(() => proxy.seen.length).toBe(1);
    end.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(proxy.seen.length).toBe(1);
  });

  test('ends a call that waits to be tried again', async () => {
    proxy.ways = [envelope('rate_limited', 429, { 'retry-after': '60' })];
    const end = new AbortController();
    const call = turnout.me.get({ signal: end.signal });
    await expect.poll(() => retries.length).toBe(1);
    end.abort(new Error('closing down'));
    await expect(call).rejects.toThrow('closing down');
  });

  test('that has ended already sends nothing', async () => {
    await expect(turnout.me.get({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(proxy.seen.length).toBe(0);
  });
});

test('the waiting doubles up to ten seconds and is never the same for all', () => {
  const lost = new ConnectionError('me.get', 'lost');
  const longest = [0, 1, 2, 3, 4, 5, 6].map((retry) => delayOf(lost, retry, () => 1));
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect([0, 5].map((retry) => delayOf(lost, retry, () => 0))).toEqual([250, 5000]);
});
