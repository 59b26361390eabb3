import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import encodeQR from 'qr';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode, readByQr } from '../web/scan/src/read/decoder.ts';
import type { Grey } from '../web/scan/src/read/types.ts';
import { Zxing } from '../web/scan/src/read/zxing.ts';

const CODE = '7K2M9QX4T8VR3BNWJ5H6PDCZ0YAB';
const ADDRESS = 'https://door.example.org/scan#pair=7K2M9QX4T8';

/** A grey page of this size with codes on it, each with its upper left corner. */
function page(width: number, height: number, codes: { text: string; x: number; y: number; scale?: number }[]): Grey {
  const data = new Uint8Array(width * height).fill(230);
  for (const { text, x, y, scale = 4 } of codes) {
    for (const [down, row] of encodeQR(text, 'raw', { ecc: 'quartile', border: 4, scale }).entries()) {
      for (const [across, dark] of row.entries()) data[(y + down) * width + x + across] = dark ? 25 : 230;
    }
  }
  return { data, width, height };
}
const inverted = ({ data, ...size }: Grey): Grey => ({ ...size, data: data.map((value) => 255 - value) });

let zxing: Zxing;
beforeAll(async () => {
  const file = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  zxing = await Zxing.load({ wasmBinary: Uint8Array.from(file).buffer });
});

describe.each([CODE, ADDRESS, 'ünïcödé ✓'])('a code with %s', (text) => {
  const picture = page(640, 480, [{ text, x: 300, y: 100 }]);
  test('is read, with its place', () => {
    const { codes, by } = decode(picture, zxing);
    expect(by).toBe('zxing');
    expect(codes).toHaveLength(1);
    const side = encodeQR(text, 'raw', { ecc: 'quartile', border: 4, scale: 4 }).length;
    expect(codes[0]!.text).toBe(text);
    expect(codes[0]!.x).toBeCloseTo(300 + side / 2, -1);
    expect(codes[0]!.y).toBeCloseTo(100 + side / 2, -1);
  });
  test('is read white on black', () => expect(zxing.read(inverted(picture)).map((code) => code.text)).toEqual([text]));
  test('is read by the second decoder too, with about the same place', () => {
    const [first] = zxing.read(picture);
    const second = readByQr(picture);
    expect(second?.text).toBe(text);
    expect(Math.hypot(second!.x - first!.x, second!.y - first!.y)).toBeLessThan(8);
  });
});

test('two codes in one picture are both found', () => {
  const picture = page(900, 400, [
    { text: CODE, x: 20, y: 50 },
    { text: ADDRESS, x: 500, y: 50 },
  ]);
  expect(
    decode(picture, zxing)
      .codes.map(({ text }) => text)
      .sort(),
  ).toEqual([CODE, ADDRESS].sort());
});

test('what the first decoder misses, or cannot read yet, the second one reads', () => {
  const picture = page(640, 480, [{ text: CODE, x: 100, y: 100 }]);
  expect(decode(picture, { read: () => [] })).toMatchObject({ by: 'qr', codes: [{ text: CODE }] });
  expect(decode(picture, null)).toMatchObject({ by: 'qr', codes: [{ text: CODE }] });
});

test('nothing is read where there is nothing, and pictures may change their size', () => {
  for (const [width, height] of [
    [640, 480],
    [1, 1],
    [960, 540],
    [33, 200],
  ] as const) {
    expect(decode(page(width, height, []), zxing)).toEqual({ codes: [], by: null });
  }
  expect(zxing.read(page(320, 240, [{ text: CODE, x: 10, y: 10, scale: 3 }])).map(({ text }) => text)).toEqual([CODE]);
});

test('noise is never taken for a code', () => {
  let seed = 1;
  const noise = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed >>> 24;
  };
  for (let round = 0; round < 8; round += 1) {
    const data = new Uint8Array(480 * 360).map(round % 2 === 0 ? noise : () => (noise() > 127 ? 255 : 0));
    expect(decode({ data, width: 480, height: 360 }, zxing).codes).toEqual([]);
  }
});
