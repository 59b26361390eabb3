import type { ReactNode } from 'react';
import type { Selection } from './selection.ts';

export interface DataColumn<Row> {
  id: string;
  head: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** How wide, as a track of a grid: `minmax(12rem, 2fr)`. Default: `minmax(7rem, 1fr)`. */
  width?: string;
  /** The value of `order` in the address that sorts by this column. */
  order?: string;
  /** Shown only if somebody chooses it. */
  extra?: boolean;
  /** Stays in sight at the right where the table is wider than the screen, such as what can be done with a row. */
  pinned?: boolean;
  /** Always shown, such as the name. */
  always?: boolean;
  /**
   * Where it stands on a phone, where a row is a card of two lines: `title` and `end` in the first, `line` in the second. Columns
   * without a place are not shown there.
   */
  card?: 'title' | 'end' | 'line';
}

/** What the table needs of `usePages`. */
export interface Pages<Row> {
  rows: readonly Row[] | undefined;
  more: (() => void) | undefined;
  error: Error | null;
  refetch: () => unknown;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isPlaceholderData: boolean;
}

export interface Order {
  /** The order in the address: `values.order` of the filters. */
  value: string | undefined;
  /** The one that holds without any. */
  fallback: string;
  onChange: (order: string | undefined) => void;
}

export interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  keyOf: (row: Row) => string;
  nameOf?: (row: Row) => string;
  pages: Omit<Pages<Row>, 'rows'>;
  order?: Order;
  selection?: Selection;
}
