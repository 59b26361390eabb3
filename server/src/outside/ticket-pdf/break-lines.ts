// Scripts written without spaces between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\u30fc\u3005]+$/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Pieces a line may end after; joined they are the text. */
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

/** Lines no wider than `width` without the space they end in; joined they are the text. A word that fits on no line is cut between letters. */
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

/** The start of a text that fits, with an ellipsis when it is not all. */
export function shorten(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const parts = graphemesOf(text);
  const start = (count: number) => `${parts.slice(0, count).join('').trimEnd()}…`;
  // Halved, not letter by letter: shaping is slow, and a name of 400 letters was shaped 400 times.
  let fits = 0;
  let tooMany = parts.length;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (measure(start(middle)) > width) tooMany = middle;
    else fits = middle;
  }
  return start(fits);
}
