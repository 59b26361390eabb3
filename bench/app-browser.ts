import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Bench } from './support.ts';

/** As if the processor were four times slower: an old laptop. */
export const SLOWED = 4;

export const verdict = (value: number, limit: number) => (value <= limit ? 'met' : 'MISSED');

/** The Chromium that is installed. It is closed after the bench. */
export async function openBrowser(bench: Bench, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', ...args],
  });
  bench.later(() => browser.close());
  return browser;
}

/** Opens an address in a slowed browser of its own, signed in. `watch` runs in the page before its own scripts. */
export async function openSlowed(
  browser: Browser,
  app: { url: string; session: string },
  path: string,
  watch: () => void,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'turnout_session', value: app.session, url: app.url }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.addInitScript(watch);
  await page.goto(`${app.url}${path}`);
  await page.waitForLoadState('networkidle');
  return page;
}
