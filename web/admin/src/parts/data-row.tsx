import type { VirtualItem } from '@tanstack/react-virtual';
import { useWords } from '@turnout/ui';
import { Fragment } from 'react';
import type { DataColumn, RowsProps } from './data-props.ts';
import { openRow } from './row-keys.ts';

/** One row where it belongs, `margin` less than its place on the page. */
export function DataRow<Row>({
  rows,
  columns,
  keyOf,
  nameOf,
  selection,
  item,
  margin,
  phone,
  onSelect,
}: RowsProps<Row> & {
  item: VirtualItem;
  margin: number;
  phone: boolean;
  onSelect: (index: number, on: boolean, range: boolean) => void;
}) {
  const t = useWords('parts');
  const row = rows[item.index]!;
  const selected = selection?.has(keyOf(row)) ?? false;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the link in the row is for the keyboard
    <div
      role="row"
      className="data-row"
      aria-rowindex={item.index + 2}
      data-selected={selected || undefined}
      data-index={item.index}
      style={{ transform: `translateY(${item.start - margin}px)` }}
      onClick={openRow}
    >
      {selection !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="cell" className="data-check check">
          <input
            type="checkbox"
            aria-label={t('selectRow', { name: nameOf?.(row) ?? String(item.index + 1) })}
            checked={selected}
            onChange={() => {}}
            onClick={(event) => onSelect(item.index, !selected, event.shiftKey)}
          />
        </div>
      )}
      {phone ? (
        <Card columns={columns} row={row} />
      ) : (
        columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div key={column.id} role="cell" className="clip" data-align={column.align}>
            {column.cell(row)}
          </div>
        ))
      )}
    </div>
  );
}

/** On a phone: the title and what stands at its end, and below them the rest in one line. */
function Card<Row>({ columns, row }: { columns: readonly DataColumn<Row>[]; row: Row }) {
  const at = (place: DataColumn<Row>['card']) => columns.filter((column) => column.card === place);
  return (
    <>
      {(['title', 'end', 'line'] as const).map((place) => (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div key={place} role="cell" className={place === 'end' ? undefined : 'clip'} data-card={place}>
          {at(place).map((column) =>
            place === 'line' ? (
              <span key={column.id}>{column.cell(row)}</span>
            ) : (
              <Fragment key={column.id}>{column.cell(row)}</Fragment>
            ),
          )}
        </div>
      ))}
    </>
  );
}
