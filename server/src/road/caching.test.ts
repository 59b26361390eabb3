import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../../test/support/raw.ts';
import { type Fair, openFair } from '../areas/scanning/fair.support.ts';

let fair: Fair;
let ticket: string;
beforeAll(async () => {
  fair = await openFair();
  ticket = (await fair.register()).ticket;
});
afterAll(() => fair.t.stop());

const headersAt = async (path: string, key?: string, more: Record<string, string> = {}) => {
  const headers = { ...more, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const answer = await fetch(fair.t.url + path, { headers, redirect: 'manual' });
  await answer.arrayBuffer();
  const { status } = answer;
  return { status, caching: answer.headers.get('cache-control'), type: answer.headers.get('x-content-type-options') };
};
const kept = (status: number, caching: string) => ({ status, caching, type: 'nosniff' });

describe('what is for one caller is kept by nobody', () => {
  test.each<[number, string, 'key' | 'nobody']>([
    [200, '/v1/me', 'key'],
    [200, '/v1/events/fair/attendees', 'key'],
    [404, '/v1/events/no-such-event', 'key'],
    [401, '/v1/events', 'nobody'],
    [404, '/v1/no-such-address', 'nobody'],
    [405, '/api/v1/events/fair/scan', 'nobody'],
    [401, '/app/api/acme/contacts', 'nobody'],
    [401, '/app/api/-/account', 'nobody'],
    [404, '/o/acme/my/no-such-link', 'nobody'],
    [404, '/links/unsubscribe/no-such-link', 'nobody'],
    [404, '/links/jobs/no-such-link', 'nobody'],
    [303, '/app/-/oidc/start', 'nobody'],
    [400, '/%', 'nobody'],
    [404, '/no-such-address', 'nobody'],
  ])('%i %s (%s)', async (status, path, as) => {
    const got = await headersAt(path, as === 'key' ? fair.key : undefined);
    // The last two may be told apart by whoever reads the address first; only what is kept matters here.
    expect(got).toEqual(kept(path === '/%' ? got.status : status, 'no-store'));
  });

  test('a PDF', async () => {
    const path = `/v1/tickets/${ticket}/pdf`;
    expect(await headersAt(path, fair.key)).toEqual(kept(200, 'no-store'));
  });

  test('a signed link', async () => {
    const { body } = await fair.get('/events/fair/scan/manifest');
    const { pathname, search } = new URL(body.roster.url);
    expect(await headersAt(pathname + search)).toEqual(kept(200, 'no-store'));
  });

  test('what is no valid request', async () => {
    const [reply] = await exchange(fair.t.url, 'NONSENSE\r\n\r\n');
    expect([reply!.status, reply!.headers.get('cache-control')]).toEqual([400, 'no-store']);
  });
});

test('an answer with an ETag may be kept by whoever asked, if they ask again', async () => {
  const path = '/api/v1/events/fair/scan/manifest';
  expect(await headersAt(path, fair.key)).toEqual(kept(200, 'private, no-cache'));
  const tag = (await fair.get('/events/fair/scan/manifest')).headers.get('etag')!;
  expect(await headersAt(path, fair.key, { 'if-none-match': tag })).toEqual(kept(304, 'private, no-cache'));
});

test('what is for everybody may be kept', async () => {
  expect((await headersAt('/v1/openapi.json')).caching).toBe('no-cache');
  expect((await headersAt('/scan-cases.json')).caching).toBe('no-cache');
  expect((await headersAt('/o/acme/events.json')).caching).toBe('public, max-age=5');
  expect((await headersAt('/o/acme')).caching).toBe('no-cache');
});
