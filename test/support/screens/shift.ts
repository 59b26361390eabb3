import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { settled } from '../app-world.ts';
import { prepare } from './looks.ts';
import type { Screen } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** What moved while a screen was loading. */
export interface Shift {
  /** The sum of all layout shifts until the screen has everything; at least as much as what browsers call CLS. */
  sum: number;
  /** The elements that moved, the worst first, with where they stood before and after. */
  moved: string[];
}

/**
 * The answers of the server come this late, each a little later than the one before: as over a network, where one part of a screen after
 * the other gets what it shows. If all came in the same frame, nothing would be seen moving.
 */
const LATE_MS = { first: 120, more: 60, most: 420 };
/** What is drawn after the last answer may still move something. */
const AFTER_MS = 400;

declare global {
  interface Window {
    shifts: { value: number; moved: string[] }[];
  }
}

/** Runs in the page before the app does. */
function observe(): void {
  const name = (node: Node | null) => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    if (element === null) return 'something that is gone';
    const classes = typeof element.className === 'string' ? element.className.trim().replaceAll(/\s+/g, '.') : '';
    return `${element.tagName.toLowerCase()}${classes && `.${classes}`} "${(element.textContent ?? '').slice(0, 24)}"`;
  };
  const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
  interface LayoutShift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[])
      if (!hadRecentInput)
        window.shifts.push({
          value,
          moved: sources.map((one) => `${name(one.node)} from ${place(one.previousRect)} to ${place(one.currentRect)}`),
        });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** A page that notes what moves in it. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(observe);
}

/** Loads a screen by its address, as a bookmark does, and says what moved until it was complete. */
export async function shiftOf(page: Page, world: ScreensWorld, screen: Screen, width: number): Promise<Shift> {
  await prepare(page, world, screen, width);
  let calls = 0;
  await page.route(
    ({ pathname }) => pathname.startsWith('/app/api/'),
    async (route) => {
      await sleep(Math.min(LATE_MS.first + LATE_MS.more * calls++, LATE_MS.most));
      await route.fallback();
    },
  );
  await page.goto(world.home + screen.path);
  await settled(page);
  await sleep(AFTER_MS);
  const shifts = await page.evaluate(() => window.shifts);
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts
      .toSorted((a, b) => b.value - a.value)
      .flatMap(({ value, moved }) => moved.map((one) => `${value.toFixed(3)} ${one}`)),
  };
}
