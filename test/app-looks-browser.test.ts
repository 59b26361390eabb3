import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './support/running.ts';
import { AREAS } from './support/screens/areas.ts';
import { dress, type Known, lookAt, show } from './support/screens/looks.ts';
import type { Screen } from './support/screens/screen.ts';
import { type ScreensWorld, startScreensWorld } from './support/screens/world.ts';
import { hasTool } from './support/tools.ts';

/** Pages side by side: while the server or the browser's own process works for one, another is looked at. */
const PAGES = 3;

const { PICTURES } = process.env;

/** What stands before the address of a screen, by the route that it is below. */
const PREFIXES: Readonly<Record<string, string>> = { organization: '$org/', event: '$org/events/$event/' };

/**
 * Every screen in every state, in four languages at 390 and 1440 px, light and dark; at 320 px nothing may be wider than the screen.
 * A screen is opened once and then changed in place. PICTURES=folder takes pictures instead, in the looks of PICTURE_LOOKS.
 * SCREENS=pattern chooses those whose name matches it.
 */
describe.skipIf(!hasTool('chromium'))('every screen of the app', { timeout: 900_000 }, () => {
  let world: ScreensWorld;
  let screens: Screen[];
  let pages: Page[];
  const known: Known = new Map();
  beforeAll(async () => {
    world = await startScreensWorld();
    screens = Object.values(AREAS).flatMap((of) => of(world));
    const open = () => world.open('/app/-/sign-in', { session: 'nobody' });
    pages = await Promise.all(Array.from({ length: PAGES }, open));
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });

  async function each(
    all: readonly Screen[],
    work: (page: Page, screen: Screen) => Promise<void>,
  ): Promise<Record<string, string>> {
    const left = all.filter(({ name }) => new RegExp(process.env.SCREENS ?? '').test(name));
    const failed: Record<string, string> = {};
    await Promise.all(
      pages.map(async (page) => {
        for (let screen = left.shift(); screen !== undefined; screen = left.shift()) {
          try {
            await show(page, world, screen);
            await work(page, screen);
          } catch (error) {
            failed[screen.name] = `cannot be shown: ${error instanceof Error ? error.message : error}`;
          }
        }
      }),
    );
    return failed;
  }

  async function takePictures(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const looks = (process.env.PICTURE_LOOKS ?? '1440 light en,390 dark de').split(',');
    const failed = await each(screens, async (page, screen) => {
      for (const look of looks) {
        await dress(page, look);
        // A picture of the whole page is taken at the width that the browser was given, not at that of the look.
        await page.setViewportSize({ width: Number.parseInt(look, 10), height: 900 });
        const path = join(folder, `${screen.name} ${look}.png`.replaceAll(/[ /]/g, '-'));
        const open = await page.locator('dialog[open]').count();
        await page.screenshot({ path, fullPage: open === 0 });
      }
    });
    expect(failed).toEqual({});
  }

  // A test that is not meant to run is not declared: it would count as skipped.
  if (PICTURES !== undefined) {
    test('pictures are taken', () => takePictures(PICTURES));
    return;
  }

  test.each(Object.entries(AREAS))('axe finds nothing, and nothing is cut off, on those %s', async (_name, of) => {
    const wrong: Record<string, unknown> = {};
    const failed = await each(of(world), async (page, screen) => {
      const found = await lookAt(page, screen, known);
      if (found.size > 0) wrong[screen.name] = Object.fromEntries(found);
    });
    expect({ ...wrong, ...failed }).toEqual({});
    // The one screen that breaks says so in the console as well.
    expect(world.complaints.splice(0).filter((one) => !one.includes("reading 'includes'"))).toEqual([]);
  });

  test('each has a name of its own, and each address of the app is among them', () => {
    expect(screens.map(({ name }) => name)).toEqual([...new Set(screens.map(({ name }) => name))]);
    const folder = join(ROOT, 'web/admin/src/routes');
    const patterns = readdirSync(folder)
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g),
      ])
      .map(([, parent, path]) => `${PREFIXES[parent!] ?? ''}${path === '/' ? '' : path}`);
    expect(patterns).toContain('$org/developers/webhooks/$webhook');
    expect(patterns).toContain('$org/events/$event/check-in/points/$point');
    const shown = screens.map(({ path }) => path.replace(/^\/app\//, '').replace(/[?#].*/, ''));
    const matches = (pattern: string) => {
      const like = new RegExp(`^${pattern.replace(/\/$/, '').replaceAll(/\$\w+/g, '(?!-/)[^/]+')}$`);
      return shown.some((path) => like.test(path));
    };
    expect(patterns.filter((pattern) => !matches(pattern))).toEqual([]);
  });
});
