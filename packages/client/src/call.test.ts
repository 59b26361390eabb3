import { describe, expect, test } from 'vitest';
import { makeCall, type Transport } from './call.ts';
import { Problem } from './problem.ts';

type Answer = Response | Error | (() => Response | Error);
interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A server that gives these answers one after the other, and what it was asked. */
function server(...answers: Answer[]) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const transport: Transport = {
    fetch: async (url, init) => {
      const { method, headers, body, signal } = init!;
      sent.push({ url: String(url), method: method!, headers: headers as Record<string, string>, body });
      const next = answers.shift() ?? new Error('There is no answer left.');
      const answer = typeof next === 'function' ? next() : next;
      if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (ms) => {
      slept.push(ms);
    },
  };
  return { call: makeCall(transport), sent, slept };
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const refusal = (status: number, code: string, more: object = {}, headers = {}) =>
  json({ error: { code, message: `It is ${code}.`, request_id: 'R1', ...more } }, status, headers);
const lost = () => new TypeError('fetch failed');
const problemOf = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error) => error as Problem,
  );

describe('the request', () => {
  test('has the path of the operation below /app/api, with every value escaped', async () => {
    const { call, sent } = server(json({ data: [], page: { next_cursor: null, has_more: false } }), json({}));
    await call('listGroups', { org: 'acme/../other?x', query: { limit: 5 } });
    await call('getAccount', {});
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /app/api/acme%2F..%2Fother%3Fx/groups?limit=5',
      'GET /app/api/-/account',
    ]);
    expect(sent[0]!.headers).not.toHaveProperty('Idempotency-Key');
  });

  test.each(['..', '.', ''])('is not sent with %j in its path, which a browser would resolve', async (org) => {
    const { call, sent } = server();
    await expect(call('listGroups', { org })).rejects.toThrow('org is');
    expect(sent).toEqual([]);
  });

  test('repeats a parameter of the query for each entry of a list', async () => {
    const { call, sent } = server(json({ data: [], page: {} }));
    // The types follow with the generated operations.
    const query = { answers: ['diet:vegan, please', 'photo:true'] } as never;
    await call('listAttendees', { org: 'acme', event: 'fair', query });
    expect(sent[0]!.url).toBe(
      '/app/api/acme/events/fair/attendees?answers=diet%3Avegan%2C+please&answers=photo%3Atrue',
    );
  });

  test('has a body in JSON', async () => {
    const { call, sent } = server(json({}), json({ data: [], page: {} }));
    await call('changeMember', { org: 'acme', member: 'M1', body: { role: 'viewer' } });
    expect(sent[0]).toMatchObject({ method: 'PATCH', url: '/app/api/acme/members/M1', body: '{"role":"viewer"}' });
    expect(sent[0]!.headers).toMatchObject({ 'Content-Type': 'application/json' });
  });
});

describe('Idempotency-Key', () => {
  const invite = { org: 'acme', body: { email: 'ada@example.org', role: 'viewer' } } as const;

  test('every POST has one, and another POST has another', async () => {
    const { call, sent } = server(json({}), json({}));
    await call('createInvitation', invite);
    await call('createInvitation', invite);
    const [first, second] = sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });

  test('stays the same while a lost POST is sent again, and when whoever calls says so', async () => {
    const { call, sent, slept } = server(lost(), lost(), json({ id: 'I1' }), json({}));
    expect(await call('createInvitation', invite, { key: 'mine' })).toEqual({ id: 'I1' });
    await call('createInvitation', invite, { key: 'mine' });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['mine', 'mine', 'mine', 'mine']);
    expect(slept).toEqual([300, 1500]);
  });
});

