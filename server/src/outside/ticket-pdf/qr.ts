import { encode } from 'uqr';

export interface Qr {
  /** Modules along a side, without the quiet zone. */
  size: number;
  /** PDF path operators of all dark modules, in modules, y downwards; filled even-odd. */
  path: string;
}

/** The light border the standard asks for on every side of dark modules `side` wide: four modules. */
export const quietZone = ({ size }: Qr, side: number): number => (side / size) * 4;

/**
 * Upper case and digits take the alphanumeric mode: 26 characters need 25 × 25 modules at level Q (a quarter of it
 * may be damaged), where bytes would need 29 × 29. Where the version has room to spare the level rises by itself.
 */
export function matrixOf(code: string): { dark: boolean[][]; size: number } {
  const { data, size } = encode(code, { ecc: 'Q', boostEcc: true, border: 0 });
  return { dark: data, size };
}

export function qrOf(code: string): Qr {
  const { dark, size } = matrixOf(code);
  return { size, path: outline(dark, size) };
}

/**
 * The edges between dark and light, walked into closed polygons. Squares side by side would leave hairlines
 * between them in viewers that smooth edges; an outline cannot, and is a third of the bytes.
 */
function outline(dark: boolean[][], size: number): string {
  const isDark = (x: number, y: number) => dark[y]?.[x] === true;
  // Each edge runs with the dark module on its right; keyed by where it starts, a corner point can start two.
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
        // Only corners are written: a straight side is one line however long.
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
