import type { DataColumn } from './data-props.ts';

/** The columns that this browser has kept; null if it never chose any, or if what it kept cannot be read. */
export function readColumns(kept: string | null): string[] | null {
  try {
    const list: unknown = JSON.parse(kept ?? 'null');
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
  } catch {
    return null;
  }
}

/** The columns that are shown, in the order of the table: the chosen ones, or else the usual ones. */
export const shownColumns = <Column extends Pick<DataColumn<unknown>, 'id' | 'always' | 'extra'>>(
  columns: readonly Column[],
  chosen: readonly string[] | null,
): Column[] =>
  columns.filter(
    ({ id, always, extra }) => always === true || (chosen === null ? extra !== true : chosen.includes(id)),
  );
