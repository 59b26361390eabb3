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
let scanner: string;
let t: TestTurnout;
beforeAll(async () => {
  builds = mkdtempSync(join(tmpdir(), 'turnout-pages-'));
  writeFileSync(join(builds, 'secret.txt'), 'outside of every build');
  putBuild(builds);
  scanner = mkdtempSync(join(tmpdir(), 'turnout-pages-'));
  putBuild(scanner, 'Turnout Scanner');
  putBesideThePage(join(scanner, 'abc'));
  t = await startTest({ apps: { admin: builds, scan: scanner } });
});
afterAll(async () => {
  await t?.stop();
  for (const folder of [builds, scanner]) rmSync(folder, { recursive: true, force: true });
});

function putBuild(into: string, title = 'Turnout'): void {
  const assets = join(into, 'abc', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(into, 'abc', 'index.html'), `<!doctype html><title>${title}</title>`);
  writeFileSync(join(assets, 'main-1a2b.js'), SCRIPT);
  writeFileSync(join(assets, 'main-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(assets, 'main-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, 'inter-3c4d.woff2'), 'font');
  writeFileSync(join(into, 'current'), 'abc');
}
/** What only the scanner has: a service worker, its manifest, an icon and the decoder. */
function putBesideThePage(build: string): void {
  writeFileSync(join(build, 'sw.js'), 'self.skipWaiting()');
  writeFileSync(join(build, 'manifest.webmanifest'), '{}');
  writeFileSync(join(build, 'icon-192.png'), 'png');
  writeFileSync(join(build, 'assets', 'decoder-5e6f.wasm'), SCRIPT);
  writeFileSync(join(build, 'assets', 'decoder-5e6f.wasm.br'), brotliCompressSync(SCRIPT));
}
const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ method: 'GET', url, headers });

test('before anything was built, /app says so; afterwards it is there without a restart', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'turnout-pages-'));
  const fresh = Fastify();
  appPages(fresh, { publicUrl: 'http://localhost', builds: { admin: empty } });
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
    const secure = await startTest({
      apps: { admin: builds, scan: scanner },
      env: { PUBLIC_URL: 'https://turnout.test' },
    });
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

describe('the scanner', () => {
  test.each(['/scan', '/scan/', '/scan?a=b', '/scan/settings', '/scan/a/b'])('has its own page at %s', async (url) => {
    const page = await get(url);
    expect([page.statusCode, page.body]).toEqual([200, '<!doctype html><title>Turnout Scanner</title>']);
  });

  test('may use the camera, WebAssembly, workers and video, and nothing else that the organizer’s app may not', async () => {
    const { headers } = await get('/scan');
    const theirs = (await get('/app')).headers;
    const rules = (policy: unknown) => String(policy).split('; ');
    const [scan, admin] = [rules(headers['content-security-policy']), rules(theirs['content-security-policy'])];
    expect(scan.filter((rule) => !admin.includes(rule))).toEqual([
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      "media-src 'self' blob:",
    ]);
    expect(admin.filter((rule) => !scan.includes(rule))).toEqual(["script-src 'self'"]);
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(), geolocation=(), payment=()');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  test.each([
    ['/scan/sw.js', 'text/javascript; charset=utf-8'],
    ['/scan/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/scan/icon-192.png', 'image/png'],
  ])('%s is asked for each time, and not sent again if it has not changed', async (url, type) => {
    const file = await get(url);
    expect([file.statusCode, file.headers['content-type'], file.headers['cache-control']]).toEqual([
      200,
      type,
      'no-cache',
    ]);
    const again = await get(url, { 'if-none-match': file.headers.etag as string });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('its service worker may answer for /scan, which has no slash at the end', async () => {
    expect((await get('/scan/sw.js')).headers['service-worker-allowed']).toBe('/scan');
    expect((await get('/app')).headers).not.toHaveProperty('service-worker-allowed');
  });

  test('the decoder is WebAssembly, compressed, and kept for good', async () => {
    const wasm = await get('/scan/assets/decoder-5e6f.wasm', { 'accept-encoding': 'br' });
    expect(wasm.headers).toMatchObject({
      'content-type': 'application/wasm',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(brotliDecompressSync(wasm.rawPayload).toString()).toBe(SCRIPT);
  });

  test.each(['/scan/assets', '/scan/assets/', '/scan/assets/main-0000.js', '/scan/assets/..%2fsw.js'])(
    '%s is 404',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );

  test('addresses that only begin alike are not the scanner', async () => {
    expect((await get('/scan-cases.json')).headers['content-type']).toContain('application/json');
    expect((await get('/scanner')).statusCode).toBe(404);
  });

  test('a file that only the scanner has is not in the organizer’s app', async () => {
    expect((await get('/app/sw.js')).headers['content-type']).toBe('text/html; charset=utf-8');
  });
});
