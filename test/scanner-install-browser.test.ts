import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from './support/apps.ts';
import { buildScanner, ScannerServer, type ToldBuild } from './support/scanner.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('the scanner, installed in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let one: Awaited<ReturnType<typeof buildScanner>>;
  let two: Awaited<ReturnType<typeof buildScanner>>;
  const server = new ScannerServer();
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    one = await buildScanner('one');
    two = await buildScanner('two');
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    one?.remove();
    two?.remove();
  });
  beforeEach(async () => {
    server.lie = null;
    await server.start(one.builds);
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
  });
  afterEach(async () => {
    await context.close();
    await server.stop();
  });

  const open = (path = '/scan') => page.goto(server.address + path);
  /** Which build the page and its script are of. Both must be of the same. */
  const build = () =>
    page.evaluate(() => [
      document.querySelector('meta[name=build]')?.getAttribute('content'),
      (globalThis as unknown as ToldBuild).builtAs,
    ]);
  const controlled = () => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  const cached = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).sort();
      const paths = await Promise.all(
        names.map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort(),
        ),
      );
      return paths;
    });
  const install = async () => {
    await open();
    await controlled();
    await drawn();
  };
  const drawn = async (on = page) => {
    await on.waitForFunction(() => 'builtAs' in globalThis);
    await on.locator('#app > *').first().waitFor();
  };
  /** A newer build is on the server and has been loaded by the browser, beside the one that runs. */
  const waiting = async () => {
    await server.stop();
    await server.start(two.builds);
    await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration('/scan'))!;
      await registration.update();
    });
    const isWaiting = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/scan'))!.waiting !== null);
    await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true);
  };
  const told = (on = page) => on.evaluate(() => (globalThis as unknown as ToldBuild).told);
  const takeOver = async () => {
    const loaded = page.waitForEvent('load');
    expect(await page.evaluate(() => (globalThis as unknown as ToldBuild).updates.applyUpdate())).toBe(true);
    await loaded;
    await drawn();
  };

  test('can be put on the home screen: Chromium finds nothing that is in the way', async () => {
    await install();
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Chromium installs nothing from windows that keep nothing, which is what a test has; that is its only complaint.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    const { url, errors, data } = await devtools.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/scan/manifest.webmanifest', []]);
    const manifest = JSON.parse(data!);
    expect(manifest).toMatchObject({ display: 'standalone', start_url: '/scan', scope: '/scan', orientation: 'any' });
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await page.request.get(server.address + src);
      expect([src, icon.status(), icon.headers()['content-type']!.split(';')[0]]).toEqual([src, 200, type]);
      if (type !== 'image/png') continue;
      const png = await icon.body();
      expect([src, `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`]).toEqual([src, sizes]);
    }
  });

  test('keeps every file of the build, once, asks for none of them again, and answers nothing else with them', async () => {
    await install();
    const page1 = await (await page.request.get(`${server.address}/scan/sw.js`)).text();
    const [kept, ...more] = await cached();
    expect(more).toEqual([]);
    const listed = [...page1.matchAll(/["'`](\/scan\/[^"'`]*)["'`],\s*["'`]sha256-/g)].map(([, path]) => path!);
    expect(kept).toEqual([...new Set(listed)].sort());
    expect(kept).toContain('/scan/');
    server.asked = [];
    await page.reload();
    await drawn();
    const call = () => page.evaluate(() => fetch('/api/v1/anything').then((answer) => answer.status));
    expect(await call()).toBe(200);
    // What is left is the browser looking for a newer version, and calls.
    expect(server.asked.filter((path) => path !== '/scan/sw.js')).toEqual(['/api/v1/anything']);
    // Other addresses that begin alike are not answered with the page.
    expect((await open('/scan-cases.json'))!.status()).toBe(404);
    expect((await open('/scanner'))!.status()).toBe(404);

    // While the server is stopped, it opens at each of its addresses, with its policy.
    await server.stop();
    for (const path of ['/scan', '/scan/', '/scan/some/screen', '/scan?from=home']) {
      const answer = await open(path);
      await drawn();
      expect(await build(), path).toEqual(['one', 'one']);
      expect(answer!.fromServiceWorker()).toBe(true);
      expect(answer!.headers()['content-security-policy']).toContain("'wasm-unsafe-eval'");
      expect(answer!.headers()['permissions-policy']).toContain('camera=(self)');
      await page.reload();
      await drawn();
    }
    // Calls are never answered from the cache.
    await expect(call()).rejects.toThrow('Failed to fetch');
  });

  describe('a newer version', () => {
    test('loads what is different, waits while the old one is used, also when the page is loaded again, and takes over when it is told to', async () => {
      await install();
      await page.evaluate(() => localStorage.setItem('queue', 'three scans'));
      expect(await told()).toBe(0);
      const [before] = await cached();
      await waiting();
      // Only the files that are different are loaded.
      const loaded = server.asked.filter((path) => path.startsWith('/scan/assets/'));
      expect(loaded.length).toBeGreaterThan(0);
      expect(loaded.filter((path) => before!.includes(path))).toEqual([]);
      await expect.poll(() => told()).toBe(1);
      expect(await build()).toEqual(['one', 'one']);
      await page.reload();
      await drawn();
      await expect.poll(() => told()).toBe(1);
      expect(await build()).toEqual(['one', 'one']);
      await takeOver();
      expect(await build()).toEqual(['two', 'two']);
      // The old one is gone, and nothing else.
      await expect.poll(async () => (await cached()).length).toBe(1);
      expect(await page.evaluate(() => localStorage.getItem('queue'))).toBe('three scans');
      await server.stop();
      await page.reload();
      await drawn();
      expect(await build()).toEqual(['two', 'two']);
    });

    test('is asked for, loaded and used at once where the server refuses the old one', async () => {
      await install();
      const now = () => page.evaluate(() => (globalThis as unknown as ToldBuild).updates.updateNow());
      expect(await now()).toBe(false);
      await server.stop();
      expect(await now()).toBe(false);
      await server.start(two.builds);
      const loaded = page.waitForEvent('load');
      expect(await now()).toBe(true);
      await loaded;
      await drawn();
      expect(await build()).toEqual(['two', 'two']);
      expect(await now()).toBe(false);
    });

    test('is told of in another tab, which then only has to be loaded again', async () => {
      await install();
      const other = await context.newPage();
      await other.goto(`${server.address}/scan`);
      await drawn(other);
      await waiting();
      await expect.poll(() => told(other)).toBe(1);
      await takeOver();
      await expect.poll(() => told(other)).toBeGreaterThan(1);
      const loaded = other.waitForEvent('load');
      await other.evaluate(() => (globalThis as unknown as ToldBuild).updates.applyUpdate());
      await loaded;
      await drawn(other);
      expect(await other.evaluate(() => (globalThis as unknown as ToldBuild).builtAs)).toBe('two');
    });

    test('is not taken from a network that answers everything with its sign-in page; the old one goes on', async () => {
      await install();
      await server.stop();
      await server.start(two.builds);
      server.lie = (path) => (path === '/scan/sw.js' ? null : '<title>Welcome to the hotel</title>');
      const state = await page.evaluate(async () => {
        const registration = (await navigator.serviceWorker.getRegistration('/scan'))!;
        await registration.update();
        const found = registration.installing ?? registration.waiting;
        if (found === null) return 'none';
        if (found.state === 'installing')
          await new Promise((resolve) => found.addEventListener('statechange', resolve, { once: true }));
        return found.state;
      });
      expect(state).toBe('redundant');
      await page.reload();
      await drawn();
      expect(await build()).toEqual(['one', 'one']);
      // Out of the hotel, what it left behind is no hindrance.
      server.lie = null;
      await waiting();
      await takeOver();
      expect(await build()).toEqual(['two', 'two']);
    });
  });

  test('a cache that lost files is filled again when the app is opened, and what a killed installation left behind by the next one', async () => {
    await install();
    const [whole] = await cached();
    await page.evaluate(async () => {
      const cache = await caches.open((await caches.keys())[0]!);
      for (const request of (await cache.keys()).slice(1)) await cache.delete(request);
    });
    await page.reload();
    await drawn();
    await expect.poll(async () => (await cached())[0]).toEqual(whole);
    await server.stop();
    await page.reload();
    await drawn();

    // The same version began to install and ended with some of its files; it is put there as the worker would have left it.
    await server.start(one.builds);
    const [name] = await page.evaluate(() => caches.keys());
    await page.evaluate(async (cacheName) => {
      const registration = (await navigator.serviceWorker.getRegistration('/scan'))!;
      await registration.unregister();
      const cache = await caches.open(cacheName!);
      for (const request of (await cache.keys()).slice(2)) await cache.delete(request);
    }, name);
    await page.goto('about:blank');
    server.asked = [];
    await open();
    await controlled();
    expect(await cached()).toEqual([whole]);
    await server.stop();
    await page.reload();
    await drawn();
  });
});
