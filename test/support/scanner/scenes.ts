import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { renderTicketPdf } from '../../../server/src/outside/ticket-pdf/render.ts';
import { sample } from '../../../server/src/outside/ticket-pdf/ticket-pdf.support.ts';
import type { Grey, Point } from '../../../web/scan/src/read/types.ts';
import { Zxing } from '../../../web/scan/src/read/zxing.ts';

/** What a camera sees of tickets: our own PDFs, drawn as paper or a phone in somebody's hand looks. */

export const CAMERA = { width: 1280, height: 720 };

/** How a ticket is held. Lengths are pixels of the camera; brightness goes from 0 to 255. */
interface Held {
  readonly name: string;
  readonly format: 'a4' | 'phone';
  /** How large the page is. At 72 dpi, the code on a phone's ticket is 260 pixels wide. */
  readonly dpi: number;
  /** In degrees. */
  readonly angle?: number;
  /** How much smaller the far side is: 0.3 is a phone that leans back by about 40 degrees. */
  readonly tilt?: number;
  /** Where the code is, from the middle of the picture. */
  readonly at?: Point;
  /** How bright black and white of the ticket are, and what is behind it. */
  readonly light?: { readonly black: number; readonly white: number; readonly behind: number };
  readonly inverted?: boolean;
  readonly noise?: number;
  /** How far every point is spread, by a camera that is not focused. */
  readonly blur?: number;
  readonly cracks?: number;
  /** A lamp that is seen in the screen, as a share of the code's width. */
  readonly glare?: number;
  /** The pixels of a screen, seen as a grid. */
  readonly grid?: boolean;
}

const HELD: readonly Held[] = [
  { name: 'paper', format: 'a4', dpi: 110 },
  { name: 'paper, turned', format: 'a4', dpi: 110, angle: 33 },
  { name: 'paper, upside down', format: 'a4', dpi: 90, angle: 180 },
  { name: 'paper, far away', format: 'a4', dpi: 50, at: { x: 60, y: -40 } },
  { name: 'phone', format: 'phone', dpi: 80, grid: true },
  { name: 'phone, turned', format: 'phone', dpi: 70, angle: 118 },
  { name: 'phone, far away', format: 'phone', dpi: 24, at: { x: -90, y: 30 } },
  { name: 'phone, near', format: 'phone', dpi: 170 },
  { name: 'phone, leaning back', format: 'phone', dpi: 90, tilt: 0.35, angle: 8 },
  { name: 'paper in the dark', format: 'a4', dpi: 110, light: { black: 8, white: 46, behind: 12 }, noise: 7 },
  { name: 'dim screen in the sun', format: 'phone', dpi: 80, light: { black: 96, white: 136, behind: 215 }, noise: 5 },
  { name: 'cracked screen', format: 'phone', dpi: 80, cracks: 7, angle: -12, grid: true },
  { name: 'screen in dark mode', format: 'phone', dpi: 70, inverted: true, angle: 5 },
  { name: 'not focused', format: 'phone', dpi: 90, blur: 4 },
  { name: 'lamp in the screen', format: 'phone', dpi: 90, glare: 0.3, angle: 4 },
];

/** One ticket in front of the camera. */
export interface Scene {
  readonly name: string;
  readonly code: string;
  /** A few pictures of it, as a hand trembles. */
  readonly pictures: readonly Uint8Array[];
}

/** In how many ways tickets are held. */
export const SCENES = HELD.length;
const PICTURES = 4;

/**
 * Each code is that of one ticket; without codes, made-up ones. `from`: with which way of holding one it begins. `count`: how many pictures
 * there are of each.
 */
export async function drawScenes(
  codes: readonly string[] = HELD.map((_, index) => codeOf(index)),
  from = 0,
  count = PICTURES,
): Promise<Scene[]> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const zxing = await Zxing.load({ wasmBinary: Uint8Array.from(wasm).buffer });
  const scenes: Scene[] = [];
  /** Where the code is on a page of each format, at 100 dpi: at the same place, whatever the code. */
  const middles = new Map<Held['format'], Point>();
  for (const [index, code] of codes.entries()) {
    const held = HELD[from + index]!;
    const page = await pageOf(code, held);
    const random = randomBy(index + 1);
    const pictures = Array.from({ length: count }, () => photograph(page, held, random));
    scenes.push({ name: held.name, code, pictures });
  }
  return scenes;

  /** The page of the ticket as grey pixels, and where its code is. */
  async function pageOf(code: string, { format, dpi }: Held): Promise<Page> {
    const pdf = await renderTicketPdf({ ...sample, code }, format);
    const { x, y } = middles.get(format) ?? zxing.read(rasterized(pdf, 100))[0]!;
    middles.set(format, { x, y });
    return { ...rasterized(pdf, dpi), middle: { x: (x * dpi) / 100, y: (y * dpi) / 100 } };
  }
}

/** Nothing is held up: a wall in the evening. */
export function drawWall(): Uint8Array {
  const random = randomBy(99);
  const wall = new Uint8Array(CAMERA.width * CAMERA.height);
  for (let at = 0; at < wall.length; at += 1) wall[at] = 90 + (((at % CAMERA.width) / 32) | 0) + random() * 6;
  return wall;
}

