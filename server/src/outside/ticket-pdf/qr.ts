import { encode } from 'uqr';

export interface Qr {
  /** Modules per side, without the quiet zone. */
  size: number;
  /** PDF path operators for all dark modules, to be filled with the even-odd rule. The unit is one module; `y` points down. */
  path: string;
}

/** The width of the light border that the standard requires, four modules, for a code that is `side` wide. */
export const quietZone = ({ size }: Qr, side: number): number => (side / size) * 4;

/** How many choices of a mask are remembered. They take about a megabyte. */
const REMEMBERED = 20_000;
const masks = new Map<string, number>();

/**
 * Codes of capital letters and digits use the alphanumeric mode: 26 characters need 25 × 25 modules at level Q (a quarter of the
 * code may be damaged), while bytes would need 29 × 29. If there is room to spare, the encoder raises the level by itself.
 */
export function matrixOf(code: string): { darkSquares: boolean[][]; size: number } {
  const known = masks.get(code);
  // The encoder draws the code with each of eight masks and takes the best one. That is nine tenths of its time (measured), so the
  // choice is remembered: people look at their tickets again and again.
  const { data, size, maskPattern } = encode(code, {
    ecc: 'Q',
    boostEcc: true,
    border: 0,
    ...(known !== undefined && { maskPattern: known }),
  });
  masks.delete(code);
  masks.set(code, maskPattern);
  if (masks.size > REMEMBERED) masks.delete(masks.keys().next().value!);
  return { darkSquares: data, size };
}

export function qrOf(code: string): Qr {
  const { darkSquares, size } = matrixOf(code);
  return { size, path: outline(darkSquares, size) };
}

/**
 * Follows the edges between dark and light modules into closed polygons. Single squares would show hairlines between them in
 * viewers that smooth edges; outlines do not, and need a third of the bytes.
 */
function outline(darkSquares: boolean[][], size: number): string {
  const isDark = (x: number, y: number) => darkSquares[y]?.[x] === true;
  // Each edge has the dark module on its right. Edges are stored by their starting point; two can start at the same corner.
  const edges = new Map<string, [number, number][]>();
  const edge = (x: number, y: number, toX: number, toY: number) => {
    const from = edges.get(`${x} ${y}`);
    if (from === undefined) edges.set(`${x} ${y}`, [[toX, toY]]);
    else from.push([toX, toY]);
  };
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!isDark(x, y)) continue;
      if (!isDark(x, y - 1)) edge(x, y, x + 1, y);
      if (!isDark(x + 1, y)) edge(x + 1, y, x + 1, y + 1);
      if (!isDark(x, y + 1)) edge(x + 1, y + 1, x, y + 1);
      if (!isDark(x - 1, y)) edge(x, y + 1, x, y);
    }
  }
  const parts: string[] = [];
  for (const [start, ends] of edges) {
    while (ends.length > 0) {
      let [x, y] = start.split(' ').map(Number) as [number, number];
      parts.push(`${x} ${y} m`);
      let heading = '';
      for (let at = start; ; ) {
        const next = edges.get(at)?.pop();
        if (next === undefined) break;
        const turned = `${next[0] - x} ${next[1] - y}`;
        // Only corners are written, so a straight side is one line no matter how long it is.
        if (turned !== heading && heading !== '') parts.push(`${x} ${y} l`);
        heading = turned;
        [x, y] = next;
        at = `${x} ${y}`;
      }
      parts.push('h');
    }
  }
  return parts.join('\n');
}
