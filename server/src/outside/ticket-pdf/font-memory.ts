import type { Font } from 'fontkit';

type Layout = Font['layout'];
type Run = ReturnType<Layout>;

/** How many letters a font remembers in total. The tickets of an event share most words. Beyond the limit all are forgotten. */
const REMEMBERED = 64_000;
/** Longer texts are hardly seen again, so they are not remembered. */
const MAX_TEXT_LENGTH = 200;

/**
 * Makes a font remember the words it has shaped. Shaping is most of the work of a ticket, and pdfkit forgets the result with the
 * document. `usual` are the features used where the caller names none: Inter's contextual alternates double the time, only to
 * turn "->" into an arrow.
 */
export function remembering(font: Font, usual?: Record<string, boolean>): Font {
  const layout: Layout = font.layout.bind(font);
  const known = new Map<string, Run>();
  let letters = 0;
  const remembered: Layout = (text, features, ...rest) => {
    if (text.length > MAX_TEXT_LENGTH) return layout(text, features ?? usual, ...rest);
    const key = `${text}\u0000${features === undefined ? '' : JSON.stringify(features)}`;
    let run = known.get(key);
    if (run === undefined) {
      letters += text.length;
      if (letters > REMEMBERED) {
        known.clear();
        letters = text.length;
      }
      run = layout(text, features ?? usual, ...rest);
      known.set(key, run);
    }
    return copyOf(run);
  };
  font.layout = remembered;
  return font;
}

/** A copy, because pdfkit scales the positions in place. */
function copyOf(run: Run): Run {
  const positions = run.positions.map((position) => ({ ...position }));
  return Object.create(run, { positions: { value: positions, writable: true } }) as Run;
}

const widths = new WeakMap<Font, { known: Map<string, number>; letters: number }>();

/** The width of a word at size 1. */
export function widthOf(font: Font, text: string, features?: string[]): number {
  const measured = () => font.layout(text, features).advanceWidth / font.unitsPerEm;
  if (text.length > MAX_TEXT_LENGTH) return measured();
  let memory = widths.get(font);
  if (memory === undefined) {
    memory = { known: new Map(), letters: 0 };
    widths.set(font, memory);
  }
  const { known } = memory;
  const key = features === undefined ? text : `${text}\u0000${features.join()}`;
  let width = known.get(key);
  if (width === undefined) {
    memory.letters += text.length;
    if (memory.letters > REMEMBERED) {
      known.clear();
      memory.letters = text.length;
    }
    width = measured();
    known.set(key, width);
  }
  return width;
}
