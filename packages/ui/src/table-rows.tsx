import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  /** Empty for a column of actions. */
  head: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
}

export interface RowsProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** A click anywhere on a row; its first cell must have a link or button that does the same for the keyboard. */
  onOpen?: (row: Row) => void;
}

// On a narrow screen a row is a block, for which browsers forget that it is a row.
export const ROLES = {
  table: { role: 'table' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  head: { role: 'columnheader' },
  none: { role: 'presentation' },
};

/** The rows from one place on up to another, `to` excluded. */
export function Rows<Row>({ columns, rows, keyOf, onOpen, from, to }: RowsProps<Row> & { from: number; to: number }) {
  return rows.slice(from, to).map((row, i) => (
    <tr
      key={keyOf(row)}
      aria-rowindex={from + i + 2}
      data-opens={onOpen === undefined ? undefined : ''}
      onClick={(event) => onOpen !== undefined && isPlain(event.target) && onOpen(row)}
      {...ROLES.row}
    >
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} data-head={column.head} {...ROLES.cell}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}

const CONTROLS = 'a, button, input, select, label, [role="menuitem"]';
/** A click on a control of the row is for that control; one that ends a selection of text is for nobody. */
const isPlain = (target: EventTarget): boolean =>
  (target as Element).closest(CONTROLS) === null && (getSelection()?.isCollapsed ?? true);
