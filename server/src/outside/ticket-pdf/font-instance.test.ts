import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { expect, test } from 'vitest';
import decompress from 'woff2-encoder/decompress';
import { readable } from './font-instance.ts';

const require = createRequire(import.meta.url);
const inter = async () =>
  create(Buffer.from(await decompress(await readFile(require.resolve('inter-ui/web/Inter-Regular.woff2'))))) as Font;

/** Which characters the glyph of "o" stands for, after the outline of "ó" was read, which contains that glyph. */
function afterItsAccent(font: Font): number[] {
  expect(font.glyphForCodePoint(0xf3).path.commands.length).toBeGreaterThan(0);
  return font.layout('o').glyphs[0]!.codePoints;
}

test('a letter stays readable after its accented form was drawn', async () => {
  expect(afterItsAccent(readable(await inter()))).toEqual([0x6f]);
});

test('the control: fontkit alone forgets the letter', async () => {
  expect(afterItsAccent(await inter())).toEqual([]);
});
