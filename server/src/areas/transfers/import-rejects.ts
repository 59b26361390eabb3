import { IMPORT_ERROR_HEADING } from '@turnout/contract';
import { guard, quoted, unguard } from '../../outside/csv.ts';
import { isErrorHeading } from './import-headings.ts';
import type { RejectRow } from './import-queries.ts';
import { DELIMITERS, type FileRow, type Table } from './import-table.ts';
import type { Reading } from './import-text.ts';

export const REJECTS_TYPE = 'text/csv; charset=utf-8';
const BOM = '\ufeff';
const END = '\r\n';

/**
 * The rows that were left out, as they came and in the same columns, each with its reason: to be corrected and sent again. In
 * UTF-8; with a byte order mark unless the file was UTF-8 without one, so that whatever opened it opens this. What a
 * spreadsheet would run is guarded as in an export, and import takes the guard away again.
 */
export async function* rejectsFile(
  { delimiter, headings }: Pick<Table, 'delimiter' | 'headings'>,
  { encoding, marked }: Reading,
  rejects: AsyncIterable<readonly { row: FileRow; why: RejectRow }[]>,
): AsyncGenerator<Buffer> {
  // A delimiter that only the file's own first line told would not be known again.
  const between = DELIMITERS.includes(delimiter) ? delimiter : ',';
  // Of a file that was itself one of rejects, only the new reason stays.
  const kept = headings.flatMap((heading, i) => (isErrorHeading(heading) ? [] : [i]));
  const line = (cells: readonly string[], why: string, beyond: readonly string[] = []) =>
    [...kept.map((i) => cells[i] ?? ''), why, ...beyond]
      .map((cell) => (cell === '' ? '' : quoted(harmless(cell))))
      .join(between) + END;
  yield Buffer.from((marked || encoding !== 'utf-8' ? BOM : '') + line(headings, IMPORT_ERROR_HEADING));
  for await (const page of rejects) {
    const lines = page.map(({ row, why }) =>
      line(row.cells, `${why.code}: ${why.words}`, row.cells.slice(headings.length)),
    );
    yield Buffer.from(lines.join(''));
  }
}

/** A cell that came guarded already keeps that guard and gets no second one. */
const harmless = (cell: string): string => (guard(cell) === cell ? cell : guard(unguard(cell.trim())));
