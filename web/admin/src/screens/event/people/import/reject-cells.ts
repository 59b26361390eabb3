import type { ImportColumn } from '@turnout/client';
import type { RejectedRow } from './reject-rows.ts';

/** Columns that say who a row is about. */
const WHO = ['first_name', 'last_name', 'name', 'email', 'external_id'];

/** Whether a cell has something to do with why its row cannot be imported. */
export const isWrong = ({ reasons }: Pick<RejectedRow, 'reasons'>, column: number): boolean =>
  reasons.some(({ columns }) => columns.includes(column));

const isChanged = ({ cells, current }: Pick<RejectedRow, 'cells' | 'current'>, column: number): boolean =>
  (cells[column] ?? '') !== (current[column] ?? '');

/** The columns to be shown: those in which something is wrong or was corrected, what says who it is, and cells without a heading. */
export function shownColumns(
  rows: readonly RejectedRow[],
  { head, columns, all }: { head: readonly string[]; columns: readonly ImportColumn[]; all: boolean },
): number[] {
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, i) => i).filter(
    (i) =>
      all ||
      i >= head.length ||
      WHO.includes(columns[i]?.field ?? '') ||
      rows.some((row) => isWrong(row, i) || isChanged(row, i)),
  );
}

/** What was just typed into a cell, and what stood there. */
export interface Correction {
  column: number;
  from: string;
  to: string;
}

/** The other rows that are wrong in the same column because of the same value. The one that was corrected is not among them. */
export const rowsLike = (rows: readonly RejectedRow[], { column, from, to }: Correction): RejectedRow[] =>
  to === from ? [] : rows.filter((row) => isWrong(row, column) && (row.current[column] ?? '') === from);
