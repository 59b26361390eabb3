import type { Browser, Page } from 'playwright-core';
import { openBrowser, openSlowed, SLOWED, verdict } from './app-browser.ts';
import { type Bench, median, ms, table, whole } from './support.ts';

const LIMITS = { firstRowsMs: 1000, nextPageMs: 300, letterMs: 300 };
/** Each is typed letter by letter, one a round: frequent and rare names, with and without accents, and one of two words. */
const NAMES = ['müll', 'garc', 'beet', 'zyri', 'anna m', 'öztü', 'sore'];
const PAGES_A_ROUND = 5;

interface Measured {
  firstRows: number[];
  again: number[];
  nextPage: number[];
  letters: Map<string, number[]>;
}

/** The list of people of a very large event, as somebody in front of an old laptop sees it. */
export async function measurePeople(
  bench: Bench,
  app: { url: string; session: string; attendees: number; rounds: number },
): Promise<void> {
  const browser = await openBrowser(bench);
  const all: Measured = { firstRows: [], again: [], nextPage: [], letters: new Map() };
  for (let round = 0; round < app.rounds; round += 1) {
    bench.say(`people: round ${round + 1} of ${app.rounds}`);
    await measureRound(browser, app, NAMES[round % NAMES.length]!, all);
  }
  const row = (name: string, taken: readonly number[], limit?: number) => [
    name,
    ms(median(taken)),
    ms(Math.max(...taken)),
    ...(limit === undefined ? ['', ''] : [ms(limit), verdict(median(taken), limit)]),
  ];
  console.log(`
People of an event of ${whole(app.attendees)}, processor of the browser slowed ${SLOWED} times; ${app.rounds} rounds.
From the click, the scrolling or the key until the answer is drawn and nothing is asked for any more.
`);
  const letters = [...all.letters].map(([typed, taken]) => row(`a letter: ${typed}`, taken, LIMITS.letterMs));
  console.log(
    table(
      ['', 'median', 'longest', 'limit', ''],
      [
        row('first rows, from the overview', all.firstRows, LIMITS.firstRowsMs),
        row('first rows, page loaded again', all.again),
        row('next page', all.nextPage, LIMITS.nextPageMs),
        ...letters,
        row('a letter, all of them', [...all.letters.values()].flat(), LIMITS.letterMs),
      ],
    ),
  );
}

async function measureRound(browser: Browser, app: { url: string; session: string }, name: string, all: Measured) {
  const page = await openSlowed(browser, app, '/app/big/events/big', watch);
  const link = page
    .getByRole('navigation', { name: 'Navigation of this event' })
    .getByRole('link', { name: 'People', exact: true });
  await expectAnswer(page, '/attendees?', () => link.click());
  all.firstRows.push(await answered(page));
  for (let n = 0; n < PAGES_A_ROUND; n += 1) {
    await expectAnswer(page, 'cursor=', () => page.evaluate(() => scrollTo(0, document.body.scrollHeight)));
    all.nextPage.push(await answered(page));
  }
  await page.reload();
  all.again.push(await answered(page));
  await page.waitForLoadState('networkidle');
  await page.getByRole('searchbox').first().focus();
  for (let n = 1; n <= name.length; n += 1) {
    const typed = name.slice(0, n);
    if (typed.endsWith(' ')) {
      await page.keyboard.type(' ');
      continue;
    }
    await expectAnswer(page, `search=${new URLSearchParams({ typed }).toString().slice(6)}&`, () =>
      page.keyboard.type(typed.at(-1)!),
    );
    all.letters.set(typed, [...(all.letters.get(typed) ?? []), await answered(page)]);
  }
  await page.context().close();
}

interface Watch {
  expected: string;
  from: number | null;
  took: number | null;
}
declare global {
  interface Window {
    watched: Watch;
  }
}

/** Runs in the page: notes how long it takes from what a person does until what was asked for has been answered and drawn. */
function watch(): void {
  performance.setResourceTimingBufferSize(10_000);
  // A page that was loaded with the list asks for it from its beginning.
  window.watched = { expected: '/attendees?', from: 0, took: null };
  const begin = () => {
    window.watched.from ??= performance.now();
  };
  for (const event of ['pointerdown', 'keydown', 'input', 'scroll']) addEventListener(event, begin, { capture: true });
  const look = () => {
    const { expected, from, took } = window.watched;
    const data = document.querySelector('.data');
    const isDrawn = data !== null && !data.hasAttribute('aria-busy') && data.querySelector('.row-link') !== null;
    if (took === null && from !== null && isDrawn) {
      const requests = performance.getEntriesByType('resource');
      if (requests.some((one) => one.startTime >= from && `${one.name}&`.includes(expected)))
        window.watched.took = performance.now() - from;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Does what makes the page ask for something. The time begins with the first event that the page sees. */
async function expectAnswer(page: Page, expected: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate((text) => {
    window.watched = { expected: text, from: null, took: null };
  }, expected);
  await act();
}

async function answered(page: Page): Promise<number> {
  const took = await page.waitForFunction(() => window.watched.took, null, { polling: 50, timeout: 30_000 });
  return (await took.jsonValue())!;
}