describe('a call without an answer', () => {
  test('is sent three times, then it is a problem that nobody has answered', async () => {
    const { call, sent } = server(lost(), lost(), lost());
    const problem = await problemOf(call('getAccount', {}));
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ status: 0, code: 'unreachable', operation: 'getAccount', unanswered: true });
    expect(sent).toHaveLength(3);
  });

  test('is not sent again if it removes or sets something: the second time would be refused, or would undo what others did', async () => {
    const { call, sent } = server(lost(), lost());
    await problemOf(call('revokeKey', { org: 'acme', key: 'K1' }));
    await problemOf(call('changeAccount', { body: { name: 'Ada' } }));
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'PATCH']);
  });

  test('is not sent again after it was cancelled', async () => {
    const abort = new AbortController();
    const { call, sent } = server(() => {
      abort.abort();
      return lost();
    });
    expect(await problemOf(call('getAccount', {}, { signal: abort.signal }))).toMatchObject({ code: 'aborted' });
    expect(sent).toHaveLength(1);
  });

  test('also ends when it is cancelled between two tries', async () => {
    const abort = new AbortController();
    const { sent } = server();
    const call = makeCall({
      fetch: async (url, init) => {
        sent.push({ url: String(url), method: init!.method!, headers: {}, body: null });
        throw lost();
      },
      sleep: async () => abort.abort(),
    });
    expect(await problemOf(call('getAccount', {}, { signal: abort.signal }))).toMatchObject({ code: 'aborted' });
    expect(sent).toHaveLength(1);
  });

  test('an answer that breaks off in the middle counts as none', async () => {
    const broken = new Response(
      new ReadableStream({
        start: (controller) => controller.error(new TypeError('terminated')),
      }),
      { headers: { 'content-type': 'application/json' } },
    );
    const { call, sent } = server(broken, json({ name: 'Ada' }));
    expect(await call('getAccount', {})).toEqual({ name: 'Ada' });
    expect(sent).toHaveLength(2);
  });

  test('a server that was too busy is asked again when it says, with the same key', async () => {
    const busy = refusal(503, 'unavailable', {}, { 'retry-after': '2' });
    const { call, sent, slept } = server(busy, json({ id: 'I1' }));
    await call('createKey', { org: 'acme', body: { name: 'CRM', mode: 'live', scopes: ['read'] } });
    expect(slept).toEqual([2000]);
    expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
  });

  test('one that wants a minute is not waited for', async () => {
    const { call, sent } = server(refusal(503, 'unavailable', {}, { 'retry-after': '60' }));
    expect(await problemOf(call('getAccount', {}))).toMatchObject({ status: 503, retryAfter: 60 });
    expect(sent).toHaveLength(1);
  });

  test('the same request that is still running is waited for', async () => {
    const { call, sent } = server(refusal(409, 'idempotency_in_progress'), json({ id: 'I1' }));
    await call('createKey', { org: 'acme', body: { name: 'CRM', mode: 'live', scopes: ['read'] } });
    expect(sent).toHaveLength(2);
  });
});

describe('a refusal', () => {
  test('is a problem with code, message, details, request id and when to try again; it is not sent again', async () => {
    const details = [{ path: 'email', message: 'is not an e-mail address' }, 'nonsense'];
    const { call, sent } = server(refusal(429, 'sign_in_throttled', { details }, { 'retry-after': '30' }));
    const body = { email: 'ada', password: 'x' };
    expect(await problemOf(call('signInWithPassword', { body }))).toMatchObject({
      status: 429,
      code: 'sign_in_throttled',
      message: 'It is sign_in_throttled.',
      details: [{ path: 'email', message: 'is not an e-mail address' }],
      requestId: 'R1',
      retryAfter: 30,
      unanswered: false,
      passing: true,
    });
    expect(sent).toHaveLength(1);
  });

  test.each([
    [503, 'overloaded', true],
    [429, 'rate_limited', true],
    [404, 'not_found', false],
    [409, 'job_over', false],
  ])('%i %s says something about the server only: %s', async (status, code, passing) => {
    const { call } = server(...Array.from({ length: 3 }, () => refusal(status, code)));
    expect(await problemOf(call('getAccount', {}))).toMatchObject({ code, passing });
  });

  test.each([
    [500, 'unavailable'],
    [404, 'unreadable'],
  ])('a proxy’s page with status %i is %s', async (status, code) => {
    const { call } = server(new Response('<h1>Bad</h1>', { status, headers: { 'x-request-id': 'R2' } }));
    expect(await problemOf(call('getAccount', {}))).toMatchObject({ status, code, requestId: 'R2' });
  });
});

test('the id of the request reaches whoever wants it, also without a body in the answer', async () => {
  const { call } = server(new Response(null, { status: 204, headers: { 'x-request-id': 'R3' } }));
  let id: string | null = null;
  const reply = await call('reportClientError', { body: { message: 'x' } }, { onRequestId: (given) => (id = given) });
  expect([reply, id]).toEqual([undefined, 'R3']);
});
