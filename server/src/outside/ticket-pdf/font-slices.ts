import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** One file of a font package, which covers a part of its characters. */
export interface Slice {
  id: string;
  file: string;
}

// To add a script, install its package and name it here.
const SCRIPTS = ['arabic', 'hebrew', 'armenian', 'georgian', 'devanagari', 'thai'] as const;
const HAN = ['sc', 'jp', 'kr'] as const;
type Package = (typeof SCRIPTS | typeof HAN)[number];
export type HanOrder = (typeof HAN)[number][];

interface Range {
  from: number;
  to: number;
  slice: Slice;
}

const ranges = new Map<Package, Range[]>();

/** The characters that each file of a package covers, from the package's own list ("U+5d0-5ea,U+20aa"). */
function rangesOf(script: Package): Range[] {
  let known = ranges.get(script);
  if (known === undefined) {
    const family = `noto-sans-${script}`;
    const lists = require(`@fontsource-variable/${family}/unicode.json`) as Record<string, string>;
    known = Object.entries(lists).flatMap(([key, list]) => {
      const id = `${family}-${key.replace(/[[\]]/g, '')}`;
      const slice = { id, file: `@fontsource-variable/${family}/files/${id}-wght-normal.woff2` };
      return list.split(',').map((range) => {
        const [from = '', to = from] = range.replace('U+', '').split('-');
        return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), slice };
      });
    });
    ranges.set(script, known);
  }
  return known;
}

const KANA = /[\u3040-\u30ff]/;
const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

/**
 * A Han character has a Chinese, a Japanese and a Korean shape under the same code point. The event's language decides, or kana or
 * hangul in the same text.
 */
export function hanOrder(text: string, language: string): HanOrder {
  if (/^ja\b/i.test(language) || KANA.test(text)) return ['jp', 'sc', 'kr'];
  if (/^ko\b/i.test(language) || HANGUL.test(text)) return ['kr', 'sc', 'jp'];
  return ['sc', 'jp', 'kr'];
}

/** The files that may contain a character, the likeliest first. */
export function slicesFor(codePoint: number, han: HanOrder): Slice[] {
  // No character below U+1100 is Han or Hangul.
  const order: Package[] = codePoint < 0x1100 ? [...SCRIPTS] : [...han, ...SCRIPTS];
  const found: Slice[] = [];
  for (const script of order) {
    const range = rangesOf(script).find(({ from, to }) => codePoint >= from && codePoint <= to);
    if (range !== undefined) found.push(range.slice);
  }
  return found;
}
