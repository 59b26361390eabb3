import type { QuestionKind } from '@turnout/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../common/refusal.ts';
import type { QuestionRow } from '../events/index.ts';
import { readRow } from './import-cells.ts';
import { columnsOf } from './import-headings.ts';
import { rejectsFile } from './import-rejects.ts';
import { tableOf } from './import-table.ts';
import { readingOf, textOf } from './import-text.ts';

const MB = 1024 * 1024;
const HEAD = 'First name,Last name,Email\n';

async function* pieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
const details = (error: unknown): string => {
  if (!(error instanceof Refusal)) throw error;
  return error.options.details!.map(({ path, message }) => `${path} ${message}`).join('; ');
};
/** Reads a file to its end. Answers the number of its rows, or why it was refused. */
async function read(file: string | Uint8Array): Promise<number | string> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  try {
    const table = await tableOf(textOf(pieces(bytes), await readingOf(pieces(bytes))));
    let rows = 0;
    for await (const some of table.rows) rows += some.length;
    return rows;
  } catch (error) {
    return details(error);
  }
}
const moment = async (work: () => unknown): Promise<void> => {
  const began = performance.now();
  await work();
  expect(performance.now() - began).toBeLessThan(2000);
};
const filled = (with_: string, bytes = 2 * MB) => with_.repeat(Math.ceil(bytes / with_.length));

// These once took up to half a minute and now take some ten milliseconds; two seconds are far from both.
test.each([
  ['stray quotes in one cell', `${HEAD}"${filled('a"')}`],
  ['stray quotes in rows of 60 KB', `${HEAD}${filled(`"${'a"'.repeat(30_000)}",x,y\n`)}`],
  ['stray quotes and no delimiter', `${HEAD}${filled(`"${'a" '.repeat(30_000)}"\n`)}`],
  ['stray quotes before the line breaks', `${HEAD}${filled('"a"b\n')}`],
  ['quotes alone', `${HEAD}${filled('"')}`],
  ['quotes and delimiters', `${HEAD}${filled('",')}`],
  ['headings of stray quotes', `${filled('"a"b')}\n`],
  ['headings of quotes', filled('"')],
  ['line breaks before the headings', `${filled('\n')}${HEAD}`],
  ['spaces before the headings', `${filled(' \n')}${HEAD}`],
  ['spaces behind a quote', `${HEAD}"a"${filled(' ')}`],
])('%s: reading 2 MB takes a moment', async (_name, text) => {
  await moment(() => read(text));
});

const MARKS = '\u0301\u0316'; // composing n of them in a row takes n² steps

test('headings full of accents, and a mapping of a thousand headings, are read quickly', async () => {
  await moment(() => read(`a${filled(MARKS)},Email\nx,y\n`));
  const headings = ['Email', ...Array.from({ length: 999 }, (_, i) => `${String(i).padEnd(199, 'ä')}`)];
  const mapping = Object.fromEntries(headings.slice(1).map((heading) => [heading, 'ignore' as const]));
  await moment(() => columnsOf(headings, mapping, []));
  await moment(() => {
    try {
      columnsOf(['Email'], { [`a${filled(MARKS)}`]: 'ignore' }, []);
    } catch (error) {
      expect(details(error).length).toBeLessThan(200);
    }
  });
});

describe('cells', () => {
  const question = (kind: QuestionKind, options: string[] | null = null) =>
    ({ id: kind, code: 'Note', label: 'Note', kind, options, required: false, attendee_type_ids: null }) as QuestionRow;
  const options = Array.from({ length: 200 }, (_, i) => `Öption ${i}`);
  const asked = (kind?: QuestionKind) =>
    columnsOf(['Email', 'Note', 'Day'], {}, kind === undefined ? [] : [question(kind, options)]);
  const row = (...cells: string[]) => ({ number: 2, cells, broken: null, end: 0 });

  test.each([
    ['a megabyte of accents', undefined, `a${filled(MARKS, MB)}`, 'too long'],
    ['5,000 accents in each of many rows', undefined, `a${MARKS.repeat(2400)}`, 'accents'],
    ['a megabyte of options', 'choices', filled('option 1;', MB), 'too long'],
    ['a thousand options in each of many rows', 'choices', 'o 1;'.repeat(1000), 'not an answer'],
    ['a number of 5,000 digits', 'number', '9'.repeat(4999), 'not an answer'],
  ] as const)('%s take a moment and are left out', async (_name, kind, cell, words) => {
    const columns = asked(kind);
    await moment(() => {
      for (let i = 0; i < 100; i += 1) {
        expect(readRow(row('a@example.org', cell), columns, 'dmy')).toMatchObject({
          code: 'invalid_value',
          words: expect.stringContaining(words),
        });
      }
    });
  });
});

describe('a file is refused with a reason', () => {
  test.each([
    ['a row of a million cells', `${HEAD}a,b,c\n${','.repeat(1_000_000)}\n`, 'row 3 has 1000001 cells'],
    ['a heading of 1 MB', `${'x'.repeat(MB)},Email\n`, 'longer than 256 KB'],
    ['38 MB of quotes', filled('"', 38 * MB), 'longer than 256 KB'],
    ['a cell of 2 MB', `${HEAD}"${'x'.repeat(2 * MB)}"\n`, 'a quote in row 2'],
  ])('%s', async (_name, text, words) => {
    expect(await read(text)).toContain(words);
  });

  test('a heading of more than 200 characters', () => {
    const long = () => columnsOf(['Email', 'ä'.repeat(201)], {}, []);
    expect(long).toThrow();
    try {
      long();
    } catch (error) {
      expect(details(error)).toContain('more than 200 characters');
    }
  });
});

test('UTF-16 that ends in the middle of a letter loses only that letter', async () => {
  const bytes = Buffer.from(`\ufeff${HEAD}Ada,L,a@example.org\nBob,M,b`, 'utf16le');
  expect(await read(bytes.subarray(0, -1))).toBe(2);
});

test('reading can continue behind any row, in every encoding', async () => {
  const cell = fc.stringMatching(/^[a-z"', \n\r\té€😀\ufeff]{0,6}$/u);
  const file = fc.record({
    rows: fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 12 }),
    begin: fc.constantFrom('', '\n\n', 'sep=,\n'),
    encoding: fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
    marked: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, begin, encoding, marked }) => {
      const quoted = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
      const whole = `${begin}Prénom,Nom\n${quoted.join('\n')}\n`;
      const text = encoding === 'latin1' ? whole.replaceAll(/[^\n\r\t -ÿ]/gu, 'ü') : whole;
      const bytes = Buffer.from((marked && encoding !== 'latin1' ? '\ufeff' : '') + text, encoding);
      const reading = await readingOf(pieces(bytes));
      const table = await tableOf(textOf(pieces(bytes), reading), reading);
      const all = [];
      for await (const some of table.rows) all.push(...some);
      for (const [i, { number, end }] of all.entries()) {
        const rest = [];
        const texts = textOf(pieces(bytes.subarray(end)), reading, true);
        for await (const some of table.rowsFrom({ row: number, at: end }, texts)) rest.push(...some);
        expect(rest).toEqual(all.slice(i + 1));
      }
    }),
    { numRuns: 300 },
  );
});

