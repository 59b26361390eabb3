import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { openBrowser } from './support/apps.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** Another site than ours, in the same browser as somebody who is signed in: a real second origin, not headers that a test sets. */
describe.skipIf(!hasTool('chromium'))('a page of another site', () => {
  let t: TestTurnout;
  let home: string;
  let evil: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const strangers: Record<string, string> = {};

  beforeAll(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    t = await startTest({ env: { PORT: String(port), PUBLIC_URL: home } });
    await t.org('acme');
    const session = await t.session('acme', 'owner');
    evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Win a prize</title><p>Click here</p>');
    });
    const listen = (host: string) =>
      new Promise<number>((resolve) => {
        evil.listen(0, host, () => resolve((evil.address() as AddressInfo).port));
      });
    const other = await listen('127.0.0.1');
    // To a browser, another port of the same host is another origin of the same site, and another host is another site.
    strangers.site = `http://127.0.0.1:${other}/`;
    strangers.port = `http://localhost:${other}/`;
    browser = await openBrowser();
    context = await browser.newContext();
    await context.addCookies([{ name: 'turnout_session', value: session, url: home, httpOnly: true, sameSite: 'Lax' }]);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    evil?.close();
    await t?.stop();
  });

  const invited = () =>
    t.system(async (tx) =>
      (await tx.all<{ email: string }>(sql`select email from invitations`)).map(({ email }) => email),
    );
  afterEach(() => t.system((tx) => tx.run(sql`delete from invitations`)));
  const isSignedIn = async () => {
    const reply = await context.request.get(`${home}/app/api/acme/membership`);
    return reply.status() === 200;
  };

  test.each(['site', 'port'])('another %s cannot change anything by a form', async (where) => {
    await page.goto(strangers[where]!);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(home)),
      page.evaluate((action) => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action, enctype: 'text/plain' });
        const field = document.createElement('input');
        // The trick that makes JSON of a form's text.
        Object.assign(field, { name: '{"email":"mallory@example.org","role":"owner","x":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      }, `${home}/app/api/acme/invitations`),
    ]);
    expect(answer.status()).toBe(403);
    expect((await answer.json()).error.code).toBe('cross_site_request');
    expect(await invited()).toEqual([]);
    expect(await isSignedIn()).toBe(true);
  });

  test.each(['site', 'port'])('another %s cannot change anything by a script, and reads no answer', async (where) => {
    await page.goto(strangers[where]!);
    const outcome = await page.evaluate(async (url) => {
      const send = async (path: string, init: RequestInit) => {
        try {
          const reply = await fetch(url + path, { credentials: 'include', ...init });
          return reply.type === 'opaque' ? 'sent, but the answer is hidden' : await reply.text();
        } catch {
          return 'refused by the browser';
        }
      };
      const body = JSON.stringify({ email: 'mallory@example.org', role: 'owner' });
      return [
        await send('/app/api/acme/invitations', { method: 'POST', mode: 'no-cors', body }),
        await send('/app/api/acme/invitations', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
        }),
        await send('/app/api/-/sign-out', { method: 'POST', mode: 'no-cors' }),
        await send('/app/api/acme/members', {}),
      ];
    }, home);
    expect(outcome).toEqual([
      'sent, but the answer is hidden',
      'refused by the browser',
      'sent, but the answer is hidden',
      'refused by the browser',
    ]);
    expect(await invited()).toEqual([]);
    expect(await isSignedIn()).toBe(true);
  });

  test('the same call from a page of ours works, so it was the origin that was refused', async () => {
    await page.goto(`${home}/healthz`);
    const status = await page.evaluate(async () => {
      const reply = await fetch('/app/api/acme/invitations', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
        body: JSON.stringify({ email: 'friend@example.org', role: 'viewer' }),
      });
      return reply.status;
    });
    expect(status).toBe(201);
    expect(await invited()).toEqual(['friend@example.org']);
  });

  test('nothing of the app can be put into a frame of another site', async () => {
    await page.goto(strangers.site!);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
      return new Promise((resolve) => frame.addEventListener('load', resolve));
    }, `${home}/app/-/sign-in`);
    // The frame is loaded in another process, whose news may come a moment later.
    const shown = () => page.frames().map((frame) => frame.url());
    await expect.poll(shown).toEqual([strangers.site, 'chrome-error://chromewebdata/']);
  });
});
