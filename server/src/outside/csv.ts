import { guard } from '@turnout/contract/csv-guard';
import { type Cell, type CellKind, clockText, encoded, type Pages, type SheetColumn } from './sheet.ts';

/** Without it, Excel reads the file in the code page of the computer instead of UTF-8. */
const BOM = '\ufeff';
const END = '\r\n';

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
