import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { serveScannerGallery } from '../support/scanner-gallery.ts';

const PHONE = { width: 360, height: 720 };
const QUALITY = 72;

/** The screens of the scanner, by the name of the picture. */
const STATES = {
  'scanner-admitted': 'answer accepted',
  'scanner-already': 'answer duplicate',
  'scanner-refused': 'answer wrong_day',
  'scanner-some': 'answer mixed',
  'scanner-who': 'who is here',
  'scanner-kiosk': 'kiosk refused',
} as const;

/** Pictures of the scanner's answers. They come from the page with all its screens, because a camera would have to see a ticket otherwise. */
export async function takeScanner(browser: Browser, folder: string): Promise<{ name: string; bytes: number }[]> {
  const gallery = await serveScannerGallery();
  const page = await browser.newPage({
    viewport: PHONE,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const session = await page.context().newCDPSession(page);
  const taken = [];
  for (const [name, state] of Object.entries(STATES)) {
    await page.goto(gallery.address(state));
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    const bytes = Buffer.from(data, 'base64');
    writeFileSync(join(folder, `${name}.webp`), bytes);
    taken.push({ name, bytes: bytes.length });
  }
  await page.close();
  gallery.stop();
  return taken;
}
