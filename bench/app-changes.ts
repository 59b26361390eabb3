import type { Browser, Page } from 'playwright-core';
import { openBrowser, openSlowed, SLOWED, verdict } from './app-browser.ts';
import { type Bench, median, ms, table, whole } from './support.ts';

const LIMIT_MS = 300;
const EVENT = '/app/big/events/big';
/** Each is opened by its link in the event's navigation, one after the other. */
const SCREENS = ['people', 'page', 'tickets', 'messages', 'check-in', 'money', 'reports', 'settings', ''];

interface Change {
  /** From the click until the screen's heading is drawn. */
  there: number;
  /** From the click until everything that the screen asks for is drawn, too. */
  whole: number;
}

/** How long it takes from one screen of a large event to the next, as somebody in front of an old laptop sees it. */
export async function measureChanges(
  bench: Bench,
  app: { url: string; session: string; attendees: number; rounds: number },
): Promise<void> {
  const browser = await openBrowser(bench);
  const first = new Map<string, Change[]>();
  const again = new Map<string, Change[]>();
  for (let round = 0; round < app.rounds; round += 1) {
    bench.say(`changes of screens: round ${round + 1} of ${app.rounds}`);
    await measureRound(browser, app, first, again);
  }
  const there = (taken: readonly Change[]) => median(taken.map((one) => one.there));
  console.log(`
From one screen to the next in an event of ${whole(app.attendees)}, processor of the browser slowed ${SLOWED} times; median of ${app.rounds}.
From the press on the link until the screen's heading is drawn, and until all that it asks for is drawn.
`);
  console.log(
    table(
      ['', 'first time', 'complete', 'again', 'complete', 'limit', ''],
      [...first].map(([name, opened]) => {
        const later = again.get(name)!;
        const complete = (taken: readonly Change[]) => ms(median(taken.map((one) => one.whole)));
        return [
          name,
          ms(there(opened)),
          complete(opened),
          ms(there(later)),
          complete(later),
          ms(LIMIT_MS),
          verdict(Math.max(there(opened), there(later)), LIMIT_MS),
        ];
      }),
    ),
  );
}

async function measureRound(
  browser: Browser,
  app: { url: string; session: string },
  first: Map<string, Change[]>,
  again: Map<string, Change[]>,
): Promise<void> {
  const page = await openSlowed(browser, app, EVENT, watch);
  for (const into of [first, again]) {
    for (const screen of SCREENS) {
      const { name, change } = await open(page, screen);
      into.set(name, [...(into.get(name) ?? []), change]);
    }
  }
  await page.context().close();
}

async function open(page: Page, screen: string): Promise<{ name: string; change: Change }> {
  const path = screen === '' ? EVENT : `${EVENT}/${screen}`;
  const link = page.getByRole('navigation', { name: 'Navigation of this event' }).locator(`a[href^="${path}"]`).first();
  await page.evaluate((goal) => {
    const left = document.querySelector('h1')?.textContent ?? '';
    window.changing = { goal, left, from: null, there: null, whole: null, quietFrames: 0 };
  }, path);
  await link.click();
  const change = await page.waitForFunction(
    () => {
      const { there, whole, quietFrames } = window.changing;
      return there !== null && whole !== null && quietFrames > 30 ? { there, whole } : null;
    },
    null,
    { polling: 50, timeout: 30_000 },
  );
  return { name: (await link.textContent())!.trim(), change: (await change.jsonValue())! };
}

interface Changing {
  /** The path that the press leads to, and the heading of the screen that is left. */
  goal: string;
  left: string;
  from: number | null;
  there: number | null;
  whole: number | null;
  /** For how many frames nothing has been asked for. */
  quietFrames: number;
}
declare global {
  interface Window {
    changing: Changing;
  }
}

/** Runs in the page: notes how long it takes from the press on a link until the screen that it leads to is drawn. */
function watch(): void {
  addEventListener('pointerdown', () => (window.changing.from ??= performance.now()), { capture: true });
  const look = () => {
    requestAnimationFrame(look);
    const state = window.changing;
    if (state?.from == null || location.pathname.replace(/\/$/, '').startsWith(state.goal) === false) return;
    const passed = performance.now() - state.from;
    const heading = document.querySelector('h1')?.textContent ?? state.left;
    if (heading !== state.left) state.there ??= passed;
    const isQuiet =
      state.there !== null &&
      document.querySelector('html:not([data-calls]):has(h1):not(:has(.skeleton, [aria-busy]))') !== null;
    state.whole = isQuiet ? (state.whole ?? passed) : null;
    state.quietFrames = isQuiet ? state.quietFrames + 1 : 0;
  };
  requestAnimationFrame(look);
}
