import { guard, unguard } from '@turnout/contract/csv-guard';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csv } from './csv.ts';
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

test('a file is UTF-8 with a byte order mark, lines end with CRLF, and the first line has the headings', async () => {
  expect(await written(['plain', 'plain'], [['Zoë', 'x']], [['é', null]])).toBe(
    '\ufeff"h0","h1"\r\n"Zoë","x"\r\n"é",\r\n',
  );
});

test('numbers, booleans, amounts, times and dates are written without quotes', async () => {
  const text = await written(
    ['plain', 'plain', 'plain', 'amount', 'time', 'date'],
    [[-5, 0.1, true, '-25.50', Date.UTC(2026, 2, 29, 3, 5, 7), '1990-01-31']],
  );
  expect(read(text)[1]).toEqual(['-5', '0.1', 'true', '-25.50', '2026-03-29 03:05:07', '1990-01-31']);
});

test('a CSV reader gets every text back as it was', async () => {
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

const cut = (text: string, separator: string): string[] =>
  text.split(/[\r\n]/).flatMap((line) => line.split(separator));

/** Reads quotes as spreadsheets do: only at the beginning of a field; behind the closing quote everything is literal. */
function asSpreadsheet(text: string, separator: string): string[] {
  const fields: string[] = [];
  let field = '';
  let [begun, inQuotes] = [false, false];
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]!;
    if (inQuotes) {
      if (letter !== '"') field += letter;
      else if (text[i + 1] === '"') {
        field += letter;
        i += 1;
      } else inQuotes = false;
    } else if (letter === '"' && !begun) {
      [begun, inQuotes] = [true, true];
    } else if (letter === separator || letter === '\n' || letter === '\r') {
      fields.push(field);
      [field, begun] = ['', false];
    } else {
      field += letter;
      begun = true;
    }
  }
  return [...fields, field];
}
const RUNS = /^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠﹢﹣﹦﹫]/u;

describe('texts that a spreadsheet would run as formulas', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30 901820', "'+49 30 901820"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['\tx', "'\tx"],
    ['＝1+1', "'＝1+1"],
    ["'=1", "''=1"],
    ['a;=1', "a;'=1"],
    ['a;"=1', `a;'"=1`],
    ['a; =1', "a;' =1"],
    ['a,b|@x\ty', "a,b|'@x\ty"],
    ['- one\n- two', "'- one\n'- two"],
    ['\u200b=1', "'\u200b=1"],
  ])('%j is guarded', async (text, guarded) => {
    expect(guard(text)).toBe(guarded);
    expect(unguard(guarded)).toBe(text);
    const [, row] = Papa.parse<string[]>(await written(['plain'], [[text]]), { newline: '\r\n' }).data;
    expect(row).toEqual([guarded]);
  });

  const awkward = fc.string({
    unit: fc.constantFrom(...'=+-@＝＠﹣,;|\t\r\n "\'a1\u200b\u00a0\ufeff'),
    maxLength: 12,
  });

  test('`unguard` restores every text', () => {
    fc.assert(
      fc.property(fc.oneof(awkward, fc.string({ unit: 'binary' })), (text) => {
        expect(unguard(guard(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('no reader sees a formula, whatever its separator and however it reads quotes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(awkward, awkward), { maxLength: 4 }), async (rows) => {
        const text = (await written(['plain', 'plain'], rows)).slice(1);
        for (const separator of [',', ';', '\t', '|']) {
          const seen = [
            ...cut(text, separator),
            ...asSpreadsheet(text, separator),
            ...Papa.parse<string[]>(text, { delimiter: separator }).data.flat(),
          ];
          expect(seen.filter((field) => RUNS.test(field))).toEqual([]);
        }
      }),
      { numRuns: 700 },
    );
  });

  test.each(['Ada', "'t Hooft", "O'Neill", '1=1', '', "''"])('%j is not changed', (text) => {
    expect(guard(text)).toBe(text);
    expect(unguard(text)).toBe(text);
  });

  test('headings are guarded too', async () => {
    const chunks = [];
    for await (const chunk of csv([{ heading: '=cmd', kind: 'plain' }], (async function* () {})())) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('\ufeff"\'=cmd"\r\n');
  });

  test('a text in a column of dates is guarded, too', async () => {
    expect(read(await written(['date'], [['=1+1']]))[1]).toEqual(["'=1+1"]);
  });
});
