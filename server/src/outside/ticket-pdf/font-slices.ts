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

const covered = new Map<Package, Map<number, Slice>>();

/** The file of a package that covers each character, from the package's own list ("U+5d0-5ea,U+20aa"). */
function sliceByCharacter(script: Package): Map<number, Slice> {
  let known = covered.get(script);
  if (known === undefined) {
    known = new Map();
    const family = `noto-sans-${script}`;
    const lists = require(`@fontsource-variable/${family}/unicode.json`) as Record<string, string>;
    for (const [key, list] of Object.entries(lists)) {
      const id = `${family}-${key.replace(/[[\]]/g, '')}`;
      const slice = { id, file: `@fontsource-variable/${family}/files/${id}-wght-normal.woff2` };
      for (const range of list.split(',')) {
        const [from = '', to = from] = range.replace('U+', '').split('-');
        const last = Number.parseInt(to, 16);
        for (let at = Number.parseInt(from, 16); at <= last; at++) if (!known.has(at)) known.set(at, slice);
      }
    }
    covered.set(script, known);
  }
  return known;
}

const isKana = (codePoint: number) => codePoint >= 0x3040 && codePoint <= 0x30ff;
const isHangul = (codePoint: number) =>
  (codePoint >= 0x1100 && codePoint <= 0x11ff) ||
  (codePoint >= 0x3130 && codePoint <= 0x318f) ||
  (codePoint >= 0xac00 && codePoint <= 0xd7af);

/**
 * A Han character has a Chinese, a Japanese and a Korean shape under the same code point. The event's language decides, or kana or
 * hangul in the same text.
 */
export function hanOrder(codePoints: ReadonlySet<number>, language: string): HanOrder {
  const some = (of: (codePoint: number) => boolean) => [...codePoints].some(of);
  if (/^ja\b/i.test(language) || some(isKana)) return ['jp', 'sc', 'kr'];
  if (/^ko\b/i.test(language) || some(isHangul)) return ['kr', 'sc', 'jp'];
  return ['sc', 'jp', 'kr'];
}

/** The files that may contain a character, the likeliest first. */
export function slicesFor(codePoint: number, han: HanOrder): Slice[] {
  // No character below U+1100 is Han or Hangul.
  const order: Package[] = codePoint < 0x1100 ? [...SCRIPTS] : [...han, ...SCRIPTS];
  const found: Slice[] = [];
  for (const script of order) {
    const slice = sliceByCharacter(script).get(codePoint);
    if (slice !== undefined) found.push(slice);
  }
  return found;
}
