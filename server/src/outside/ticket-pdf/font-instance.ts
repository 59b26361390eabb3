import type { Font, Glyph } from 'fontkit';

/** The fields of fontkit's TrueType subset that are filled glyph by glyph. */
interface TrueTypeSubset {
  glyf: Uint8Array[];
  loca: { offsets: number[] };
  hmtx: { metrics: { advance: number; bearing: number }[] };
  offset: number;
  _addGlyph(id: number): number;
}

/** One weight of a variable font. */
export function instanceOf(variable: Font, weight: number, name: string): Font {
  const font = variable.getVariation({ wght: weight });
  // pdfkit takes two fonts of the same name for one font, and all weights of a variable font have the same name.
  Object.defineProperty(font, 'postscriptName', { value: name });
  return font;
}

/**
 * Makes a font write its glyphs into a document's subset from their outlines, each encoded only once.
 *
 * fontkit 2.0.4 reads variable fonts but cannot write their glyphs: its encoder passes a size to a stream that expects a buffer,
 * and throws. Besides, the parts of composite glyphs would stay where the default weight has them. It does write the glyphs of
 * other fonts, but decodes each of them again for every document. Figures: docs/decisions/0027-glyphs-of-tickets.md.
 */
export function embeddable(font: Font): Font {
  const createSubset = font.createSubset.bind(font);
  const written = new Map<number, { outline: Uint8Array; advance: number; bearing: number }>();
  font.createSubset = () => {
    const subset = createSubset() as ReturnType<Font['createSubset']> & TrueTypeSubset;
    subset._addGlyph = (id) => {
      let glyph = written.get(id);
      if (glyph === undefined) {
        const from = font.getGlyph(id);
        const { bytes, left } = encodeOutline(from.path);
        glyph = { outline: bytes, advance: Math.round(from.advanceWidth), bearing: left };
        written.set(id, glyph);
      }
      subset.glyf.push(glyph.outline);
      subset.loca.offsets.push(subset.offset);
      subset.hmtx.metrics.push({ advance: glyph.advance, bearing: glyph.bearing });
      subset.offset += glyph.outline.length;
      return subset.glyf.length - 1;
    };
    return subset;
  };
  return font;
}

/**
 * Makes a font remember which characters its glyphs stand for, whoever used a glyph first. fontkit keeps what the first user said,
 * and the outline of "ó" uses the glyph of "o" without saying anything: without this, later tickets showed every "o" but had lost it
 * for whoever copies, searches or listens to their text.
 */
export function readable(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const glyph = getGlyph(id, characters);
    if (characters.length > 0 && glyph?.codePoints.length === 0) glyph.codePoints.push(...characters);
    return glyph;
  };
  return font;
}

interface Point {
  x: number;
  y: number;
  onCurve: boolean;
}

const ON_CURVE = 1;
// `short`: the step is one byte long. `same`: if the step is short, it is positive; otherwise it is zero and left out.
const X = { short: 2, same: 16 };
const Y = { short: 4, same: 32 };

/** Encodes an outline as a simple TrueType glyph without hints. */
function encodeOutline(path: Glyph['path']): { bytes: Uint8Array; left: number } {
  const contours: Point[][] = [];
  for (const { command, args } of path.commands) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = args.map(Math.round);
    if (command === 'moveTo') contours.push([{ x: x1, y: y1, onCurve: true }]);
    if (command === 'lineTo') contours.at(-1)?.push({ x: x1, y: y1, onCurve: true });
    if (command === 'quadraticCurveTo') {
      contours.at(-1)?.push({ x: x1, y: y1, onCurve: false }, { x: x2, y: y2, onCurve: true });
    }
  }
  const points = contours.flat();
  if (points.length === 0) return { bytes: new Uint8Array(0), left: 0 };
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const flags = points.map((point) => (point.onCurve ? ON_CURVE : 0));
  const left = Math.min(...xs);
  const bytes = [contours.length, left, Math.min(...ys), Math.max(...xs), Math.max(...ys)].flatMap(int16);
  let last = -1;
  for (const contour of contours) {
    last += contour.length;
    bytes.push(...int16(last));
  }
  bytes.push(...int16(0));
  const coordinates = [...deltas(xs, flags, X), ...deltas(ys, flags, Y)];
  bytes.push(...flags, ...coordinates);
  // Glyphs begin at multiples of four.
  while (bytes.length % 4 !== 0) bytes.push(0);
  return { bytes: Uint8Array.from(bytes), left };
}

const int16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];

/** The steps from point to point in as few bytes as possible. How each step is written is added to its flags. */
function deltas(values: number[], flags: number[], bits: { short: number; same: number }): number[] {
  let before = 0;
  return values.flatMap((value, index) => {
    const step = value - before;
    before = value;
    const short = step !== 0 && Math.abs(step) < 256;
    flags[index] = (flags[index] ?? 0) | (short ? bits.short : 0) | (step === 0 || (short && step > 0) ? bits.same : 0);
    return step === 0 ? [] : short ? [Math.abs(step)] : int16(step);
  });
}
