import { type KeyboardEvent, lazy, Suspense, useRef } from 'react';
import { ROLES, Rows, type RowsProps } from './table-rows.tsx';
import './css/table.css';

export type { Column } from './table-rows.tsx';

interface TableProps<Row> extends RowsProps<Row> {
  /** Names the table for those who cannot see where it stands. */
  label: string;
}

const LONG = 200;
// What finds out which rows are near the screen is larger than most screens, and few tables are long.
const LongRows = lazy(() => import('./table-long.tsx')) as typeof import('./table-long.tsx').default;

/** Dense and quiet. Beyond 200 rows only those near the screen are drawn. Up and down move from row to row. */
export function Table<Row>({ label, ...of }: TableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const { columns, rows } = of;
  const beginning = <Rows {...of} from={0} to={LONG} />;
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
          {rows.length <= LONG ? (
            beginning
          ) : (
            <Suspense fallback={beginning}>
              <LongRows {...of} box={box} />
            </Suspense>
          )}
        </tbody>
      </table>
    </div>
  );
}

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
