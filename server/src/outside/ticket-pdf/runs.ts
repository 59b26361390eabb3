import bidiFactory, { type Bidi } from 'bidi-js';
import { graphemesOf } from './break-lines.ts';
import type { Face, Faces, Weight } from './fonts.ts';

/** A piece of a line with one font and one direction. Runs are in the order in which they stand on the line, from left to right. */
export interface Run {
  text: string;
  face: Face;
  rtl: boolean;
}

// Most texts on tickets contain only these characters; for them neither font nor direction has to be looked up.
const SIMPLE = /^[\u0020-\u007e\u00a1-\u024f\u2013\u2014\u2018-\u201e\u2026]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
// Drawn in place of a character that none of our fonts has, to show that something is missing.
const MISSING = '□';

// The types describe an ES module, but the package is CommonJS, so the default import is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

export const isRightToLeft = (text: string): boolean =>
  RIGHT_TO_LEFT.test(text) && (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1;

/** `rtl` is the direction of the paragraph that the line belongs to. */
export function runsOf(text: string, weight: Weight, faces: Faces, rtl: boolean): Run[] {
  if (!rtl && SIMPLE.test(text)) return [{ text, face: faces.main(weight), rtl: false }];
  const directed = rtl || RIGHT_TO_LEFT.test(text);
  const levels = directed ? bidi.getEmbeddingLevels(text, rtl ? 'rtl' : 'ltr').levels : undefined;
  const runs: (Run & { level: number })[] = [];
  let at = 0;
  for (const grapheme of graphemesOf(text)) {
    const level = levels?.[at] ?? 0;
    at += grapheme.length;
    // The font of the base letter also draws its combining marks.
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

/** Rule L2 of the Unicode bidirectional algorithm: from the deepest level up, every sequence of at least that level is reversed. */
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

/** fontkit reverses letters, but not the spaces and brackets between them. */
const mirrored = <R extends Run>(run: R): R => ({
  ...run,
  rtl: false,
  text: graphemesOf(run.text)
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join(''),
});
