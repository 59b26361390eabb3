import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openBrowser } from './support/apps.ts';
import { cleanUp, freePort, newFolder, Program, ROOT } from './support/running.ts';
import { hasTool } from './support/tools.ts';

afterAll(cleanUp);

describe.skipIf(!hasTool('chromium'))('npm run dev', { timeout: 240_000 }, () => {
  test('serves the screens at the address of the server, and loads a changed one without loading the page', async () => {
    const port = await freePort();
    const dev = new Program([process.execPath, join(ROOT, 'scripts', 'dev.mjs')], {
      PORT: String(port),
      DATA_DIR: newFolder(),
      SANDBOX: 'off',
    });
    const home = `http://localhost:${port}`;
    await dev.says(`${home}/app/-/start#`, 120_000);
    await dev.says(/ready in/, 120_000);
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ locale: 'en-GB' });
      page.setDefaultTimeout(120_000);
      await page.goto(`${home}/app`);
      await page.waitForURL('**/app/-/sign-in');
      await page.getByLabel('E-mail').waitFor();
      for (const [path, status] of [
        ['/readyz', 200],
        ['/v1/me', 401],
        ['/app/api/-/account', 401],
      ] as const) {
        expect([path, (await page.request.get(home + path)).status()]).toEqual([path, status]);
      }
      await page.getByLabel('E-mail').fill('ada@example.org');
      // Only the time of the file changes: other tests build from the same sources.
      const updated = page.waitForEvent('console', (message) => message.text().includes('hot updated'));
      utimesSync(join(ROOT, 'web', 'admin', 'src', 'screens', 'sign-in', 'ways.tsx'), new Date(), new Date());
      expect((await updated).text()).toContain('/src/screens/sign-in/ways.tsx');
      expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.org');

      // The scanner is at the same address, from a Vite of its own.
      await page.goto(`${home}/scan`);
      await page.locator('#app > *').first().waitFor();
      expect(await page.title()).toBe('Turnout Scanner');
      const again = page.waitForEvent('load');
      utimesSync(join(ROOT, 'web', 'scan', 'src', 'app.tsx'), new Date(), new Date());
      await again;
    } finally {
      await browser.close();
    }
    dev.signalGroup('SIGINT');
    expect((await dev.ended).code).toBe(0);
  });
});
