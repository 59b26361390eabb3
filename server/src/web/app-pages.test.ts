import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { appPages } from './app-pages.ts';

const SCRIPT = 'console.log("Turnout")'.repeat(50);
let builds: string;
let t: TestTurnout;
beforeAll(async () => {
  builds = mkdtempSync(join(tmpdir(), 'turnout-pages-'));
  writeFileSync(join(builds, 'secret.txt'), 'outside of every build');
  putBuild(builds);
  t = await startTest({ apps: builds });
});
afterAll(async () => {
  await t?.stop();
  rmSync(builds, { recursive: true, force: true });
});

function putBuild(into: string): void {
  const assets = join(into, 'abc', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(into, 'abc', 'index.html'), '<!doctype html><title>Turnout</title>');
  writeFileSync(join(assets, 'main-1a2b.js'), SCRIPT);
  writeFileSync(join(assets, 'main-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(assets, 'main-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, 'inter-3c4d.woff2'), 'font');
  writeFileSync(join(into, 'current'), 'abc');
}
const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ method: 'GET', url, headers });

test('before anything was built, /app says so; afterwards it is there without a restart', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'turnout-pages-'));
  const fresh = Fastify();
  appPages(fresh, { publicUrl: 'http://localhost', builds: empty });
  const before = await fresh.inject('/app');
  expect([before.statusCode, before.body]).toEqual([503, expect.stringContaining('not built')]);
  putBuild(empty);
  expect((await fresh.inject('/app')).statusCode).toBe(200);
  await fresh.close();
  rmSync(empty, { recursive: true, force: true });
});

describe('the page', () => {
  test.each([
    '/app',
    '/app/',
    '/app/acme',
    '/app/acme/team?q=a',
    '/app/-/sign-in',
    '/app/-/invitation',
    '/app/acme/a/b/c',
  ])('is the same at %s, so that its addresses can be bookmarked', async (url) => {
    const page = await get(url);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toBe('<!doctype html><title>Turnout</title>');
  });

  test('has a strict policy without anything inline, and cannot be framed, sniffed or referred', async () => {
    const { headers } = await get('/app/acme');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
  });

  test('is asked for each time, and not sent again if it has not changed', async () => {
    const first = await get('/app/acme');
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await get('/app/other', { 'if-none-match': first.headers.etag as string });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/app', { 'if-none-match': '"another"' })).statusCode).toBe(200);
  });

  test('HEAD answers without the content; other methods are refused', async () => {
    const head = await t.call('HEAD', '/app/acme');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '37']);
    expect((await t.call('DELETE', '/app')).status).toBe(405);
  });

  test('on https, browsers are told to stay there; on http they are not', async () => {
    expect((await get('/app')).headers).not.toHaveProperty('strict-transport-security');
    const secure = await startTest({ apps: builds, env: { PUBLIC_URL: 'https://turnout.test' } });
    try {
      const { headers } = await secure.app.inject({ method: 'GET', url: '/app' });
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    } finally {
      await secure.stop();
    }
  });
});

describe('the files', () => {
  test('are kept by browsers for good, with their type', async () => {
    const script = await get('/app/assets/main-1a2b.js');
    expect(script.body).toBe(SCRIPT);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect((await get('/app/assets/inter-3c4d.woff2')).headers['content-type']).toBe('font/woff2');
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['br;q=0.0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('for Accept-Encoding: %s they come as %s', async (accept, encoding, unpack) => {
    const reply = await get('/app/assets/main-1a2b.js', { 'accept-encoding': accept });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(unpack(reply.rawPayload).toString()).toBe(SCRIPT);
  });

  test.each([
    '/app/assets/main-0000.js',
    '/app/assets/',
    '/app/assets',
    '/app/assets/main-1a2b.js.gz',
    '/app/assets/..%2f..%2fsecret.txt',
    '/app/assets/..%2findex.html',
    '/app/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/app/assets/../../secret.txt',
    '/app/assets/..%5c..%5csecret.txt',
    '/app/assets/main-1a2b.js%00.txt',
    '/app/assets/constructor',
    '/app/assets/__proto__',
  ])('%s is 404', async (url) => {
    const reply = await get(url);
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found']);
    expect(reply.body).not.toContain('outside');
  });
});

test.each(['/app/api', '/app/api/', '/app/api/acme/nothing-here', '/app/api/-/nothing-here'])(
  '%s is answered as an operation that does not exist, not with the page',
  async (url) => {
    const reply = await get(url);
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found']);
  },
);
