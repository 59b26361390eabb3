import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page, Route } from 'playwright-core';
import { settled } from '../app-world.ts';
import type { MadeUp, Screen } from './screen.ts';
import type { ScreensWorld } from './world.ts';

declare const axe: typeof Axe;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS: Axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
type Rules = Pick<Axe.RunOptions, 'runOnly' | 'rules'>;
const EVERYTHING: Rules = { runOnly: TAGS };
/** All that dark colours can make worse: the other rules look at elements, names and sizes, which are the same in both. */
const OF_COLOURS: Rules = { runOnly: { type: 'rule', values: COLOUR_RULES } };
/** All that another language can make worse: its words have other lengths and may be missing, but they have the same colours. */
const OF_WORDS: Rules = {
  runOnly: TAGS,
  rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
};

/** The first one is looked at in both colours. */
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export const WIDE = 1440;
const PHONE = 390;
/** Where axe does not look again, but nothing may be too wide or cut off. */
const BETWEEN = [820, 320];
const size = (width: number) => ({ width, height: 900 });

/** Opens a screen in English and does what leads to its state. */
export async function show(page: Page, world: ScreensWorld, screen: Screen): Promise<void> {
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
  await page.setViewportSize(size(WIDE));
  for (const [what, answer] of Object.entries(screen.answers ?? {})) {
    const [method, end] = what.split(' ') as [string, string];
    await page.route(
      ({ pathname }) => pathname.startsWith('/app/api/') && pathname.endsWith(end),
      (route) => (route.request().method() === method ? reply(route, answer) : route.fallback()),
    );
  }
  await page.goto(world.home + screen.path);
  await settled(page);
  if (screen.act === undefined) return;
  await screen.act(page);
  await settled(page);
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

/** Looks at the shown screen in every language and at every width, in the first one in both colours; says what is wrong where. */
export async function lookAt(page: Page, { widths = [WIDE, PHONE] }: Screen): Promise<Map<string, string[]>> {
  const wrong = new Map<string, string[]>();
  const note = (where: string, found: readonly string[]) => {
    for (const one of found) wrong.set(one, [...(wrong.get(one) ?? []), where]);
  };
  await page.evaluate(AXE);
  for (const language of LANGUAGES) {
    await speak(page, language);
    for (const width of widths) {
      await page.setViewportSize(size(width));
      note(`${language} ${width}`, await page.evaluate(cutOff));
      if (language !== LANGUAGES[0]) {
        note(`${language} ${width}`, await page.evaluate(axeFindings, OF_WORDS));
        continue;
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      note(`${language} ${width} dark`, await page.evaluate(axeFindings, OF_COLOURS));
      await page.emulateMedia({ colorScheme: 'light' });
      note(`${language} ${width} light`, await page.evaluate(axeFindings, EVERYTHING));
    }
    if (!widths.includes(PHONE)) continue;
    for (const width of BETWEEN) {
      await page.setViewportSize(size(width));
      note(`${language} ${width}`, await page.evaluate(cutOff));
    }
  }
  return wrong;
}

/** What axe finds on a page as it is now. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(axeFindings, EVERYTHING);
}

/** Runs in the page. What lies behind an open dialog is a screen of its own, which is looked at without the dialog. */
async function axeFindings(rules: Rules): Promise<string[]> {
  // Colours that have just changed are on their way for a moment, even where nothing moves.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  // What stays at the edge of the screen lies above something else wherever the page is scrolled to, and people scroll.
  for (const one of document.querySelectorAll<HTMLElement>('body *'))
    if (getComputedStyle(one).position === 'sticky') one.style.position = 'static';
  const { violations } = await axe.run(
    document.querySelector('dialog[open]') === null ? document : { include: ['dialog[open]'] },
    {
      ...rules,
      resultTypes: ['violations'],
      // There are no frames, and none of these rules reads style sheets.
      iframes: false,
      preload: false,
    },
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));
}

/** Runs in the page: a page or dialog that scrolls sideways, and texts that do not fit into what they stand in. */
async function cutOff(): Promise<string[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const found: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
  for (const one of document.querySelectorAll('dialog[open], .dialog-body'))
    if (one.scrollWidth > one.clientWidth) found.push(`a dialog is ${one.scrollWidth - one.clientWidth} px too wide`);
  const texts =
    'button, .button, [role="menuitem"], .badge, .tabs a, .shell-nav a, summary, label, legend, h1, h2, h3, th, .notice';
  for (const one of document.querySelectorAll<HTMLElement>(texts)) {
    // Names that people typed may be shortened where little room is; then they stand in full somewhere else.
    if (!one.checkVisibility() || one.closest('.hidden') !== null || one.querySelector('.clip') !== null) continue;
    const what = `${one.tagName.toLowerCase()} “${one.innerText.slice(0, 60)}”`;
    const { display } = getComputedStyle(one);
    if (display === 'inline') continue;
    if (one.scrollWidth > one.clientWidth + 1) found.push(`${what} is cut off at the side`);
    if (one.matches('button, .button') && one.scrollHeight > one.clientHeight + 2)
      found.push(`${what} is cut off below`);
  }
  return found;
}

/** `1440 light en`, for pictures. */
export async function dress(page: Page, look: string): Promise<void> {
  const [width, colorScheme, language] = look.split(' ') as [string, 'light' | 'dark', string];
  await speak(page, language);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(size(Number(width)));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
