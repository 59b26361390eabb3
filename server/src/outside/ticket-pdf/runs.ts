import bidiFactory, { type Bidi } from 'bidi-js';
import { graphemesOf } from './break-lines.ts';
import type { Face, Faces, Weight } from './fonts.ts';

/** Text of one font and one direction, in the order it stands on the line from left to right. */
export interface Run {
  text: string;
  face: Face;
  rtl: boolean;
}

// A plain word, most of what tickets hold, needs neither fonts nor directions looked up.
const SIMPLE = /^[\u0020-\u007e\u00a1-\u024f\u2013\u2014\u2018-\u201e\u2026]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
// The mark of a character we have no shape for: that something stood there must show.
const MISSING = '□';

// Its types describe a module, what runs is CommonJS: the function itself is the default import.
const bidi = (bidiFactory as unknown as () => Bidi)();

export const isRightToLeft = (text: string): boolean =>
  RIGHT_TO_LEFT.test(text) && (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1;

/** `rtl` is the direction of the paragraph the line is from. */
export function runsOf(text: string, weight: Weight, faces: Faces, rtl: boolean): Run[] {
  if (!rtl && SIMPLE.test(text)) return [{ text, face: faces.main(weight), rtl: false }];
  const directed = rtl || RIGHT_TO_LEFT.test(text);
  const levels = directed ? bidi.getEmbeddingLevels(text, rtl ? 'rtl' : 'ltr').levels : undefined;
  const runs: (Run & { level: number })[] = [];
  let at = 0;
  for (const grapheme of graphemesOf(text)) {
    const level = levels?.[at] ?? 0;
    at += grapheme.length;
    // A base letter brings its marks along.
    const face = faces.of(grapheme.codePointAt(0) as number, weight);
    const shown = face === undefined ? MISSING : grapheme;
    const drawnBy = face ?? faces.main(weight);
    const last = runs.at(-1);
    if (last !== undefined && last.level === level && last.face === drawnBy) last.text += shown;
    else runs.push({ text: shown, face: drawnBy, level, rtl: level % 2 === 1 });
  }
  if (levels === undefined) return runs;
  return inVisualOrder(runs).map((run) => (run.rtl && !RIGHT_TO_LEFT.test(run.text) ? mirrored(run) : run));
}

/** Rule L2 of the bidirectional algorithm: from the deepest level up, what is at least that deep is turned around. */
function inVisualOrder<R extends { level: number }>(runs: R[]): R[] {
  const ordered = [...runs];
  const deepest = Math.max(...runs.map((run) => run.level));
  for (let level = deepest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      if (end - start > 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return ordered;
}

/** fontkit turns letters around, but not the spaces and brackets between them. */
const mirrored = <R extends Run>(run: R): R => ({
  ...run,
  rtl: false,
  text: graphemesOf(run.text)
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join(''),
});