interface Page extends Grey {
  readonly middle: Point;
}

/** Codes as tickets have them: 28 characters, without letters that look like others. */
export function codeOf(index: number): string {
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const random = randomBy(1000 + index);
  return Array.from({ length: 28 }, () => letters[(random() * 32) | 0]).join('');
}

/** A page of a PDF as the format PGM, which is a short line of text before the pixels. */
function rasterized(pdf: Buffer, dpi: number): Grey {
  const options = ['-gray', '-r', String(dpi), '-f', '1', '-l', '1', '-'];
  const pgm = execFileSync('pdftoppm', options, { input: pdf, maxBuffer: 1e9 });
  const [head, width, height] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(pgm.toString('latin1', 0, 40))!;
  return { width: Number(width), height: Number(height), data: Uint8Array.from(pgm.subarray(head.length)) };
}

/** What the camera sees of the page. */
function photograph(page: Page, held: Held, random: () => number): Uint8Array {
  const { light = { black: 22, white: 225, behind: 120 }, at = { x: 0, y: 0 }, tilt = 0, noise = 4 } = held;
  const tremble = () => (random() - 0.5) * 4;
  const middle = { x: CAMERA.width / 2 + at.x + tremble(), y: CAMERA.height / 2 + at.y + tremble() };
  const angle = (((held.angle ?? 0) + tremble() / 4) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const side = held.format === 'phone' ? (held.dpi / 72) * 260 : (held.dpi / 72) * A4_CODE;
  const damage = damages(held, side, random);
  const picture = new Uint8Array(CAMERA.width * CAMERA.height);
  for (let y = 0; y < CAMERA.height; y += 1) {
    // Where the page leans back, what is above the middle is further away.
    const far = 1 / Math.max(0.2, 1 + (tilt * (y - middle.y)) / side);
    const down = (y - middle.y) * far;
    for (let x = 0; x < CAMERA.width; x += 1) {
      const across = (x - middle.x) * far;
      const u = across * cos + down * sin;
      const v = down * cos - across * sin;
      const ink = brightness(page, page.middle.x + u, page.middle.y + v);
      const plain = ink < 0 || held.inverted !== true ? ink : 255 - ink;
      const lit = plain < 0 ? light.behind : light.black + (plain * (light.white - light.black)) / 255;
      const screen = held.grid === true && plain >= 0 && ((u & 3) === 0 || (v & 3) === 0) ? 0.9 : 1;
      picture[y * CAMERA.width + x] = plain < 0 ? lit : damage(u, v, lit * screen);
    }
  }
  spread(picture, held.blur ?? 1);
  for (let i = 0; i < picture.length; i += 1)
    picture[i] = Math.min(255, Math.max(0, picture[i]! + (random() - 0.5) * 2 * noise));
  return picture;
}
/** How wide the code on paper is, in points. */
const A4_CODE = 205;

/** Between the pixels of the page; less than 0 beside it. */
function brightness({ data, width, height }: Grey, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return -1;
  const across = x - left;
  const down = y - top;
  const at = top * width + left;
  const above = data[at]! * (1 - across) + data[at + 1]! * across;
  const below = data[at + width]! * (1 - across) + data[at + width + 1]! * across;
  return above * (1 - down) + below * down;
}

/** Cracks and lamps, in the coordinates of the ticket. */
function damages({ cracks = 0, glare = 0 }: Held, side: number, random: () => number) {
  // Cracks start where the phone fell on its corner.
  const lines = Array.from({ length: cracks }, (_, index) => {
    const angle = ((index + 0.5) / cracks) * (Math.PI / 2);
    return { x: Math.sin(angle), y: -Math.cos(angle), bright: index % 3 !== 0, width: side / 90 };
  });
  const corner = { x: side * 0.62, y: side * 0.9 };
  const lamp = { x: side * (0.1 + random() * 0.02), y: side * 0.12, radius: (side * glare) / 2 };
  return (u: number, v: number, value: number): number => {
    for (const { x, y, bright, width } of lines)
      if (Math.abs((u - corner.x) * x + (v - corner.y) * y) < width / 2) return bright ? 235 : 15;
    if (lamp.radius === 0) return value;
    const distance = Math.hypot(u - lamp.x, v - lamp.y);
    return distance < lamp.radius ? 252 : Math.max(value, 252 - (distance - lamp.radius) * 12);
  };
}

/** Spreads every point over a square, first across, then down. */
function spread(picture: Uint8Array, radius: number): void {
  const { width, height } = CAMERA;
  const line = new Uint8Array(Math.max(width, height));
  const pass = (start: number, step: number, length: number) => {
    for (let i = 0; i < length; i += 1) line[i] = picture[start + i * step]!;
    let sum = 0;
    for (let i = -radius; i < length; i += 1) {
      sum += (line[i + radius] ?? 0) - (line[i - radius - 1] ?? 0);
      const from = Math.max(0, i - radius);
      const to = Math.min(length - 1, i + radius);
      if (i >= 0) picture[start + i * step] = sum / (to - from + 1);
    }
  };
  for (let y = 0; y < height; y += 1) pass(y * width, 1, width);
  for (let x = 0; x < width; x += 1) pass(x, width, height);
}

/** The same numbers every time, from 0 to 1. */
export function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
