import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readXlsx, readZip } from '../../../test/support/read-xlsx.ts';
import type { Cell, CellKind, SheetColumn } from './sheet.ts';
import { xlsx } from './xlsx.ts';
import { Zip } from './zip.ts';

const columnsOf = (kinds: readonly CellKind[]): SheetColumn[] => kinds.map((kind, i) => ({ heading: `h${i}`, kind }));

async function written(columns: SheetColumn[], pages: Cell[][][], most?: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const from = (async function* () {
    yield* pages;
  })();
  for await (const chunk of xlsx('People & <more>', columns, from, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const cellOf = async (kind: CellKind, cell: Cell): Promise<unknown> =>
  readXlsx(await written(columnsOf([kind]), [[[cell]]]))[0]!.rows[1]![0];

test('a sheet has bold, frozen headings with a filter, and a width for each column', async () => {
  const columns: SheetColumn[] = [
    { heading: 'First name', kind: 'plain' },
    { heading: 'Registered at', kind: 'time' },
    { heading: 'Email', kind: 'plain', width: 30 },
  ];
  const [sheet, ...others] = readXlsx(
    await written(columns, [
      [
        ['Ada', 0, null],
        ['Bob', 0, 'b@example.org'],
      ],
    ]),
  );
  expect(others).toEqual([]);
  expect(sheet).toMatchObject({
    name: 'People & <more>',
    frozen: 1,
    filter: 'A1:C3',
    bold: [true, true, true],
    widths: [16, 19, 30],
  });
  expect(sheet!.rows[0]).toEqual(['First name', 'Registered at', 'Email']);
});

test('an export without rows is a workbook with headings only', async () => {
  expect(readXlsx(await written(columnsOf(['plain']), []))).toMatchObject([{ rows: [['h0']], filter: 'A1:A1' }]);
});

test('columns after Z have two letters, after ZZ three', async () => {
  const row = Array.from({ length: 703 }, (_, i) => `c${i}`);
  expect(readXlsx(await written(columnsOf(row.map(() => 'plain')), [[row]]))[0]!.rows[1]).toEqual(row);
});

describe('cells are typed', () => {
  test.each([
    ['plain', 'text', 'text'],
    ['plain', 12.5, 12.5],
    ['plain', '007', '007'],
    ['plain', true, true],
    ['plain', false, false],
    ['amount', '25.50', 25.5],
    ['amount', '2550', 2550],
    ['amount', '0.0001', 0.0001],
    ['time', Date.UTC(2026, 9, 25, 2, 59, 59), '2026-10-25 02:59:59'],
    ['date', '1990-01-31', '1990-01-31'],
    ['date', '1900-03-01', '1900-03-01'],
  ] as const)('%s %j', async (kind, cell, shown) => {
    expect(await cellOf(kind, cell)).toBe(shown);
  });

  test.each([
    ['date', '1900-02-28', '1900-02-28'],
    ['date', '1815-12-10', '1815-12-10'],
    ['date', 'not a date', 'not a date'],
    ['time', Date.UTC(1815, 11, 10, 1, 2, 3), '1815-12-10 01:02:03'],
  ] as const)('what Excel’s calendar lacks stays text: %s %j', async (kind, cell, shown) => {
    const file = await written(columnsOf([kind]), [[[cell]]]);
    expect(readZip(file).get('xl/worksheets/sheet1.xml')!.toString()).toContain(`<t>${shown}</t>`);
  });
});

describe('texts', () => {
  test('a reader gets every text back as it was', async () => {
    const awkward = [
      'a\r\nb',
      'a\rb',
      ' a ',
      '\ta',
      '<&>"\'',
      '_x000D_',
      '__x0041__',
      '\u0001\u001f\u000b',
      '\ufffe',
      '=1+1',
      '日本🎟️',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), async (more) => {
        const rows = [...awkward, ...more].map((text) => [text]);
        expect(readXlsx(await written(columnsOf(['plain']), [rows]))[0]!.rows.slice(1)).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });

  test('a text longer than Excel allows is cut visibly, and never inside a character', async () => {
    expect(await cellOf('plain', 'x'.repeat(32_767))).toBe('x'.repeat(32_767));
    expect(await cellOf('plain', 'x'.repeat(32_768))).toBe(`${'x'.repeat(32_766)}…`);
    const cut = (await cellOf('plain', `x${'🎟'.repeat(20_000)}`)) as string;
    expect(cut.isWellFormed() && cut.length <= 32_767 && cut.endsWith('🎟…')).toBe(true);
  });
});

test('rows that do not fit into a sheet continue in the next, whatever pages they come in', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => [i]);
  const pages = [rows.slice(0, 3), [], rows.slice(3, 18), rows.slice(18)];
  const sheets = readXlsx(await written(columnsOf(['plain']), pages, 11));
  expect(sheets.map((sheet) => [sheet.name, sheet.filter])).toEqual([
    ['People & <more>', 'A1:A11'],
    ['People & <more> 2', 'A1:A11'],
    ['People & <more> 3', 'A1:A6'],
  ]);
  expect(sheets.flatMap((sheet) => sheet.rows.slice(1))).toEqual(rows);
  expect(sheets.every((sheet) => sheet.rows[0]![0] === 'h0')).toBe(true);
});

test('rows that exactly fill a sheet do not start a second one', async () => {
  const rows = Array.from({ length: 10 }, (_, i) => [i]);
  expect(readXlsx(await written(columnsOf(['plain']), [rows], 11))).toHaveLength(1);
});

test('an error of the source fails the file, and the source is closed', async () => {
  let ended = false;
  async function* failing() {
    try {
      yield [['a']];
      throw new Error('the database went away');
    } finally {
      ended = true;
    }
  }
  const drain = async () => {
    for await (const _ of xlsx('People', columnsOf(['plain']), failing()));
  };
  await expect(drain()).rejects.toThrow('the database went away');
  expect(ended).toBe(true);
});

test('the source is closed when reading stops early', async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield Array.from({ length: 100 }, () => [Math.random()]);
    } finally {
      ended = true;
    }
  }
  let read = 0;
  for await (const chunk of xlsx('People', columnsOf(['plain']), endless())) {
    read += chunk.length;
    if (read > 100_000) break;
  }
  expect(ended).toBe(true);
});

test('a zip entry of several chunks is one entry', async () => {
  const zip = new Zip();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.entry('ä.txt', [Buffer.from('one '), Buffer.from('two')])) chunks.push(chunk);
  chunks.push(...zip.end());
  expect([...readZip(Buffer.concat(chunks))].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
    ['ä.txt', 'one two'],
  ]);
});
