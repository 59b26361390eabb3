import { IMPORT_ERROR_HEADING } from '@turnout/contract';
import { isErrorHeading } from './import-headings.ts';
import type { RejectRow } from './import-queries.ts';
import type { FileRow, Table } from './import-table.ts';
import type { Reading } from './import-text.ts';

export const REJECTS_TYPE = 'text/csv; charset=utf-8';
const BOM = '\ufeff';
const END = '\r\n';

/**
 * The rows that were left out, as they came and in the same columns, each with its reason: to be corrected and sent again. In
 * UTF-8; with a byte order mark unless the file was UTF-8 without one, so that whatever opened it opens this.
 */
export async function* rejectsFile(
  { delimiter, headings }: Pick<Table, 'delimiter' | 'headings'>,
  { encoding, marked }: Reading,
  rejects: AsyncIterable<readonly { row: FileRow; why: RejectRow }[]>,
): AsyncGenerator<Buffer> {
  // Of a file that was itself one of rejects, only the new reason stays.
  const kept = headings.flatMap((heading, i) => (isErrorHeading(heading) ? [] : [i]));
  const line = (cells: readonly string[], why: string, beyond: readonly string[] = []) =>
    [...kept.map((i) => cells[i] ?? ''), why, ...beyond].map((cell) => quoted(cell, delimiter)).join(delimiter) + END;
  yield Buffer.from((marked || encoding !== 'utf-8' ? BOM : '') + line(headings, IMPORT_ERROR_HEADING));
  for await (const page of rejects) {
    const lines = page.map(({ row, why }) =>
      line(row.cells, `${why.code}: ${why.words}`, row.cells.slice(headings.length)),
    );
    yield Buffer.from(lines.join(''));
  }
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
