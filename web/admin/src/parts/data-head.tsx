import { DownIcon, SortIcon, UpIcon, useWords } from '@turnout/ui';
import type { RowsProps } from './data-props.ts';

/** The heads of the columns: a box that selects every loaded row, and buttons that sort. */
export function DataHead<Row>({ rows, columns, keyOf, order, selection }: RowsProps<Row>) {
  const t = useWords('parts');
  const allSelected = selection !== undefined && rows.length > 0 && rows.every((row) => selection.has(keyOf(row)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of the table in data-rows.tsx, which is no table element
    <div role="rowgroup" className="data-head">
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above */}
      <div role="row" className="data-row" aria-rowindex={1}>
        {selection !== undefined && (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above
          <div role="columnheader" className="data-check check">
            <input
              type="checkbox"
              aria-label={t('selectShown')}
              checked={allSelected}
              ref={(input) => {
                if (input !== null) input.indeterminate = !allSelected && selection.hasAny;
              }}
              onChange={(event) => {
                if (event.target.checked) selection.set(rows.map(keyOf), true);
                else selection.clear();
              }}
            />
          </div>
        )}
        {columns.map((column) => {
          const sorted =
            column.order !== undefined && order !== undefined && (order.value ?? order.fallback) === column.order;
          return (
            // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above
            <div
              key={column.id}
              role="columnheader"
              data-align={column.align}
              data-pinned={column.pinned}
              aria-sort={column.order === undefined ? undefined : sorted ? directionOf(column.order) : 'none'}
            >
              {column.order !== undefined && order !== undefined ? (
                <button
                  type="button"
                  className="data-sort"
                  data-on={sorted || undefined}
                  // A second press goes back to the usual order.
                  onClick={() => order.onChange(sorted || column.order === order.fallback ? undefined : column.order)}
                >
                  {column.head}
                  <span aria-hidden="true">
                    {!sorted ? <SortIcon /> : directionOf(column.order!) === 'ascending' ? <UpIcon /> : <DownIcon />}
                  </span>
                </button>
              ) : column.head === '' ? (
                <span className="hidden">{column.id}</span>
              ) : (
                column.head
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const directionOf = (order: string) => (order === 'newest' ? 'descending' : 'ascending');
