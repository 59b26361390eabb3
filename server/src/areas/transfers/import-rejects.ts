import { IMPORT_ERROR_HEADING } from '@turnout/contract';
import { guard, unguard } from '@turnout/contract/csv-guard';
import { quoted } from '../../outside/csv.ts';
import { isErrorHeading } from './import-headings.ts';
import type { RejectRow } from './import-queries.ts';
import { DELIMITERS, type FileRow, type Table } from './import-table.ts';
import type { Reading } from './import-text.ts';

export const REJECTS_TYPE = 'text/csv; charset=utf-8';
const BOM = '\ufeff';
const END = '\r\n';

/**
 * The rows that were left out, unchanged and in the same columns, each with its reason, to be corrected and sent again. The file
 * is UTF-8. It has a byte order mark unless the uploaded file was UTF-8 without one, so that the program which opened that file
 * also opens this one. Cells that a spreadsheet would run as formulas are guarded as in an export; the import removes the guards.
 */
export async function* rejectsFile(
  { delimiter, headings }: Pick<Table, 'delimiter' | 'headings'>,
  { encoding, marked }: Reading,
  rejects: AsyncIterable<readonly { row: FileRow; why: RejectRow }[]>,
): AsyncGenerator<Buffer> {
  // An unusual delimiter was known only from the file's first line ("sep=…"), which this file does not have.
  const between = DELIMITERS.includes(delimiter) ? delimiter : ',';
  // If the uploaded file was itself a file of rejects, its old reasons are dropped.
  const kept = headings.flatMap((heading, i) => (isErrorHeading(heading) ? [] : [i]));
  const line = (cells: readonly string[], why: string, surplus: readonly string[] = []) =>
    [...kept.map((i) => cells[i] ?? ''), why, ...surplus]
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

/** A cell that was already guarded in the uploaded file keeps its guard and does not get a second one. */
const harmless = (cell: string): string => (guard(cell) === cell ? cell : guard(unguard(cell.trim())));
