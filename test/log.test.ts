import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkOf } from '../server/src/areas/communications/unsubscribe.ts';
import { operations } from '../server/src/areas/index.ts';
import { newId, toUlid } from '../server/src/common/ids.ts';
import { Secrets } from '../server/src/common/secrets.ts';
import { Links } from '../server/src/road/for-areas/links.ts';
import { type Operation, operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { exchange } from './support/raw.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** Everything that a caller sends contains this word; no line of the log may contain it. */
const MARK = 'Zaphod42Beeblebrox';
const lines: string[] = [];
const hear = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

const faulty = (
  id: string,
  handle: (tx: { run(query: ReturnType<typeof sql>): Promise<number> }) => Promise<unknown>,
) =>
  operation({
    id,
    method: 'GET',
    path: `/faulty/${id}`,
    scope: 'read',
    entitlement: 'api_read',
    member: null,
    at: {},
    reply: Type.Object({}),
    refusals: [],
    tag: 'Test',
    summary: 'Fails',
    handle: async ({ tx }) => {
      await handle(tx);
      return {};
    },
  });
const FAULTY = [
  faulty('thrown', async () => {
    const url = `https://example.org/${MARK}`;
    throw Object.assign(new Error('it failed'), { url, address: MARK, request: { headers: { authorization: MARK } } });
  }),
  faulty('unread', (tx) => tx.run(sql`select ${MARK}::text::int`)),
  faulty('twice', (tx) => tx.run(sql`select 1 from (select ${MARK}::text as name) n where name::jsonb is not null`)),
];

let t: TestTurnout;
let key: string;
let session: string;
beforeAll(async () => {
  t = await startTest({ log: hear, operations: FAULTY });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  session = await t.session('acme', 'owner');
});
afterAll(() => t.stop());

const logged = () => lines.join('');
const mountsOf = (op: Operation): string[] => [
  ...(op.hosts ?? ['api']).map((host) => (host === 'api' ? '/v1' : '/api/v1')),
  ...(op.member === null ? [] : ['/app/api']),
];

test('nothing that a caller sends to any operation is logged: no address, query, header or body', async () => {
  const from = lines.length;
  let calls = 0;
  for (const op of operations) {
    for (const mount of mountsOf(op)) {
      const path = `${mount}${op.path.replaceAll(/\{\w+\}/g, MARK)}?email=${MARK}%40example.org&${MARK}=1`;
      const cookie = `turnout_session=${session}; other=${MARK}`;
      for (const method of [op.method, 'OPTIONS']) {
        const headers = {
          'x-service-client': MARK,
          'x-scanner-version': '9.0.0',
          ...(mount === '/app/api' ? { cookie } : {}),
        };
        await t.call(method, path, {
          ...(mount !== '/app/api' && { key }),
          ...(method !== 'GET' && { body: { name: MARK, email: `${MARK}@example.org` } }),
          idempotencyKey: MARK,
          headers,
        });
        calls += 1;
      }
      await t.call(op.method === 'GET' ? 'GET' : 'DELETE', path, {
        key: MARK,
        headers: { cookie: `turnout_session=${MARK}` },
      });
      calls += 1;
    }
  }
  expect(lines.length - from).toBeGreaterThanOrEqual(calls);
  expect(logged()).not.toContain(MARK);
});

test('nor of requests that lead nowhere, have no valid URL or are not HTTP', async () => {
  const from = lines.length;
  for (const path of [
    `/${MARK}`,
    `/v1/${MARK}?x=${MARK}`,
    `/v1/%zz${MARK}`,
    `/links/${MARK}/${MARK}`,
    `/docs/${MARK}`,
  ]) {
    await exchange(
      t.url,
      `GET ${path} HTTP/1.1\r\nHost: ${MARK}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
  }
  await exchange(t.url, `BREW /${MARK} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await exchange(t.url, `GET /${MARK} HTTP/1.1\r\nHost: x\r\n${MARK}\r\n\r\n`);
  await t.call('POST', '/api/v1/devices/pair', { body: { code: MARK, name: MARK } });
  expect(lines.length - from).toBeGreaterThanOrEqual(8);
  expect(logged()).not.toContain(MARK);
});

test('an error is logged with its code and where it happened, without the values that it contains', async () => {
  for (const op of FAULTY) {
    const from = lines.length;
    expect((await t.call('GET', `/v1${op.path}?`, { key })).status).toBe(500);
    const line = lines.slice(from).find((one) => one.includes('"err"'))!;
    expect(JSON.parse(line).err).toMatchObject({
      message: expect.stringMatching(/./),
      stack: expect.stringMatching(/ at /),
    });
  }
  expect(lines.some((line) => line.includes('"22P02"'))).toBe(true);
  expect(logged()).not.toContain(MARK);
});

describe('signed links are logged as their kind and what they lead to', () => {
  const links = () => new Links(new Secrets(Buffer.alloc(32, 7)), t.clock, t.url);
  const last = () => JSON.parse(lines.at(-1)!);
  const follow = async (url: string, init: RequestInit = {}) => {
    const reply = await fetch(t.url + new URL(url).pathname, init);
    await reply.text();
    await expect.poll(() => last().route).toMatch(/^\/links\//);
    for (const part of new URL(url).pathname.split('/').at(-1)!.split('.')) expect(logged()).not.toContain(part);
    return [reply.status, last().link];
  };

  test('the roster of a manifest', async () => {
    const event = await t.call('POST', '/v1/events', { key, body: { code: 'scanned', name: 'Scanned' } });
    const manifest = await t.call('GET', '/api/v1/events/scanned/scan/manifest', { key });
    expect(await follow(manifest.body.roster.url)).toEqual([200, { kind: 'roster', id: event.body.id }]);
  });

  test('the result of an export, also when the link has expired', async () => {
    await t.call('POST', '/v1/events', { key, body: { code: 'exported', name: 'Exported' } });
    const wanted = { what: 'people', format: 'csv', event: 'exported' };
    const job = await t.call('POST', '/v1/exports', { key, body: wanted });
    expect(await follow(job.body.result_url)).toEqual([200, { kind: 'jobs', id: job.body.id }]);
    t.clock.advance(2 * 86_400_000);
    expect(await follow(job.body.result_url)).toEqual([404, { kind: 'jobs', id: job.body.id }]);
  });

  test('unsubscribing', async () => {
    const now = t.clock.now();
    const org = await t.system((tx) => tx.one<{ id: string }>(sql`select id from organizations where code = 'acme'`));
    const communication = newId(now);
    const url = linkOf(links(), now, { org: org.id, communication, event: newId(now), address: Buffer.from('x') });
    const leads = { kind: 'unsubscribe', id: toUlid(communication) };
    expect(await follow(url)).toEqual([200, leads]);
    expect(await follow(url, { method: 'POST' })).toEqual([200, leads]);
  });

  test('a forged link is logged as its kind alone', async () => {
    expect(await follow(`${t.url}/links/jobs/${MARK}.${MARK}`)).toEqual([404, { kind: 'jobs', id: null }]);
  });
});
