import { type Cell, type CellKind, clockText, encoded, type Pages, type SheetColumn } from './sheet.ts';

/** Without it, Excel reads the file in the code page of the computer instead of UTF-8. */
const BOM = '\ufeff';
const END = '\r\n';

/** Characters that make a spreadsheet take a text for a formula, in their ASCII and full-width forms. */
const SIGN = String.raw`[=+\-@＝＋－＠﹢﹣﹦﹫]`;
/** What a spreadsheet may skip in front of them: quotes, spaces and invisible characters, but no tab and no line break. */
const BEFORE = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"'])*`;
/**
 * The positions where a formula could begin, whatever a spreadsheet takes for the separator: one whose list separator is ";"
 * splits a cell there, and behind that point it no longer sees our quotes. A cell that begins with a tab or a line break is
 * guarded at its beginning, too.
 */
const RUN = new RegExp(String.raw`^(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])(?=${BEFORE}${SIGN})`, 'gu');
const GUARDED = new RegExp(String.raw`^'(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])'(?=${BEFORE}${SIGN})`, 'gu');
/** A quick check that most texts pass: they contain none of these characters and need no guard. */
const HARMLESS = /^(?!['\t\r\n])[^=+\-@＝＋－＠﹢﹣﹦﹫]*$/;

/**
 * Puts a `'` wherever a spreadsheet would begin to read a formula. Quotes of that kind which are already there are part of the
 * text and get a guard of their own, so `unguard` restores every text exactly.
 */
export const guard = (text: string): string => (HARMLESS.test(text) ? text : text.replace(RUN, "'"));
export const unguard = (text: string): string => (text.includes("'") ? text.replace(GUARDED, '') : text);

/** Every text is quoted, so that no reader that understands quotes takes a part of it for another cell. */
export const quoted = (text: string): string => `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
const field = (text: string): string => (text === '' ? '' : quoted(guard(text)));

function cellText(cell: Cell, kind: CellKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return kind === 'amount' ? cell : field(cell);
  if (kind === 'time') return clockText(cell as number);
  return String(cell);
}

/** CSV as in RFC 4180, in UTF-8. */
export const csv = (columns: readonly SheetColumn[], pages: Pages): AsyncGenerator<Buffer> =>
  encoded(linesOf(columns, pages));

async function* linesOf(columns: readonly SheetColumn[], pages: Pages): AsyncGenerator<Iterable<string>> {
  function* lines(page: Iterable<readonly Cell[]>): Generator<string> {
    for (const row of page) {
      let line = '';
      for (let i = 0; i < columns.length; i += 1) {
        if (i > 0) line += ',';
        line += cellText(row[i]!, columns[i]!.kind);
      }
      yield line + END;
    }
  }
  yield [BOM + columns.map(({ heading }) => field(heading)).join(',') + END];
  for await (const page of pages) yield lines(page);
}
