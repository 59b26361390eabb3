import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { homePage } from './home-page.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
});
afterAll(() => t.stop());

test('GET / says what Turnout is, and every link on the page works', async () => {
  const page = await t.call('GET', '/');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('Event registration, ticketing and check-in.');
  const addresses = [...page.text.matchAll(/<a href="([^"]+)">/g)].map((match) => match[1]!);
  expect(addresses).toEqual(
    expect.arrayContaining([
      '/app',
      '/docs',
      '/v1/openapi.json',
      '/scan-cases.json',
      '/webhook-vectors.json',
      '/healthz',
    ]),
  );
  for (const address of addresses) expect([address, (await t.call('GET', address)).status]).toEqual([address, 200]);
  expect((await t.call('POST', '/')).status).toBe(405);
});

test('the page loads nothing else, and its policy allows only its own style', async () => {
  const { text, headers } = await t.call('GET', '/');
  expect(text).not.toMatch(/<script|<img|<iframe|@import|url\(|https?:/i);
  const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!;
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
});

test('it shows a first call if there is a sandbox, and escapes what it shows', async () => {
  expect((await t.call('GET', '/')).text).not.toContain('curl');
  const app = Fastify();
  homePage(app, { publicUrl: 'https://x.test/"><script>', testKey: 'svc_test_key' });
  const { body } = await app.inject('/');
  expect(body).toContain('curl -H "Authorization: Bearer svc_test_key" https://x.test/&quot;&gt;&lt;script&gt;/v1/me');
  expect(body).not.toContain('<script');
});
