// Scripts written without spaces between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\u30fc\u3005]+$/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Splits a text into pieces after which a line may end. Joined together they are the text again. */
export function piecesOf(text: string): string[] {
  return (text.match(/\S*\s*/g) ?? []).flatMap((piece) => {
    if (piece === '') return [];
    if (!UNSPACED.test(piece)) return piece.match(/.+?(?:[-–—/](?=\p{L}{2})|$)/gsu) ?? [piece];
    const pieces: string[] = [];
    for (const { segment } of words.segment(piece)) {
      const before = pieces.at(-1);
      // No line starts with a closing mark or ends with an opening one.
      const together = before !== undefined && (CLOSING.test(segment) || segment.trim() === '' || OPENING.test(before));
      if (together) pieces[pieces.length - 1] = before + segment;
      else pieces.push(segment);
    }
    return pieces;
  });
}

/**
 * Breaks a text into lines that are no wider than `width`, not counting the space at their end. Joined together they are the text
 * again. A word that is wider than a line is cut between letters.
 */
export function breakLines(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = (piece: string) => {
    if (line !== '' && used + measure(piece.trimEnd()) > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += piece;
    used += measure(piece);
  };
  for (const piece of piecesOf(text)) {
    if (measure(piece.trimEnd()) <= width) add(piece);
    else for (const grapheme of graphemesOf(piece)) add(grapheme);
  }
  lines.push(line);
  return lines;
}

// Letters of Chinese, Japanese and Korean, which are as wide as high.
const isWide = (codePoint: number) =>
  (codePoint >= 0x3041 && codePoint <= 0x30ff) ||
  (codePoint >= 0x3400 && codePoint <= 0x9fff) ||
  (codePoint >= 0xac00 && codePoint <= 0xd7a3) ||
  (codePoint >= 0x20000 && codePoint <= 0x3ffff);
/** The least width of a letter of our fonts as a fraction of its size. */
const WIDE = 0.9;
const NARROWEST = 0.2;

/**
 * The text, or if it is surely wider than `ems` times the size of its letters, a beginning of it that is still wider. Shaping is
 * slow, and every further letter may need another file of a font, so letters that cannot be shown are cut off beforehand.
 */
export function cutUnseen(text: string, ems: number): string {
  let width = 0;
  let end = 0;
  for (const letter of text) {
    if (width > ems) return text.slice(0, end);
    end += letter.length;
    width += isWide(letter.codePointAt(0) as number) ? WIDE : NARROWEST;
  }
  return text;
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
export function shorten(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const parts = graphemesOf(text);
  const start = (count: number) => `${parts.slice(0, count).join('').trimEnd()}…`;
  // A binary search: dropping letter by letter shaped a name of 400 letters 400 times, and shaping is slow.
  let fits = 0;
  let tooMany = parts.length;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (measure(start(middle)) > width) tooMany = middle;
    else fits = middle;
  }
  return start(fits);
}
