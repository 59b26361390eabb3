import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AREAS } from './support/screens/areas.ts';
import { PHONE, WIDE } from './support/screens/looks.ts';
import type { Screen } from './support/screens/screen.ts';
import { type Shift, shiftOf, watchShifts } from './support/screens/shift.ts';
import { type ScreensWorld, startScreensWorld } from './support/screens/world.ts';
import { hasTool } from './support/tools.ts';

/** A shift of 0.1 is what browsers call good. Ours is a fifth of it: a line that moves by a few pixels, no more. */
const LIMIT = 0.02;
const PAGES = 2;

/**
 * What moves while a screen is loading, at 390 and 1440 px. Screens that need a click are left out: what moves after it is expected.
 * SCREENS chooses those whose name it matches, as a regular expression, and prints which elements moved.
 */
describe.skipIf(!hasTool('chromium'))('while a screen is loading', { timeout: 900_000 }, () => {
  let world: ScreensWorld;
  let pages: Page[];
  beforeAll(async () => {
    world = await startScreensWorld();
    const open = () => world.open('/app/-/sign-in', { session: 'nobody' });
    pages = await Promise.all(Array.from({ length: PAGES }, open));
    await Promise.all(pages.map(watchShifts));
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });

  /** What moved in each screen, and which could not be measured: the others are looked at all the same. */
  async function measure(screens: readonly Screen[], width: number) {
    const left = screens.filter(
      ({ act, name }) => act === undefined && new RegExp(process.env.SCREENS ?? '').test(name),
    );
    const found: Record<string, Shift> = {};
    const failed: string[] = [];
    await Promise.all(
      pages.map(async (page) => {
        for (let screen = left.shift(); screen !== undefined; screen = left.shift()) {
          try {
            found[screen.name] = await shiftOf(page, world, screen, width);
          } catch (error) {
            failed.push(`${screen.name}: ${(error as Error).message}`);
          }
        }
      }),
    );
    return { found, failed };
  }

  test.each([WIDE, PHONE])(`no screen moves by more than ${LIMIT} at %i px`, async (width) => {
    const { found, failed } = await measure(
      Object.values(AREAS).flatMap((of) => of(world)),
      width,
    );
    const worst = Object.entries(found).toSorted(([, a], [, b]) => b.sum - a.sum);
    for (const [name, { sum, moved }] of worst) {
      console.log(`${width} ${sum.toFixed(3)} ${name}`);
      if (process.env.SCREENS !== undefined) for (const one of moved.slice(0, 8)) console.log(`      ${one}`);
    }
    expect(failed).toEqual([]);
    expect(worst.filter(([, { sum }]) => sum > LIMIT).map(([name, { sum }]) => `${name} ${sum.toFixed(3)}`)).toEqual(
      [],
    );
  });
});
