import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csv, guard, unguard } from './csv.ts';
import type { Cell, CellKind } from './sheet.ts';

async function written(kinds: readonly CellKind[], ...pages: Cell[][][]): Promise<string> {
  const columns = kinds.map((kind, i) => ({ heading: `h${i}`, kind }));
  const chunks: Buffer[] = [];
  for await (const chunk of csv(
    columns,
    (async function* () {
      yield* pages;
    })(),
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const read = (text: string): string[][] => Papa.parse<string[]>(text.replace(/^\ufeff/, '').trimEnd()).data;

test('UTF-8 with its mark, lines ended by CRLF, one line of headings', async () => {
  expect(await written(['plain', 'plain'], [['Zoë', 'x']], [['é', null]])).toBe('\ufeffh0,h1\r\nZoë,x\r\né,\r\n');
});

test('numbers, yes and no, amounts, times and dates are written plainly', async () => {
  const text = await written(
    ['plain', 'plain', 'plain', 'amount', 'time', 'date'],
    [[-5, 0.1, true, '-25.50', Date.UTC(2026, 2, 29, 3, 5, 7), '1990-01-31']],
  );
  expect(read(text)[1]).toEqual(['-5', '0.1', 'true', '-25.50', '2026-03-29 03:05:07', '1990-01-31']);
});

test('whatever a text holds, a reader of CSV gets it back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 3, maxLength: 3 })),
      async (rows) => {
        const awkward = [...rows, ['a"b', 'a,b', 'a\r\nb'], [' a', 'a ', '"'], ['a\nb', '""', ',']];
        const text = await written(['plain', 'plain', 'plain'], awkward);
        const back = Papa.parse<string[]>(text.slice(1), { newline: '\r\n' }).data.slice(1, -1);
        expect(back.map((row) => row.map(unguard))).toEqual(awkward);
      },
    ),
  );
});

describe('what a spreadsheet would run', () => {
  test.each(['=1+1', '+49 30 901820', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', "'=1"])(
    '%j is guarded',
    async (text) => {
      expect(guard(text)).toBe(`'${text}`);
      expect(unguard(guard(text))).toBe(text);
      const [, row] = Papa.parse<string[]>(await written(['plain'], [[text]]), { newline: '\r\n' }).data;
      expect(row).toEqual([`'${text}`]);
    },
  );

  test.each(['Ada', "'t Hooft", "O'Neill", '1=1', '', "''"])('%j is left alone, and comes back as it was', (text) => {
    expect(guard(text)).toBe(text);
    expect(unguard(text)).toBe(text);
  });

  test('headings are guarded too', async () => {
    const chunks = [];
    for await (const chunk of csv([{ heading: '=cmd', kind: 'plain' }], (async function* () {})())) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("\ufeff'=cmd\r\n");
  });

  test('a text in a column of dates is guarded as elsewhere', async () => {
    expect(read(await written(['date'], [['=1+1']]))[1]).toEqual(["'=1+1"]);
  });
});
