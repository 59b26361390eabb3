import { type Cell, type CellKind, clockText, encoded, type Pages, type SheetColumn } from './sheet.ts';

/** Excel takes a file without it for one of its own code page. */
const BOM = '\ufeff';
const END = '\r\n';

/** What makes a spreadsheet take a text for a formula, in both widths. */
const SIGN = String.raw`[=+\-@＝＋－＠﹢﹣﹦﹫]`;
/** What it may pass over before that: quotes, spaces and what cannot be seen, but nothing at which it would cut. */
const BEFORE = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"'])*`;
/**
 * Where a formula could begin, whatever the file is cut at: a spreadsheet whose list separator is ";" cuts there, and past
 * the first cell it does not see our quotes. A cell that begins with a tab or a line break is guarded at its beginning too.
 */
const RUN = new RegExp(String.raw`^(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])(?=${BEFORE}${SIGN})`, 'gu');
const GUARDED = new RegExp(String.raw`^'(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])'(?=${BEFORE}${SIGN})`, 'gu');
/** Most texts have none of these, and are not looked at any closer. */
const HARMLESS = /^(?!['\t\r\n])[^=+\-@＝＋－＠﹢﹣﹦﹫]*$/;

/**
 * Puts a `'` wherever a spreadsheet would begin to run a CSV. Guards that are there already count as part of the text, so
 * `unguard` gives back every text as it was.
 */
export const guard = (text: string): string => (HARMLESS.test(text) ? text : text.replace(RUN, "'"));
export const unguard = (text: string): string => (text.includes("'") ? text.replace(GUARDED, '') : text);

/** Every text is quoted: then no reader takes a part of it for a cell of its own, if it honours quotes at all. */
export const quoted = (text: string): string => `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
const field = (text: string): string => (text === '' ? '' : quoted(guard(text)));

function cellText(cell: Cell, kind: CellKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return kind === 'amount' ? cell : field(cell);
  if (kind === 'time') return clockText(cell as number);
  return String(cell);
}

/** RFC 4180 in UTF-8. */
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
