import type { ImportColumn } from '@turnout/client';
import { type Fixes, keyOf, type Reject } from './draft.ts';
import { columnsOf, type Reason, reasonsIn } from './reasons.ts';

/** What a check of the corrected rows has found: why a row is still wrong, or null if it is right now. */
export type CheckedRows = Readonly<Record<string, string | null>>;

/** One thing that is still wrong with a row, and the columns in which it can be mended. */
export interface OpenReason extends Reason {
  columns: readonly number[];
}

export interface RejectedRow {
  key: string;
  /** As they came, and as they are corrected. */
  cells: readonly string[];
  current: readonly string[];
  reasons: readonly OpenReason[];
}

/**
 * The rejected rows with what is still wrong with them. A fault is mended when a cell that it names was changed; whether the new value
 * is right is found by a check, whose faults stand until the row is changed again.
 */
export function rejectedRows(
  rejects: readonly Reject[],
  columns: readonly ImportColumn[],
  fixes: Fixes,
  checked: CheckedRows,
): RejectedRow[] {
  return rejects.map(({ cells, why }) => {
    const key = keyOf(cells);
    const fixed = fixes[key];
    const current = fixed ?? cells;
    const found = fixed === undefined ? undefined : checked[key];
    if (found === null) return { key, cells, current, reasons: [] };
    const reasons = reasonsIn(found ?? why).map((reason) => ({ ...reason, columns: columnsOf(reason, columns) }));
    const isOpen = ({ columns: where }: OpenReason) =>
      fixed === undefined ||
      found !== undefined ||
      (where.length > 0 && where.every((i) => (fixed[i] ?? '') === (cells[i] ?? '')));
    return { key, cells, current, reasons: reasons.filter(isOpen) };
  });
}

/** How many rows were corrected as far as this browser can tell. */
export const mendedCount = (rejects: readonly Reject[], columns: readonly ImportColumn[], fixes: Fixes): number =>
  rejectedRows(
    rejects.filter(({ cells }) => keyOf(cells) in fixes),
    columns,
    fixes,
    {},
  ).filter(({ reasons }) => reasons.length === 0).length;

/** Rows that are wrong for the same reason: the same fault of the same value in the same column. */
export interface RejectGroup {
  id: string;
  reason: OpenReason;
  /** The column in which all of them are mended at once; null if each needs a look of its own. */
  column: number | null;
  /** What stands there now: one value, or several where none of them could be chosen from a list. */
  values: readonly string[];
  rows: readonly RejectedRow[];
}

/** Faults that are mended by another value in the same column, whoever the row is about: for each value that stands there a group. */
const BY_VALUE = ['unknown_type', 'type_required', 'unknown_day', 'day_required', 'day_not_available', 'unknown_group'];

/**
 * What is wrong, by the reason, most rows first. A row with several faults is in several groups. Wrong values of a column that takes any
 * text, such as addresses, are one group, because each is wrong in its own way; where there are options, each value is one.
 */
export function rejectGroups(rows: readonly RejectedRow[], hasOptions: (column: number) => boolean): RejectGroup[] {
  const groups = new Map<string, RejectGroup & { rows: RejectedRow[]; values: string[] }>();
  for (const row of rows) {
    for (const reason of row.reasons) {
      const { code, columns } = reason;
      const together = code === 'invalid_value' || BY_VALUE.includes(code);
      const column = together && columns.length === 1 ? columns[0]! : null;
      const value = column === null ? '' : (row.current[column] ?? '').trim();
      const apart = column !== null && (code !== 'invalid_value' || hasOptions(column));
      // Two days that are unknown in the same cell are two faults of one value: they are one group.
      const id = JSON.stringify(apart ? [code, column, value] : [code, column]);
      const group = groups.get(id) ?? { id, reason, column, values: [], rows: [] };
      groups.set(id, group);
      if (group.rows.at(-1) === row) continue;
      group.rows.push(row);
      if (group.values.length <= VALUES_SHOWN && !group.values.includes(value)) group.values.push(value);
    }
  }
  return [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length);
}

/** Of several values, so many are named. */
export const VALUES_SHOWN = 3;

/** The corrections with a value put into one column of these rows. What is as it came is no correction. */
export function withCell(fixes: Fixes, rows: readonly RejectedRow[], column: number, text: string): Fixes {
  const next: Record<string, readonly string[]> = { ...fixes };
  for (const { key, cells } of rows) {
    const now = next[key] ?? cells;
    const changed = Array.from({ length: Math.max(cells.length, column + 1) }, (_, i) =>
      i === column ? text : (now[i] ?? ''),
    );
    if (changed.every((cell, i) => cell === (cells[i] ?? ''))) delete next[key];
    else next[key] = changed;
  }
  return next;
}
