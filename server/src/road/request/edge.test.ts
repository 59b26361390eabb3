import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, RawClient, type RawReply } from '../../../../test/support/raw.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
/** The time by which bodies are judged, for as long as a test holds it, and how often it was asked for since. */
let held: { at: number; reads: number } | null = null;
const now = () => {
  if (held === null) return performance.now();
  held.reads += 1;
  return held.at;
};
beforeAll(async () => {
  t = await startTest({ edge: { headersMs: 400, bodyMs: 400, bytesPerSecond: 1000, checkEveryMs: 50, now } });
  await t.org('acme');
  key = (await t.key('acme', { rpm: 500 })).secret;
});
afterAll(() => t.stop());

const HOST = 'Host: localhost\r\n';
const authorization = () => `Authorization: Bearer ${key}\r\n`;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The server's side of the connection on which the head of the request with this `Idempotency-Key` arrives. */
function arrived(idempotencyKey: string): Promise<Socket> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      const { request, socket } = message as { request: IncomingMessage; socket: Socket };
      if (request.headers['idempotency-key'] !== idempotencyKey) return;
      unsubscribe('http.server.request.start', listen);
      resolve(socket);
    };
    subscribe('http.server.request.start', listen);
  });
}

/** Checks the envelope of every refusal and the headers of every answer. */
function refused(reply: RawReply | undefined, status: number, code: string): void {
  expect([reply?.status, reply?.body?.error?.code]).toEqual([status, code]);
  expect(reply!.headers.get('x-request-id')).toMatch(ULID);
  expect(reply!.body.error.request_id).toBe(reply!.headers.get('x-request-id'));
  expect(reply!.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply!.body.error.message).not.toBe('');
}
const rates = (reply: RawReply) => [
  reply.headers.get('x-ratelimit-limit'),
  Number(reply.headers.get('x-ratelimit-remaining')),
];

describe('time limits', () => {
  const half = (more = '') =>
    `POST /v1/events HTTP/1.1\r\n${HOST}${authorization()}Idempotency-Key: half\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n${more}\r\n{"name":`;

  test('a half-sent body is answered 408 with the rate of its key, and closed', async () => {
    const [reply, ...more] = await exchange(t.url, half());
    refused(reply, 408, 'request_timeout');
    expect(reply!.headers.get('connection')).toBe('close');
    expect(reply!.headers.get('x-ratelimit-limit')).toBe('500');
    expect(more).toEqual([]);
  });

  test('so is half a form and half a file, and nothing of them stays on disk', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = t.dataDir; // where nobody else puts files
    const spooled = () => readdirSync(t.dataDir).filter((name) => name.startsWith('turnout-upload-'));
    for (const [type, begins] of [
      ['text/csv', ''],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n'],
    ]) {
      const client = new RawClient(t.url).send(
        `POST /v1/events/none/imports HTTP/1.1\r\n${HOST}${authorization()}Idempotency-Key: half\r\nContent-Type: ${type}\r\nContent-Length: 9000000\r\n\r\n${begins}`,
      );
      client.send('x'.repeat(1_200_000));
      await expect.poll(spooled, { timeout: 10_000 }).toHaveLength(1);
      client.destroy();
      await expect.poll(spooled, { timeout: 10_000 }).toEqual([]);
    }
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    for (const type of ['text/csv', 'multipart/form-data; boundary=x']) {
      const [reply] = await exchange(
        t.url,
        `POST /v1/events/none/imports HTTP/1.1\r\n${HOST}${authorization()}Idempotency-Key: half\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n--x\r\n`,
      );
      refused(reply, 408, 'request_timeout');
    }
  });

  test('a body that keeps arriving gets more time than one that does not', async () => {
    held = { at: 0, reads: 0 };
    const began = arrived('slow');
    const client = new RawClient(t.url);
    const body = JSON.stringify({ name: 'Slow', code: 'slow' }) + ' '.repeat(1200);
    client.send(
      `POST /v1/events HTTP/1.1\r\n${HOST}${authorization()}Idempotency-Key: slow\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const socket = await began;
    const from = socket.bytesRead;
    for (let at = 0; at < body.length; at += 100) {
      client.send(body.slice(at, at + 100));
      await expect.poll(() => socket.bytesRead - from).toBe(Math.min(at + 100, body.length));
      held = { at: held.at + 60, reads: 0 };
      if (at + 100 < body.length) await expect.poll(() => held!.reads).toBeGreaterThan(0);
    }
    const [reply] = await client.replies();
    expect(held.at, 'longer than a body that does not go on has').toBeGreaterThan(400);
    held = null;
    expect([reply!.status, reply!.body.code ?? reply!.body.error.code]).toEqual([201, 'slow']);
  });

  test('half a head and a silent connection are answered 408 and closed', async () => {
    for (const text of [`GET /v1/me HTTP/1.1\r\n${HOST}`, '']) {
      const client = new RawClient(t.url);
      if (text !== '') client.send(text);
      const [reply, ...more] = await client.replies();
      refused(reply, 408, 'request_timeout');
      expect([rates(reply!), more]).toEqual([['0', 0], []]);
    }
  });

  test('a request that was answered before its body arrived is closed, not answered twice', async () => {
    const replies = await exchange(
      t.url,
      `POST /v1/events HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":`,
    );
    expect(replies.map((reply) => reply.status)).toEqual([401]);
  });
});

