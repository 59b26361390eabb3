import { type Cell, type CellKind, clockText, encoded, type Pages, type SheetColumn } from './sheet.ts';

/** Excel takes a file without it for one of its own code page. */
const BOM = '\ufeff';
const END = '\r\n';

/**
 * What a spreadsheet would run when it opens a CSV. Text that looks like a guarded cell is guarded too, so that `unguard`
 * gives back every text as it was.
 */
const RUN = /^'*[=+\-@\t\r\n＝＋－＠]/;
export const guard = (text: string): string => (RUN.test(text) ? `'${text}` : text);
export const unguard = (text: string): string => (text.startsWith("'") && RUN.test(text) ? text.slice(1) : text);

const QUOTED = /[",\r\n]|^\s|\s$/;
const field = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cellText(cell: Cell, kind: CellKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return kind === 'amount' ? cell : field(guard(cell));
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
  yield [BOM + columns.map(({ heading }) => field(guard(heading))).join(',') + END];
  for await (const page of pages) yield lines(page);
}
