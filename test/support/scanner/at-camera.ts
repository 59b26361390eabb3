import type { Page } from 'playwright-core';
import type { Film } from './film.ts';
import { secondShowing, untilOver } from './film-once.ts';
import { MARK } from './mark.ts';

/** The app at /scan with a film in place of its camera: what it answered to each ticket, and how soon. */

interface Notes {
  /** The numbers of the pictures that the video showed, and when. */
  readonly shown: { at: number; number: number }[];
  /** Each answer that came onto the screen, and when it was drawn. */
  readonly answers: { at: number; result: string; by: string }[];
}
declare const atCamera: Notes;

/** One ticket of the film, and all answers of the app while it was held up. */
export interface AnsweredTicket {
  readonly name: string;
  readonly answers: readonly { readonly result: string; readonly by: string }[];
  /** Milliseconds from when its first picture was shown until the first answer was on the screen; null: there was none. */
  readonly ms: number | null;
}

/** Opens the app, waits for its camera and watches the film once. */
export async function watchAtDoor(page: Page, film: Film, address: string): Promise<AnsweredTicket[]> {
  await page.goto('about:blank');
  await page.goto(address);
  await untilOver(() => page.evaluate(() => atCamera.shown), film.pictures, 120_000);
  const { shown, answers } = await page.evaluate(() => atCamera);
  const over = secondShowing(shown, film.pictures);
  const starts = film.held.map(({ from, to }) => shown.find(({ number }) => number >= from && number < to)?.at);
  return film.held.map(({ name }, i) => {
    const from = starts[i] ?? Number.POSITIVE_INFINITY;
    const own = answers.filter(({ at }) => at >= from && at < (starts[i + 1] ?? over));
    return { name, answers: own.map(({ result, by }) => ({ result, by })), ms: own[0] ? own[0].at - from : null };
  });
}

/** Call it before the app is opened. */
export const noteAtCamera = (page: Page): Promise<unknown> => page.addInitScript(note, MARK);

/** Runs in the page before the app does. */
function note(mark: typeof MARK): void {
  const notes: Notes = { shown: [], answers: [] };
  Object.assign(globalThis, { atCamera: notes });
  const canvas = document.createElement('canvas');
  canvas.width = mark.bits * mark.side;
  canvas.height = mark.side;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const watched = new WeakSet<HTMLVideoElement>();
  let before = '';

  function look(video: HTMLVideoElement): void {
    const at = performance.now();
    const { width, height } = canvas;
    context.drawImage(video, 0, 0, width, height, 0, 0, width, height);
    const { data } = context.getImageData(0, height / 2, width, 1);
    let number = 0;
    for (let bit = 0; bit < mark.bits; bit += 1)
      if (data[(bit * mark.side + mark.side / 2) * 4]! > 127) number += 1 << bit;
    notes.shown.push({ at, number });
    video.requestVideoFrameCallback(() => look(video));
  }
  const changed = () => {
    const video = document.querySelector('video');
    if (video !== null && !watched.has(video)) {
      watched.add(video);
      video.requestVideoFrameCallback(() => look(video));
    }
    const answer = document.querySelector<HTMLElement>('.answer.covers [data-result]');
    const now = answer === null ? '' : `${answer.dataset.result} ${answer.textContent}`;
    if (now === before) return;
    before = now;
    if (answer === null) return;
    const { result = '', by = '' } = answer.dataset;
    // It is seen after the next frame.
    requestAnimationFrame(() => setTimeout(() => notes.answers.push({ at: performance.now(), result, by })));
  };
  new MutationObserver(changed).observe(document, {
    ...{ subtree: true, childList: true, attributes: true, characterData: true },
  });
}
