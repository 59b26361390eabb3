import type { TicketWords } from '@turnout/words/tickets';
import { cutUnseen } from './break-lines.ts';
import { baseline, type Canvas, lineHeight, MUTED, type Part, type Style, stack } from './canvas.ts';

/** A name with a remark beside it. */
export type Item = readonly [name: string, remark: string];

const NAME: Style = { weight: 'strong', size: 10, leading: 1.3 };
const REMARK: Style = { weight: 'regular', size: 9.5, color: MUTED, leading: 13 / 9.5 };
/** The gap between rows, so that a name on two lines still looks like one row. */
const APART = 2.5;

/** The remark is on the right in up to two fifths of the width, or in less if the name is long. */
function row(canvas: Canvas, [whole, remark]: Item, width: number, maxLines: number): Part {
  const name = cutUnseen(whole, (maxLines * width) / NAME.size);
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

/** In points. A list that is higher than two screens of a phone ends early and says how many are missing. */
export const HIGHEST_LIST = 1200;
/** The width of a list on a phone, where lists are widest. */
const WIDEST_LIST = 304;
const ROW = lineHeight(NAME) + APART;

/** One more than the highest list shows, so that it is known to be too long. */
export const MAX_ROWS = Math.floor(HIGHEST_LIST / ROW) + 1;

/** As much of an item as can be seen of it. */
export const cutItem = ([name, remark]: Item): Item => [
  cutUnseen(name, (2 * WIDEST_LIST) / NAME.size),
  cutUnseen(remark, (0.4 * WIDEST_LIST) / REMARK.size),
];

/** Of `total` items the first `MAX_ROWS` are given. Fits into `height`: first names are cut to one line, then the list ends early and says how many are missing. */
export function list(
  canvas: Canvas,
  items: Item[],
  total: number,
  words: TicketWords,
  width: number,
  height: number,
): Part {
  const least = total * ROW;
  // Laying out two hundred long names takes seconds. If only the height is asked for and even the shortest rows are higher than
  // any page, the layout is skipped.
  if (height === Number.POSITIVE_INFINITY && least > TALLEST) return { height: least, draw: () => {} };
  if (least <= height) {
    const roomy = stack(...items.map((item) => row(canvas, item, width, 2)));
    if (roomy.height <= height) return roomy;
  }
  const most = Math.max(1, Math.floor(height / ROW));
  const shown = total <= most ? items : items.slice(0, most - 1);
  const rows = shown.map((item) => row(canvas, item, width, 1));
  if (shown.length < total)
    rows.push(canvas.text(words.t('more', { more: String(total - shown.length) }), REMARK, width));
  return stack(...rows);
}
