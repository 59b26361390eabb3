/** null: an empty cell. */
export type Cell = string | number | boolean | null;

/**
 * `plain`: text, number or yes/no, as the cell is. `amount`: decimal text ("25.50"). `time`: milliseconds that a clock in the
 * sheet's zone shows, counted as if it stood in UTC: a sheet has no zones. `date`: "2026-11-15".
 */
export type CellKind = 'plain' | 'amount' | 'time' | 'date';

export interface SheetColumn {
  heading: string;
  kind: CellKind;
  /** In characters, where the format has widths. */
  width?: number;
}

/** Rows as they come, some at a time: no format keeps them. */
export type Pages = AsyncIterable<readonly (readonly Cell[])[]>;

export const clockText = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
