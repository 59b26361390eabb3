import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { CDPSession, Page, Route } from 'playwright-core';
import { settled } from '../app-world.ts';
import { inPage } from './in-page.ts';
import type { MadeUp, Screen } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** The name that the code of the page has there. */
declare const looks: ReturnType<typeof inPage>;
const load = createRequire(import.meta.url);
const IN_PAGE = `${readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8')};window.looks=(${inPage})();`;

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A rule that is named runs even if axe is only trying it out or has given it up. */
const EVERYTHING = (load('axe-core') as typeof Axe)
  .getRules(TAGS)
  .filter(({ tags }) => !tags.includes('experimental') && !tags.includes('deprecated'))
  .map(({ ruleId }) => ruleId);
/** The colours of a language's words are those of every other language. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const BUT_COLOURS = EVERYTHING.filter((rule) => !OF_COLOURS.includes(rule));
/** What another language can make worse: its words may be missing or empty, or the same for two things. */
const OF_NAMES = BUT_COLOURS.filter((rule) => /name|alt|lang|label|title|empty|heading|unique/.test(rule));
/** Its words have other lengths, too. */
const OF_SIZES = ['target-size', 'scrollable-region-focusable'];

/** The first one is looked at by axe at each width, and in both colours. Half of the screens are looked at in French, the others in Spanish. */
const languagesOf = ({ name }: Screen): readonly string[] => ['en', 'de', name.length % 2 === 0 ? 'fr' : 'es'];
export const WIDE = 1440;
export const PHONE = 390;
const NARROW = 320;
/** Where axe does not look again, but nothing may be too wide or cut off. German has the longest words. */
const MORE_WIDTHS: Readonly<Record<string, readonly number[]>> = { de: [820, NARROW] };
const size = (width: number) => ({ width, height: 900 });

/**
 * What axe looks at besides colours. The same names stand in the same elements at both widths, and German has the longest ones. A word
 * that is missing in French or Spanish is found by the test of the words.
 */
const RULES_AT: Readonly<Record<string, readonly string[]>> = {
  [`en ${WIDE}`]: BUT_COLOURS,
  [`en ${PHONE}`]: BUT_COLOURS.filter((rule) => rule !== 'target-size'),
  [`de ${PHONE}`]: [...OF_NAMES, ...OF_SIZES],
};
/** The same for a screen that is looked at in one width only. */
const RULES_IN: Readonly<Record<string, readonly string[]>> = { en: BUT_COLOURS, de: [...OF_NAMES, ...OF_SIZES] };

/** Opens a screen in English and does what leads to its state. */
export async function show(page: Page, world: ScreensWorld, screen: Screen): Promise<void> {
  await prepare(page, world, screen, WIDE);
  await page.goto(world.home + screen.path);
  await settled(page);
  if (screen.act === undefined) return;
  await screen.act(page);
  if (screen.saving !== true) await settled(page);
}

/** Signs in who looks at a screen, and answers what the screen wants answered otherwise. Nothing is left of the screen before. */
export async function prepare(page: Page, world: ScreensWorld, screen: Screen, width: number): Promise<void> {
  const context = page.context();
  // What the screen before has kept would lead elsewhere.
  await page.evaluate(() => {
    if (location.protocol === 'http:') for (const kept of [localStorage, sessionStorage]) kept.clear();
  });
  // An address that differs from the one before only in its token would not be loaded.
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  const session = world.sessions[screen.as];
  if (session !== null) await context.addCookies([{ name: 'turnout_session', value: session, url: world.home }]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size(width));
  await resize(page, width);
  for (const [what, answer] of Object.entries(screen.answers ?? {})) {
    const [method, end] = what.split(' ') as [string, string];
    await page.route(
      ({ pathname }) => pathname.startsWith('/app/api/') && pathname.endsWith(end),
      (route) => (route.request().method() === method ? reply(route, answer) : route.fallback()),
    );
  }
}

async function reply(route: Route, answer: MadeUp): Promise<void> {
  if (answer === 'lost') return route.abort();
  if (typeof answer !== 'function') {
    const [status, json] = answer;
    return json === null ? route.fulfill({ status }) : route.fulfill({ status, json });
  }
  const response = await route.fetch();
  return route.fulfill({ response, json: answer(await response.json()) });
}