test('a rejected row is rejected for the same reasons when the file of rejects is imported', async () => {
  const awkward = fc.string({ unit: fc.constantFrom(...'=+-@＝,;|\t\n "\'aé'), maxLength: 8 });
  const columns = columnsOf(['Email', 'One', 'Two'], {}, []);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(awkward, awkward), { minLength: 1, maxLength: 5 }), async (cells) => {
      const rows = cells.map((pair, i) => ({ number: i + 2, cells: ['a@b.example', ...pair], broken: null, end: 0 }));
      async function* page() {
        yield rows.map((row) => ({ row, why: { number: row.number, code: 'event_full', words: '=No; =place.' } }));
      }
      const bytes: Buffer[] = [];
      const head = { delimiter: ';', headings: ['Email', 'One', 'Two'] };
      for await (const chunk of rejectsFile(head, { encoding: 'utf-8', marked: false }, page())) bytes.push(chunk);
      const table = await tableOf(textOf(pieces(Buffer.concat(bytes)), { encoding: 'utf-8', marked: false }));
      const back = [];
      for await (const some of table.rows) back.push(...some);
      const again = columnsOf(table.headings, {}, []);
      expect(back.map((row) => readRow(row, again, 'dmy'))).toEqual(rows.map((row) => readRow(row, columns, 'dmy')));
      expect(Buffer.concat(bytes).toString()).not.toMatch(/(?:^|[,;|\t\n])[\s"]*[=+\-@＝]/m);
    }),
    { numRuns: 500 },
  );
});
