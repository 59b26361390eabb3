import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import './css/table.css';

export interface Column<Row> {
  id: string;
  /** Empty for a column of actions. */
  head: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
}
interface TableProps<Row> {
  /** Names the table for those who cannot see where it stands. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** A click anywhere on a row; its first cell must have a link or button that does the same for the keyboard. */
  onOpen?: (row: Row) => void;
}

const LONG = 200;
const ROW_HEIGHT = 41;
// On a narrow screen a row is a block, for which browsers forget that it is a row.
const ROLES = {
  table: { role: 'table' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  head: { role: 'columnheader' },
  none: { role: 'presentation' },
};

/** Dense and quiet. Beyond 200 rows only those near the screen are drawn. Up and down move from row to row. */
export function Table<Row>({ label, columns, rows, keyOf, onOpen }: TableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const long = rows.length > LONG;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    enabled: long,
    scrollMargin: box.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const shown = long ? items.map((item) => item.index) : rows.map((_, index) => index);
  const above = long ? (items[0]?.start ?? 0) - virtual.options.scrollMargin : 0;
  const below = long ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) + virtual.options.scrollMargin : 0;
  return (
    <div className="table-scroll" ref={box}>
      <table
        className="table"
        data-blocks=""
        aria-label={label}
        aria-rowcount={rows.length + 1}
        {...ROLES.table}
        onKeyDown={moveByRow}
      >
        <thead {...ROLES.body}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <th key={column.id} scope="col" data-align={column.align} {...ROLES.head}>
                {column.head === '' ? <span className="hidden">{column.id}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.body}>
          <Spacer height={above} columns={columns.length} />
          {shown.map((index) => {
            const row = rows[index]!;
            return (
              <tr
                key={keyOf(row)}
                aria-rowindex={index + 2}
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
            );
          })}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height <= 0 ? null : (
    <tr {...ROLES.none} className="spacer" style={{ height }}>
      <td {...ROLES.none} colSpan={columns} />
    </tr>
  );

const CONTROLS = 'a, button, input, select, label, [role="menuitem"]';
/** A click on a control of the row is for that control; one that ends a selection of text is for nobody. */
const isPlain = (target: EventTarget): boolean =>
  (target as Element).closest(CONTROLS) === null && (getSelection()?.isCollapsed ?? true);

function moveByRow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const from = (event.target as Element).closest('tr');
  if (step === 0 || from === null || (event.target as Element).matches('input, select, [aria-haspopup]')) return;
  const next = step === 1 ? from.nextElementSibling : from.previousElementSibling;
  const control = next?.querySelector<HTMLElement>('a, button, input');
  if (control === null || control === undefined) return;
  event.preventDefault();
  control.focus();
}
