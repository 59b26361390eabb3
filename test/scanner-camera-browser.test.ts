import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notes } from './support/scanner/camera-page.ts';
import { type Film, writeFilm } from './support/scanner/film.ts';
import { CAMERA, drawScenes, type Scene } from './support/scanner/scenes.ts';
import { type Site, startSite } from './support/scanner/site.ts';
import { listen, openCamera, ticketsOf, watchFilm } from './support/scanner/watch.ts';
import { hasTool } from './support/tools.ts';

const CODE = '7K2M9QX4T8VR3BNWJ5H6PDCZ0YAB';

describe.skipIf(!hasTool('chromium') || !hasTool('pdftoppm'))('reading', { timeout: 400_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-film-'));
  let scenes: Scene[];
  let film: Film;
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    scenes = await drawScenes(undefined, 0, 1);
    film = writeFilm(join(folder, 'tickets.y4m'), await drawScenes());
    site = await startSite({
      '/stills.json': Buffer.from(JSON.stringify({ ...CAMERA, count: scenes.length })),
      '/stills.bin': Buffer.concat(scenes.map(({ pictures }) => pictures[0]!)),
    });
    browser = await openCamera(join(folder, 'tickets.y4m'));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (permissions: string[] = ['camera'], url = site.url, by = browser) => {
    const context = await by.newContext({ permissions });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => 'turnout' in window);
    return { page, close: () => context.close() };
  };
  const stateOf = (page: Page) => page.evaluate(() => window.turnout.reader.status.state);
  const waitForState = (page: Page, state: string) =>
    page.waitForFunction((wanted) => window.turnout.reader.status.state === wanted, state);

  describe('tickets before a camera', () => {
    let notes: Notes;
    let asked: string[];
    beforeAll(async () => {
      const before = site.asked.length;
      notes = await watchFilm(browser, site.url, film);
      asked = site.asked.slice(before);
      for (const { name, shown, looked, found, ms } of ticketsOf(film, notes)) {
        console.log(`${name}: ${found} of ${looked} pictures read (${shown} shown), told after ${ms?.toFixed(0)} ms`);
      }
    }, 350_000);

    test('each is read once while it is held, in its turn, and nothing else is read', () => {
      expect(notes.codes.map(({ text }) => text)).toEqual(film.held.map(({ code }) => code));
    });

    test('no picture is misread', () => {
      const known = new Set(film.held.map(({ code }) => code));
      expect(notes.frames.flatMap(({ codes }) => codes).filter((text) => !known.has(text))).toEqual([]);
    });

    test('one picture is decoded at a time, and old ones are not kept waiting', () => {
      const overlapping = notes.frames.filter(({ at }, index) => index > 0 && at < notes.frames[index - 1]!.answered);
      expect(overlapping).toEqual([]);
    });

    test('everything comes from the server of the page, the WebAssembly once', () => {
      expect(asked.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
    });
  });

  test('pictures are read whichever way they are handed over', async () => {
    const { page, close } = await open();
    const found = await page.evaluate(() => window.turnout.readStills());
    expect(Object.keys(found)).toEqual(['VideoFrame', 'ImageBitmap', 'ImageData']);
    const codes = scenes.map(({ code }) => [code]);
    expect(found).toEqual({ VideoFrame: codes, ImageBitmap: codes, ImageData: codes });
    await close();
  });

  test('without the WebAssembly, the other decoder reads alone', async () => {
    site.down.add('wasm');
    const { page, close } = await open();
    const found = await page.evaluate(() => window.turnout.readStills(['ImageData']));
    site.down.delete('wasm');
    const read = found.ImageData!.filter((texts, index) => texts[0] === scenes[index]!.code).length;
    expect(read).toBeGreaterThan(scenes.length / 2);
    await close();
  });

  describe('how the camera is doing', () => {
    test('it starts, stops while the page is hidden, and starts again; a camera that was chosen is used until it is gone', async () => {
      const { page, close } = await open();
      expect(await stateOf(page)).toBe('off');
      await page.evaluate(() => window.turnout.reader.start());
      await waitForState(page, 'running');
      const hide = (hidden: boolean) =>
        page.evaluate((now) => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: now });
          document.dispatchEvent(new Event('visibilitychange'));
        }, hidden);
      await hide(true);
      expect(await stateOf(page)).toBe('off');
      expect(await page.evaluate(() => document.querySelector('video')!.srcObject)).toBeNull();
      await hide(false);
      await waitForState(page, 'running');

      await page.waitForFunction(() => window.turnout.reader.status.cameras.length > 0);
      const chosen = await page.evaluate(() => {
        const { id } = window.turnout.reader.status.cameras[0]!;
        window.turnout.reader.choose(id);
        return id;
      });
      await waitForState(page, 'running');
      expect(await page.evaluate(() => window.turnout.reader.status.camera)).toBe(chosen);
      expect(await page.evaluate(() => localStorage.getItem('turnout.camera.environment'))).toBe(chosen);
      await page.evaluate(() => window.turnout.reader.choose('gone'));
      await waitForState(page, 'running');
      expect(await page.evaluate(() => localStorage.getItem('turnout.camera.environment'))).toBeNull();
      await page.evaluate(() => window.turnout.reader.stop());
      expect(await stateOf(page)).toBe('off');
      await close();
    });

    test('where it is not allowed: denied, and it starts when it is allowed', async () => {
      const { page, close } = await open([]);
      await page.evaluate(() => window.turnout.reader.start());
      await waitForState(page, 'denied');
      await page.context().grantPermissions(['camera']);
      await waitForState(page, 'running');
      await close();
    });

    test('where there is none: none; on a page without https: insecure', async () => {
      const bare = await openCamera(null, '--host-resolver-rules=MAP door.example 127.0.0.1');
      const { page } = await open(['camera'], site.url, bare);
      await page.evaluate(() => window.turnout.reader.start());
      await waitForState(page, 'none');
      const plain = await open([], `http://door.example:${site.port}/camera-page.html`, bare);
      await plain.page.evaluate(() => window.turnout.reader.start());
      expect(await stateOf(plain.page)).toBe('insecure');
      await bare.close();
    });
  });

  describe('a scanner that types', () => {
    const codes = (page: Page) => page.evaluate(() => window.turnout.notes.codes.map(({ text, by }) => ({ text, by })));

    test('is read wherever the focus is, unless it is in a field, and presses no button', async () => {
      const { page, close } = await open();
      const problems = listen(page);
      await type(page, CODE, 'Enter');
      await page.focus('button');
      await type(page, CODE, 'Enter');
      await type(page, CODE, 'Tab');
      expect(await codes(page)).toEqual([CODE, CODE, CODE].map((text) => ({ text, by: 'wedge' })));
      expect(await page.evaluate(() => window.turnout.notes.clicks)).toBe(0);
      // The same button still does what it does when somebody presses Enter.
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => window.turnout.notes.clicks)).toBe(1);
      // Into a field it only types.
      await page.focus('input');
      await type(page, CODE, 'Enter');
      expect(await page.inputValue('input')).toBe(CODE);
      expect(await codes(page)).toHaveLength(3);
      expect(problems).toEqual([]);
      await close();
    });
  });
});

/** Presses keys at once, with the times that a scanner would have: a busy machine must not make it a slow typist. */
async function type(page: Page, text: string, end: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const begun = Date.now() / 1000;
  const keys = [...text].map((key) => ({ key, text: key, code: /\d/.test(key) ? `Digit${key}` : `Key${key}` }));
  const last = end === 'Enter' ? { key: end, code: end, text: '\r' } : { key: end, code: end, text: '' };
  for (const [index, { key, code, text: written }] of [...keys, last].entries()) {
    const common = { key, code, modifiers: /[A-Z]/.test(written) ? 8 : 0, timestamp: begun + index * 0.01 };
    const virtual = { windowsVirtualKeyCode: key === 'Enter' ? 13 : key === 'Tab' ? 9 : key.charCodeAt(0) };
    await session.send('Input.dispatchKeyEvent', {
      ...{ type: written === '' ? 'rawKeyDown' : 'keyDown', ...common, ...virtual },
      ...(written !== '' && { text: written }),
    });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common, ...virtual });
  }
  await session.detach();
}
