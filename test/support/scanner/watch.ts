import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Notes } from './camera-page.ts';
import type { Film } from './film.ts';
import { secondShowing, untilOver } from './film-once.ts';

/** Chromium with a film in place of its camera. Without a film, it has no camera at all. */
export const openCamera = (film: string | null, ...more: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: [
      ...(film === null ? [] : ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`]),
      ...more,
    ],
  });

/** How a browser is changed before it watches. */
export interface Handicap {
  /** How many times slower the page is. The worker is not slowed. */
  readonly slowed?: number;
  /** Ways of handing pictures over that the browser does not have. */
  readonly without?: readonly ('VideoFrame' | 'createImageBitmap')[];
}

/** Shows the whole film to the reader of a page, once. */
export async function watchFilm(browser: Browser, url: string, film: Film, handicap: Handicap = {}): Promise<Notes> {
  const context = await browser.newContext({ permissions: ['camera'] });
  try {
    const page = await context.newPage();
    const problems = listen(page);
    await page.addInitScript(takeAway, handicap.without ?? []);
    await page.goto(`${url}?mark`);
    if (handicap.slowed !== undefined) {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: handicap.slowed });
    }
    await page.evaluate(() => window.turnout.reader.start());
    await untilOver(() => page.evaluate(() => window.turnout.notes.shown), film.pictures, 300_000);
    const notes = await page.evaluate(() => {
      window.turnout.reader.close();
      return window.turnout.notes;
    });
    if (problems.length > 0) throw new Error(`The page complained: ${problems.join(' | ')}`);
    const over = secondShowing(notes.shown, film.pictures);
    const first = <T extends { at: number }>(all: T[]): T[] => all.filter(({ at }) => at < over);
    return { ...notes, codes: first(notes.codes), frames: first(notes.frames), shown: first(notes.shown) };
  } finally {
    await context.close();
  }
}

/** What a page complains about: errors, and everything that its policy stops. */
export function listen(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}

/** Runs in the page. */
function takeAway(names: readonly string[]): void {
  for (const name of names) Reflect.deleteProperty(globalThis, name);
}

/** How one ticket was read. */
export interface ReadTicket {
  readonly name: string;
  readonly code: string;
  /** The pictures of it that were shown, that were decoded, and in which its code was found. */
  readonly shown: number;
  readonly looked: number;
  readonly found: number;
  /** Milliseconds from when its first picture was shown until its code was told; null if it never was. */
  readonly ms: number | null;
}

/** What was read while each ticket was held up. */
export function ticketsOf(film: Film, notes: Notes): ReadTicket[] {
  return film.held.map(({ name, code, from, to }) => {
    const shown = notes.shown.filter(({ number }) => number >= from && number < to);
    const looked = notes.frames.filter(({ at }) => {
      const number = numberAt(notes, at);
      return number !== null && number >= from && number < to;
    });
    const first = shown[0]?.at;
    const told = notes.codes.find(({ text, at }) => text === code && first !== undefined && at >= first)?.at;
    return {
      ...{ name, code, shown: shown.length, looked: looked.length },
      found: looked.filter(({ codes }) => codes.includes(code)).length,
      ms: told === undefined || first === undefined ? null : told - first,
    };
  });
}

/** The number of the picture that a frame was taken of. Both are noted when the video shows a picture, within a moment. */
function numberAt({ shown }: Notes, at: number): number | null {
  let best: { at: number; number: number } | null = null;
  for (const one of shown) if (best === null || Math.abs(one.at - at) < Math.abs(best.at - at)) best = one;
  return best?.number ?? null;
}