describe('malformed HTTP answers in the envelope', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
    ['a header without a colon', `GET /v1/me HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`, 400, 'bad_request'],
    ['a version that is none', `GET /v1/me HTTP/9.9\r\n${HOST}\r\n`, 400, 'bad_request'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      `POST /v1/events HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
      400,
      'bad_request',
    ],
    [
      'a length and chunks',
      `POST /v1/events HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'headers over the limit',
      `GET /v1/me HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['an address over the limit', `GET /v1/${'x'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'headers_too_large'],
    [
      'an expectation we do not know',
      `GET /v1/me HTTP/1.1\r\n${HOST}Expect: tea\r\nConnection: close\r\n\r\n`,
      401,
      'api_key_required',
    ],
    [
      'an expectation we do not know, of a page',
      `GET /healthz HTTP/1.1\r\n${HOST}Expect: tea\r\nConnection: close\r\n\r\n`,
      417,
      'expectation_failed',
    ],
    ['CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
    ['a method nobody knows', `BREW /v1/events HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
    ['a method nobody knows, of no address', `BREW /nothing HTTP/1.1\r\n${HOST}\r\n`, 400, 'bad_request'],
  ])('%s', async (_what, text, status, code) => {
    const [reply, ...more] = await exchange(t.url, text);
    refused(reply, status, code);
    if (!text.includes('/healthz')) expect(rates(reply!)).toEqual(['0', 0]);
    expect(more).toEqual([]);
  });

  test('a body whose chunks are broken gets the answer of its request', async () => {
    const [reply, ...more] = await exchange(
      t.url,
      `POST /v1/events HTTP/1.1\r\n${HOST}${authorization()}Idempotency-Key: chunks\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    refused(reply, 400, 'bad_request');
    expect(more).toEqual([]);
  });

  test('malformed bytes after a good request do not change its answer', async () => {
    const replies = await exchange(t.url, `GET /v1/me HTTP/1.1\r\n${HOST}${authorization()}\r\nnonsense\r\n\r\n`);
    expect(replies.map((reply) => reply.status)).toEqual([200, 400]);
    refused(replies[1], 400, 'bad_request');
  });

  test('the server keeps working', async () => {
    expect((await t.call('GET', '/v1/me', { key })).status).toBe(200);
  });
});

