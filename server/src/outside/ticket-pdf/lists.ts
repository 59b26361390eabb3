import { baseline, type Canvas, lineHeight, MUTED, type Part, type Style, stack } from './canvas.ts';
import type { TicketWords } from './words/words.ts';

/** A name and a remark beside it. */
export type Item = readonly [name: string, remark: string];

const NAME: Style = { weight: 'strong', size: 10, leading: 1.3 };
const REMARK: Style = { weight: 'regular', size: 9.5, color: MUTED, leading: 13 / 9.5 };
/** Between rows, so that a name on two lines still reads as one. */
const APART = 2.5;

/** The remark stands on the right in two fifths of the line, in less where the name needs the room more. */
function row(canvas: Canvas, [name, remark]: Item, width: number, maxLines: number): Part {
  const share = canvas.width(name, NAME) > width * 0.6 - 10 ? 0.28 : 0.4;
  const remarks = remark === '' ? [] : canvas.lines(remark, REMARK, width * share, 1);
  const taken = remarks.reduce((widest, line) => Math.max(widest, canvas.width(line.text, REMARK, line.rtl)), 0);
  const names = canvas.text(name, NAME, width - (taken === 0 ? 0 : taken + 10), { maxLines });
  return {
    height: names.height + APART,
    draw: (x, y) => {
      names.draw(x, y);
      for (const { text, rtl } of remarks) canvas.line(text, REMARK, x + width - taken, y + baseline(REMARK), rtl);
    },
  };
}

/** Taller than a page of any format. */
const TALLEST = 900;

/** Fits `height`: first the names lose their second lines, then the list its end, and says so. */
export function list(canvas: Canvas, items: Item[], words: TicketWords, width: number, height: number): Part {
  const least = items.length * (lineHeight(NAME) + APART);
  // Two hundred long names take seconds to lay out: a list that is too long for every page is not, only to be told so.
  if (height === Number.POSITIVE_INFINITY && least > TALLEST) return { height: least, draw: () => {} };
  if (least <= height) {
    const roomy = stack(...items.map((item) => row(canvas, item, width, 2)));
    if (roomy.height <= height) return roomy;
  }
  const most = Math.max(1, Math.floor(height / (lineHeight(NAME) + APART)));
  const shown = items.length <= most ? items : items.slice(0, most - 1);
  const rows = shown.map((item) => row(canvas, item, width, 1));
  if (shown.length < items.length) rows.push(canvas.text(words.more(items.length - shown.length), REMARK, width));
  return stack(...rows);
}
