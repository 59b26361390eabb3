import type { Translate } from '@turnout/words';
import { Fragment, memo } from 'react';
import type { DataColumn } from './data-props.ts';
import { openRow } from './row-keys.ts';

interface DataRowProps<Row> {
  row: Row;
  index: number;
  /** How far below the head, in pixels. */
  top: number;
  columns: readonly DataColumn<Row>[];
  phone: boolean;
  /** Null where rows cannot be selected. */
  selected: boolean | null;
  name: string;
  onSelect: (index: number, on: boolean, range: boolean) => void;
  t: Translate<'parts'>;
}

/** One row where it belongs. It is drawn again only when something about it has changed, not when others come while one scrolls. */
export const DataRow = memo(PlainDataRow) as typeof PlainDataRow;

function PlainDataRow<Row>({ row, index, top, columns, phone, selected, name, onSelect, t }: DataRowProps<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the link in the row is for the keyboard
    <div
      role="row"
      className="data-row"
      aria-rowindex={index + 2}
      data-selected={selected || undefined}
      data-index={index}
      style={{ top }}
      onClick={openRow}
    >
      {selected !== null && (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="cell" className="data-check check">
          <input
            type="checkbox"
            aria-label={t('selectRow', { name })}
            checked={selected}
            onChange={() => {}}
            onClick={(event) => onSelect(index, !selected, event.shiftKey)}
          />
        </div>
      )}
      {phone ? (
        <Card columns={columns} row={row} />
      ) : (
        columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div key={column.id} role="cell" className="clip" data-align={column.align} data-pinned={column.pinned}>
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