// claim: rate-headers
describe('with a known key, every answer carries the true rate of the key', () => {
  const ask = async (method: string, path: string, headers = '') => {
    const [reply] = await exchange(
      t.url,
      `${method} ${path} HTTP/1.1\r\n${HOST}${authorization()}${headers}Connection: close\r\n\r\n`,
    );
    return reply!;
  };
  test.each([
    ['404 of no route', 'GET', '/v1/nothing', '', 404],
    ['404 of no route on the scanner host', 'GET', '/api/v1/nothing', '', 404],
    ['404 of an address that is none', 'GET', '/v1/%zz', '', 404],
    ['405', 'PUT', '/v1/events', '', 405],
    ['405 of HEAD', 'HEAD', '/v1/events', '', 405],
    ['426', 'GET', '/api/v1/events/x/scan/manifest', 'X-Scanner-Version: 0.0.1\r\n', 426],
    ['400 of a scanner version', 'GET', '/api/v1/events/x/scan/manifest', 'X-Scanner-Version: new\r\n', 400],
    ['417', 'GET', '/v1/me', 'Expect: tea\r\n', 417],
  ])('%s', async (_what, method, path, headers, status) => {
    const before = Number((await t.call('GET', '/v1/me', { key })).headers.get('x-ratelimit-remaining'));
    const reply = await ask(method, path, headers);
    expect([reply.status, ...rates(reply)]).toEqual([status, '500', before - 1]);
    if (method !== 'HEAD') expect(reply.body.error.request_id).toBe(reply.headers.get('x-request-id'));
  });

  test('such calls count toward the month, and are refused beyond the rate', async () => {
    await t.org('lost');
    const { secret } = await t.key('lost', { rpm: 4 });
    const statuses = [];
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/events'],
      ['GET', '/api/v1/nothing'],
      ['GET', '/v1/me'],
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/events'],
    ] as const) {
      const reply = await t.call(method, path, { key: secret });
      statuses.push(reply.status);
      if (reply.status === 200) expect(reply.body.usage.calls).toBe(4);
    }
    expect(statuses).toEqual([404, 405, 404, 200, 429, 429]);
  });

  test('without a key they are 404 and 405 without a rate, and no key is looked up', async () => {
    const connect = t.pool.connect.bind(t.pool) as () => Promise<PoolClient>;
    let lookups = 0;
    t.pool.connect = (async () => {
      const client = await connect();
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: unknown[]) => {
        // The same statement writes the counts of earlier calls every second, and then asks for no key.
        const { name, values } = Object(given[0]) as { name?: string; values?: unknown[][] };
        if (name === 'find_keys' && values![0]!.length > 0) lookups += 1;
        return query(...given);
      }) as typeof client.query;
      return client;
    }) as typeof t.pool.connect;
    for (const [method, path, status] of [
      ['GET', '/v1/nothing', 404],
      ['PUT', '/v1/events', 405],
      ['GET', '/api/v1/nothing', 404],
    ] as const) {
      const reply = await t.call(method, path);
      expect([
        reply.status,
        reply.headers.get('x-ratelimit-limit'),
        reply.headers.get('x-ratelimit-remaining'),
      ]).toEqual([status, '0', '0']);
    }
    expect(lookups).toBe(0);
    expect((await t.call('GET', '/v1/nothing', { key: 'svc_live_unknown' })).status).toBe(401);
    expect(lookups).toBeGreaterThan(0);
    t.pool.connect = connect as typeof t.pool.connect;
  });
});

describe('a stop', () => {
  test('does not wait for clients: idle and half-sent connections are closed, running requests are answered', async () => {
    const s = await startTest({ edge: { graceMs: 300 } });
    await s.org('acme');
    const { secret } = await s.key('acme');
    const idle = new RawClient(s.url);
    const half = new RawClient(s.url).send(
      `POST /v1/events HTTP/1.1\r\n${HOST}Authorization: Bearer ${secret}\r\nIdempotency-Key: h\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    );
    const head = new RawClient(s.url).send('GET /v1/me HTTP/1.1\r\n');
    await s.call('GET', '/v1/me', { key: secret });
    const stopped = s.stop();
    // A server that waited for its clients would not stop within the 60 s that this test has.
    await Promise.all([idle.closed, half.closed, head.closed]);
    await stopped;
  });
});
