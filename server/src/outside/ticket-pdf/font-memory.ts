import type { Font } from 'fontkit';

type Layout = Font['layout'];
type Run = ReturnType<Layout>;

/** Words a font remembers. An event's tickets share most of theirs; then all is forgotten at once. */
const REMEMBERED = 4000;

/**
 * A font that shapes a word once. Shaping is most of the work of a ticket, and pdfkit forgets it with the document.
 * `usual` are the features where the caller names none: Inter's contextual alternates double the time to turn "->"
 * into an arrow.
 */
export function remembering(font: Font, usual?: Record<string, boolean>): Font {
  const layout: Layout = font.layout.bind(font);
  const known = new Map<string, Run>();
  const remembered: Layout = (text, features, ...rest) => {
    const key = `${text}\u0000${features === undefined ? '' : JSON.stringify(features)}`;
    let run = known.get(key);
    if (run === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      run = layout(text, features ?? usual, ...rest);
      known.set(key, run);
    }
    return copyOf(run);
  };
  font.layout = remembered;
  return font;
}

/** pdfkit scales the positions it is given in place. */
function copyOf(run: Run): Run {
  const positions = run.positions.map((position) => ({ ...position }));
  return Object.create(run, { positions: { value: positions, writable: true } }) as Run;
}

const widths = new WeakMap<Font, Map<string, number>>();

/** How wide a word is at size 1. */
export function widthOf(font: Font, text: string, features?: string[]): number {
  let known = widths.get(font);
  if (known === undefined) {
    known = new Map();
    widths.set(font, known);
  }
  const key = features === undefined ? text : `${text}\u0000${features.join()}`;
  let width = known.get(key);
  if (width === undefined) {
    if (known.size >= REMEMBERED) known.clear();
    width = font.layout(text, features).advanceWidth / font.unitsPerEm;
    known.set(key, width);
  }
  return width;
}
