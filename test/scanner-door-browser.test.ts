import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import { requireApps } from './support/apps.ts';
import { noteAtCamera, watchAtDoor } from './support/scanner/at-camera.ts';
import { type Film, writeFilm } from './support/scanner/film.ts';
import { openGate } from './support/scanner/gate.ts';
import { drawScenes } from './support/scanner/scenes.ts';
import { openCamera } from './support/scanner/watch.ts';
import { hasTool } from './support/tools.ts';

const TICKETS = 4;
/** A phone: straight, turned, far away, and so near that its code does not fit on the screen. */
const FROM = 4;

/** The whole way: a ticket of the server, as a PDF before the camera of the app, and the answer on its screen. */
describe.skipIf(!hasTool('chromium'))('tickets before the camera of the scanner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-film-'));
  let fair: Fair;
  let film: Film;
  let browser: Browser;
  beforeAll(async () => {
    await requireApps();
    fair = await openFair();
    const codes = [];
    for (let i = 0; i < TICKETS; i += 1) codes.push((await fair.register()).code);
    film = writeFilm(join(folder, 'tickets.y4m'), await drawScenes(codes, FROM));
    browser = await openCamera(join(folder, 'tickets.y4m'));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await fair?.t.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are answered once each: by the server, and without a network by the device', async () => {
    const manager = await fair.t.session('acme', 'manager');
    const pairing = await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', {});
    const gate = await openGate(fair.t.url, null);
    const context = await browser.newContext({ locale: 'en-GB', permissions: ['camera'] });
    try {
      const page = await context.newPage();
      await noteAtCamera(page);
      await page.goto(`${gate.url}/scan#pair=${pairing.body.code}`);
      await page.getByRole('button', { name: 'Pair', exact: true }).click();
      // The camera starts with the film, but it is the one after this page has been opened again that is watched.
      await page.getByRole('button', { name: /^Gate/ }).waitFor();
      await page.getByRole('button', { name: /^Gate/ }).click();
      await page.locator('.freshness', { hasText: /tickets?, updated/ }).waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready);

      const seen = await watchAtDoor(page, film, `${gate.url}/scan`);
      expect(seen.map(({ answers }) => answers.length)).toEqual(Array(TICKETS).fill(1));
      // On a busy machine the server may need more than 400 ms now and then.
      expect(seen.flatMap(({ answers }) => answers.map(({ by }) => by))).toContain('server');

      gate.fault = () => ({ do: 'drop' });
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.locator('.scan [data-connection="offline"]').waitFor();
      const alone = await watchAtDoor(page, film, `${gate.url}/scan`);
      const known = { result: 'duplicate', by: 'device' };
      expect(alone.map(({ answers }) => answers)).toEqual(Array.from({ length: TICKETS }, () => [known]));
    } finally {
      await context.close();
      await gate.stop();
    }
  }, 240_000);
});