/** Changes the language as another tab of the same browser does. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((newValue) => {
    dispatchEvent(new StorageEvent('storage', { key: 'turnout.language', newValue }));
  }, language);
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Gives the page another width. The browser would also give its window another one, which nobody sees and which takes longer. */
async function resize(page: Page, width: number): Promise<void> {
  if (!sessions.has(page)) sessions.set(page, page.context().newCDPSession(page));
  const session = (await sessions.get(page))!;
  await session.send('Emulation.setDeviceMetricsOverride', { ...size(width), deviceScaleFactor: 0, mobile: false });
}

/** How often axe could say nothing about words that look alike; Infinity once it has found nothing wrong with them. */
export type Known = Map<string, number>;
/** It can say nothing about a single letter or about what lies below something else; on other screens it may. */
const TRIES = 3;

/** Looks at the shown screen in three languages and at every width, in the first one in both colours; says what is wrong where. */
export async function lookAt(page: Page, screen: Screen, known: Known): Promise<Map<string, string[]>> {
  const wrong = new Map<string, string[]>();
  const note = (where: string, found: readonly string[]) => {
    for (const one of found) wrong.set(one, [...(wrong.get(one) ?? []), where]);
  };
  const { widths = [WIDE, PHONE] } = screen;
  await page.evaluate(IN_PAGE);
  for (const [i, language] of languagesOf(screen).entries()) {
    await speak(page, language);
    // There is most room on a wide screen, so two languages are enough for it.
    const own = i < 2 ? widths : widths.filter((width) => width !== WIDE || widths.length === 1);
    const more = widths.includes(PHONE) ? (MORE_WIDTHS[language] ?? [NARROW]) : [];
    const all = [...own, ...more].sort((a, b) => b - a);
    // Every second language begins at the width at which the one before has ended.
    for (const width of i % 2 === 0 ? all : all.toReversed()) {
      const where = `${language} ${width}`;
      await resize(page, width);
      note(where, await page.evaluate(() => looks.cutOff()));
      if (!widths.includes(width)) continue;
      const rules = (widths.length === 1 ? RULES_IN[language] : RULES_AT[where]) ?? [];
      if (rules.length > 0) note(where, await axeFindings(page, rules));
      if (i === 0) note(where, await colourFindings(page, known));
    }
  }
  return wrong;
}

const axeFindings = (page: Page, rules: readonly string[]) =>
  page.evaluate((which) => looks.axeFindings(which), [...rules]);

/** Most words look like words of another screen, and axe takes longest over colours: it looks once at those that look alike. */
async function colourFindings(page: Page, known: Known): Promise<string[]> {
  const keys = (await page.evaluate(() => looks.colours())).filter((key) => (known.get(key) ?? 0) < TRIES);
  if (keys.length === 0) return [];
  const found: string[] = [];
  const [wrong, unclear] = [new Set<string>(), new Set<string>()];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const answer = await page.evaluate(([these, rules]) => looks.colourFindings(these, rules), [
      keys,
      OF_COLOURS,
    ] as const);
    found.push(...answer.found.map((one) => `${colorScheme}, ${one}`));
    for (const key of answer.wrong) wrong.add(key);
    for (const key of answer.unclear) unclear.add(key);
  }
  for (const key of keys)
    if (!wrong.has(key)) known.set(key, unclear.has(key) ? (known.get(key) ?? 0) + 1 : Number.POSITIVE_INFINITY);
  return found;
}

/** What axe finds on a page as it is now; `sizes`: only what another size of the screen can make worse. */
export async function findingsOf(page: Page, what: 'everything' | 'sizes' = 'everything'): Promise<string[]> {
  await page.evaluate(IN_PAGE);
  return axeFindings(page, what === 'sizes' ? OF_SIZES : EVERYTHING);
}

/** `1440 light en`, for pictures. */
export async function dress(page: Page, look: string): Promise<void> {
  const [width, colorScheme, language] = look.split(' ') as [string, 'light' | 'dark', string];
  await speak(page, language);
  await page.emulateMedia({ colorScheme });
  await resize(page, Number(width));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
