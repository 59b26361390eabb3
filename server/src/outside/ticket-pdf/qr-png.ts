import { crc32, deflateSync } from 'node:zlib';
import { matrixOf } from './qr.ts';

/** The light border that the standard requires, in modules. On a dark background a scanner needs it to find the code. */
const QUIET = 4;
/** Pixels per module: enough to stay sharp at twice the size in which the code is shown. */
const SCALE = 10;

/** The ticket's QR code as a PNG: black on white, one bit per pixel, about 400 bytes. */
export function qrPng(code: string): Buffer {
  const { darkSquares, size } = matrixOf(code);
  const modules = size + 2 * QUIET;
  const side = modules * SCALE;
  const width = Math.ceil(side / 8);
  const rows: Buffer[] = [];
  for (let y = 0; y < modules; y += 1) {
    const row = Buffer.alloc(1 + width, 0xff); // all white
    row[0] = 0; // no filter
    for (let x = 0; x < side; x += 1) {
      const isDark = darkSquares[y - QUIET]?.[Math.floor(x / SCALE) - QUIET] === true;
      if (isDark) row[1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
    }
    for (let copy = 0; copy < SCALE; copy += 1) rows.push(row);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1; // bits per pixel; the zeros behind it mean greyscale, deflate, standard filters, not interlaced
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
