import { closeSync, openSync, writeSync } from 'node:fs';
import { MARK } from './mark.ts';
import { CAMERA, drawWall, type Scene } from './scenes.ts';

/** What a camera sees while one ticket after the other is held up, with nothing in between. */

export const PER_SECOND = 10;
/** The film begins with the camera, and on a busy machine the decoder is there seconds later. */
const BEFORE = 60;
const HOLD = 20;
/** Less than it takes for a code to be gone. */
const BETWEEN = 4;
const AFTER = 30;

export interface Film {
  /** Where each ticket is seen: the number of its first picture, and of the first one after it. */
  readonly held: readonly {
    readonly name: string;
    readonly code: string;
    readonly from: number;
    readonly to: number;
  }[];
  readonly pictures: number;
}

/** Writes the film in the format Y4M, which Chromium shows in place of a camera. */
export function writeFilm(file: string, scenes: readonly Scene[]): Film {
  const out = openSync(file, 'w');
  const head = `YUV4MPEG2 W${CAMERA.width} H${CAMERA.height} F${PER_SECOND}:1 Ip A1:1 C420\n`;
  writeSync(out, head);
  const colourless = Buffer.alloc((CAMERA.width * CAMERA.height) / 2, 128);
  const wall = drawWall();
  let pictures = 0;
  const show = (picture: Uint8Array) => {
    writeSync(out, 'FRAME\n');
    writeSync(out, numbered(picture, pictures));
    writeSync(out, colourless);
    pictures += 1;
  };
  const nothing = (count: number) => {
    for (let index = 0; index < count; index += 1) show(wall);
  };
  nothing(BEFORE);
  const held = scenes.map(({ name, code, pictures: shown }) => {
    const from = pictures;
    for (let index = 0; index < HOLD; index += 1) show(shown[index % shown.length]!);
    const to = pictures;
    nothing(BETWEEN);
    return { name, code, from, to };
  });
  nothing(AFTER);
  closeSync(out);
  return { held, pictures };
}

/** The picture with its number in the corner, in black and white squares that the page can read. */
function numbered(picture: Uint8Array, number: number): Uint8Array {
  const copy = Uint8Array.from(picture);
  for (let bit = 0; bit < MARK.bits; bit += 1) {
    const value = (number >> bit) & 1 ? 235 : 16;
    for (let y = 0; y < MARK.side; y += 1) {
      const start = y * CAMERA.width + bit * MARK.side;
      copy.fill(value, start, start + MARK.side);
    }
  }
  return copy;
}
