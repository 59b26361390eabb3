import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './support/apps.ts';
import { type ScannerGallery, serveScannerGallery } from './support/scanner-gallery.ts';
import { findingsOf, type Known, lookAt } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

const PAGES = 3;
/** A phone that is held across, and one of the smallest. */
const ACROSS = [
  { width: 740, height: 360 },
  { width: 568, height: 320 },
] as const;

/** Every screen of the scanner in every state: four languages, light and dark, upright and across. SCREENS=text chooses some. */
describe.skipIf(!hasTool('chromium'))('every screen of the scanner', { timeout: 900_000 }, () => {
  let browser: Browser;
  let gallery: ScannerGallery;
  let states: string[];
  beforeAll(async () => {
    gallery = await serveScannerGallery();
    browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(gallery.address());
    states = await page.locator('html[data-ready] a').allTextContents();
    await page.close();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    gallery?.stop();
  });

  async function each(work: (page: Page, state: string) => Promise<void>): Promise<Record<string, unknown>> {
    const left = states.filter((name) => name.includes(process.env.SCREENS ?? ''));
    expect(left.length).toBeGreaterThan(0);
    const failed: Record<string, unknown> = {};
    await Promise.all(
      Array.from({ length: PAGES }, async () => {
        const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        for (let state = left.shift(); state !== undefined; state = left.shift()) {
          try {
            await page.emulateMedia({ colorScheme: 'light' });
            await page.setViewportSize({ width: 390, height: 844 });
            await page.goto(gallery.address(state));
            await page.locator('html[data-ready]').waitFor({ state: 'attached' });
            await work(page, state);
          } catch (error) {
            failed[state] = `cannot be shown: ${error instanceof Error ? error.message : error}`;
          }
          if (errors.length > 0) failed[state] = errors.splice(0);
        }
        await context.close();
      }),
    );
    return failed;
  }

  test('has nothing that axe finds, nothing that is cut off and nothing that is too wide', async () => {
    const wrong: Record<string, unknown> = {};
    const known: Known = new Map();
    const failed = await each(async (page, state) => {
      const found = await lookAt(page, { name: state, as: 'nobody', path: '', widths: [390] }, known);
      if (found.size > 0) wrong[state] = Object.fromEntries(found);
    });
    expect({ ...wrong, ...failed }).toEqual({});
  });

  test('fits on a phone that is held across, and every button can be reached', async () => {
    const wrong: Record<string, string[]> = {};
    const failed = await each(async (page, state) => {
      for (const size of ACROSS) {
        await page.setViewportSize(size);
        const found = await page.evaluate(outOfReach);
        if (found.length > 0) wrong[`${state} ${size.width}`] = found;
      }
      const small = await findingsOf(page, 'sizes');
      if (small.length > 0) wrong[`${state}, axe`] = small;
    });
    expect({ ...wrong, ...failed }).toEqual({});
  });

  test('the control: what is wrong is found', async () => {
    const page = await browser.newPage();
    await page.goto(gallery.address('scan'));
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await page.setViewportSize(ACROSS[0]);
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('.bar')!.style.width = '3000px';
      document.querySelector<HTMLElement>('.bar button span')!.remove();
      document.querySelector<HTMLElement>('.bar button svg')!.style.width = '3000px';
    });
    expect((await page.evaluate(outOfReach)).join()).toContain('out of reach');
    expect((await findingsOf(page)).join()).toContain('button-name');
    await page.close();
  });

  test('an answer is read from two metres: the word is large, and its contrast is at least 7 to 1', async () => {
    const wrong: Record<string, unknown> = {};
    let looked = 0;
    const failed = await each(async (page, state) => {
      if (!state.startsWith('answer ') && !/^kiosk (admitted|refused)/.test(state)) return;
      await page.locator('.covers .answer-title').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        looked += 1;
        const seen = await page.evaluate(legibility);
        if (seen.title < 12 || seen.contrast < 7 || !seen.sign) wrong[`${state} ${colorScheme}`] = seen;
      }
    });
    expect({ ...wrong, ...failed }).toEqual({});
    if (process.env.SCREENS === undefined) expect(looked).toBeGreaterThan(40);
  });

  test('nothing on the camera screen moves when an answer comes and goes', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const places = async () => {
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      return page.evaluate(() =>
        ['.scan-head', '.scan-view', '.scan-foot'].map((one) => {
          const { x, y, width, height } = document.querySelector(one)!.getBoundingClientRect();
          return [one, x, y, width, height];
        }),
      );
    };
    await page.goto(gallery.address('scan'));
    const before = await places();
    // The answer stays until it is let go, however long looking at it takes.
    await page.addInitScript(() => {
      const wait = globalThis.setTimeout;
      const held: (() => void)[] = [];
      const hold = (work: () => void, ms = 0) => (ms < 300 ? wait(work, ms) : held.push(work));
      const letGo = () => {
        for (const work of held.splice(0)) work();
      };
      Object.assign(globalThis, { setTimeout: hold, letGo });
    });
    await page.goto(gallery.address('scan after an answer'));
    await page.locator('.answer.covers [data-result="accepted"]').waitFor();
    expect(await places()).toEqual(before);
    await page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo());
    await page.locator('.answer.line [data-result="accepted"]').waitFor();
    expect(await places()).toEqual(before);
    await page.close();
  });
});

/** Runs in the page: a page that scrolls sideways, and controls that no scrolling brings onto the screen. */
function outOfReach(): string[] {
  const root = document.documentElement;
  const found: string[] = [];
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
  const shown = document.querySelector('dialog[open]') ?? document;
  for (const one of shown.querySelectorAll<HTMLElement>('button, input, select')) {
    if (!one.checkVisibility() || one.closest('[inert]') !== null) continue;
    one.scrollIntoView({ block: 'center' });
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    const name = `${one.tagName.toLowerCase()} “${one.innerText.slice(0, 40)}”`;
    if (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1)
      found.push(`${name} is out of reach`);
    if (one.tagName === 'BUTTON' && (width < 44 || height < 44)) found.push(`${name} is too small for a thumb`);
  }
  return found;
}

/** Runs in the page: the size of the word in hundredths of the shorter side, and the contrast of everything in the answer. */
function legibility(): { title: number; contrast: number; sign: boolean } {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const light = (colour: string) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = (element: Element): string => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? backOf(element.parentElement!) : backgroundColor;
  };
  const answer = document.querySelector('.covers')!;
  const texts = answer.querySelectorAll('.answer-words p, .answer-words span, .answer-words bdi, button');
  const contrasts = [...texts].map((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(backOf(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  const size = Number.parseFloat(getComputedStyle(answer.querySelector('.answer-title')!).fontSize);
  const sign = answer.querySelector('.answer-sign svg')!.getBoundingClientRect();
  return {
    title: Math.round((size / Math.min(innerWidth, innerHeight)) * 1000) / 10,
    contrast: Math.min(...contrasts),
    sign: sign.width > 0,
  };
}
