import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/support/raw.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { operations } from '../../areas/index.ts';
import type { Operation } from '../operation.ts';

let t: TestTurnout;
let key: string;
let session: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  session = await t.session('acme', 'owner');
});
afterAll(() => t.stop());

const code = (reply: Awaited<ReturnType<TestTurnout['call']>>) => [reply.status, reply.body?.error?.code];
const nowhere = (op: Operation) => op.path.replaceAll(/\{\w+\}/g, '01JCQ8Z7M4T3V9R1X5K2N6P8DA');
const mountsOf = (op: Operation): string[] => [
  ...(op.hosts ?? ['api']).map((host) => (host === 'api' ? '/v1' : '/api/v1')),
  ...(op.member === null ? [] : ['/app/api']),
];
const as = (mount: string): Record<string, string> =>
  mount === '/app/api' ? { cookie: `turnout_session=${session}` } : { authorization: `Bearer ${key}` };

describe('a body that does not fit its schema is refused', () => {
  test('a refund with null as its body refunds nothing', async () => {
    const made = await t.call('POST', '/v1/events', { key, body: { code: 'paid', name: 'Paid', currency: 'EUR' } });
    expect(made.status).toBe(201);
    await t.call('POST', '/v1/events/paid/days', { key, body: { date: '2055-06-01' } });
    await t.call('POST', '/v1/events/paid/attendee-types', {
      key,
      body: { code: 'adult', name: 'Adult', price_minor: 500 },
    });
    expect((await t.call('POST', '/v1/events/paid/publish', { key })).status).toBe(200);
    const registered = await t.call('POST', '/v1/events/paid/registrations', {
      key,
      body: { attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' }] },
    });
    const path = `/v1/events/paid/registrations/${registered.body.id}/payments`;
    const paid = await t.call('POST', path, { key, body: { amount_minor: 500, method: 'cash' } });
    expect(paid.status).toBe(201);
    for (const body of ['null', '[]', '0', '""', 'false']) {
      expect(code(await t.call('POST', `/v1/payments/${paid.body.id}/refund`, { key, body })), body).toEqual([
        400,
        'validation_failed',
      ]);
    }
    const after = await t.call('GET', path, { key });
    expect(after.body.data[0]).toMatchObject({ status: 'received', refunded_minor: 0 });
  });

  // Clients that always send JSON send `{}`.
  const sentAsJson = (op: Operation) =>
    op.method !== 'GET' && op.keysRefused === undefined && mountsOf(op).length > 0 && op.file?.field !== null;
  // claim: bodies-are-json
  test.each(operations.filter(sentAsJson))(
    '$method $path takes neither null nor a list, a number, a text',
    async (op) => {
      const [mount] = mountsOf(op);
      for (const body of ['null', '[]', '0', '""', 'true']) {
        const reply = await t.call(op.method, mount + nowhere(op), { headers: as(mount!), body });
        expect([body, ...code(reply)]).toEqual([body, 400, 'validation_failed']);
        expect(reply.body.error.details[0]).toMatchObject({ path: '' });
      }
    },
  );

  test('a GET takes no body', async () => {
    const [reply] = await exchange(
      t.url,
      `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`,
    );
    expect([reply!.status, reply!.body.error.details]).toEqual([
      400,
      [{ path: '', message: 'this operation takes no body' }],
    ]);
  });
});

describe('405', () => {
  const KNOWN = METHODS.filter((method) => method !== 'CONNECT');
  /** Every address, with the methods that it takes. */
  const addresses = new Map<string, Set<string>>();
  for (const op of operations) {
    for (const mount of mountsOf(op)) {
      const path = (mount === '/app/api' ? `${mount}/acme` : mount) + nowhere(op);
      addresses.set(path, (addresses.get(path) ?? new Set()).add(op.method));
    }
  }
  for (const page of ['/v1/openapi.json', '/healthz', '/docs']) addresses.set(page, new Set(['GET']));
  addresses.set('/api/v1/devices/pair', new Set(['POST']));

  test('with Allow for every method that a known address does not take, never 404', async () => {
    for (const [path, taken] of addresses) {
      for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
        const [reply] = await exchange(t.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        const allowed = reply!.headers.get('allow')?.split(', ').sort();
        expect([method, path, reply!.status, allowed]).toEqual([method, path, 405, [...taken].sort()]);
        if (method === 'HEAD') expect(reply!.body).toBeNull();
        else expect(reply!.body.error.code).toBe('method_not_allowed');
      }
    }
  });

  test('for every method that Node can read', async () => {
    for (const method of KNOWN.filter((one) => !['GET', 'POST'].includes(one))) {
      const [reply] = await exchange(t.url, `${method} /v1/%65vents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([method, reply!.status, reply!.headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
    }
  });

  test('is 404 instead where there is no address, whatever the method', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) {
      for (const path of [
        '/v1/nothing',
        '/v1/events/a/b/c/d/e/f/g/h',
        '/v1',
        '/api/v1/',
        '/app/api/nothing',
        '/v1//events',
      ]) {
        const [reply] = await exchange(t.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect([method, path, reply!.status]).toEqual([method, path, 404]);
      }
    }
  });
});

describe('headers', () => {
  test.each([
    ['of 101 characters', 'x'.repeat(101)],
    ['with a control character', 'a\tb'],
    ['with a control character of Latin-1', 'a\u0085b'],
  ])('an X-Service-Client %s is refused, not cut', async (_what, value) => {
    const reply = await t.call('GET', '/v1/me', { key, headers: { 'x-service-client': value } });
    expect([reply.status, reply.body.error?.details]).toEqual([
      400,
      [
        {
          path: 'X-Service-Client',
          message: 'must be at most 100 characters, none of them a control character, and sent once',
        },
      ],
    ]);
    for (const good of ['x'.repeat(100), 'caf\u00e9', ''])
      expect((await t.call('GET', '/v1/me', { key, headers: { 'x-service-client': good } })).status).toBe(200);
  });

  const twice = async (header: string) => {
    const [reply] = await exchange(
      t.url,
      `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: twice\r\n${header}\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{"name":"two"}`,
    );
    return [reply!.status, reply!.body.error?.code, reply!.body.error?.details?.[0]?.path];
  };
  test('that were sent twice are refused, because it is unclear which one counts', async () => {
    expect(await twice('Idempotency-Key: other')).toEqual([400, 'validation_failed', 'Idempotency-Key']);
    expect(await twice(`authorization: Bearer ${key}`)).toEqual([401, 'api_key_unknown', undefined]);
    expect(await twice('X-Service-Client: a\r\nX-Service-Client: b')).toEqual([
      400,
      'validation_failed',
      'X-Service-Client',
    ]);
  });

  test.each([
    ['Bearer', 'api_key_unknown'],
    ['Bearer ', 'api_key_unknown'],
    ['bearer a b', 'api_key_unknown'],
    ['Bearer svc_live_nope', 'api_key_unknown'],
    ['Bearer\ta', 'api_key_unknown'],
    ['', 'api_key_required'],
    ['Basic abc', 'api_key_required'],
    ['Bearerx', 'api_key_required'],
  ])('Authorization "%s": %s', async (value, expected) => {
    const [reply] = await exchange(
      t.url,
      `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: ${value}\r\nConnection: close\r\n\r\n`,
    );
    expect([reply!.status, reply!.body.error.code]).toEqual([401, expected]);
  });
});

describe('forms', () => {
  const post = async (...parts: string[]) => {
    const body = `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;
    const reply = await t.call('POST', '/v1/events/none/imports', {
      key,
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    return [reply.status, reply.body.error.details];
  };
  const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nfirst name';

  test('a part without a name is identified by its position', async () => {
    expect(await post(FILE, 'Content-Disposition: form-data\r\n\r\ntrue')).toEqual([
      400,
      [{ path: 'parts/1', message: 'has no name' }],
    ]);
    expect(await post('Content-Disposition: form-data; name=""\r\n\r\ntrue', FILE)).toEqual([
      400,
      [{ path: 'parts/0', message: 'has no name' }],
    ]);
    expect(await post(FILE, 'Content-Disposition: form-data; filename="b.csv"\r\n\r\nx')).toEqual([
      400,
      [{ path: 'parts/1', message: 'is a second file; send only one' }],
    ]);
  });

  test('a field called like a property of every object is reported under its name', async () => {
    for (const name of ['__proto__', 'constructor']) {
      expect(await post(FILE, `Content-Disposition: form-data; name="${name}"\r\n\r\ntrue`)).toEqual([
        400,
        [{ path: name, message: 'is not a field of this operation' }],
      ]);
    }
  });
});
