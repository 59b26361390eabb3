import { Button, Checkbox, readChoice, storeChoice, useWords } from '@turnout/ui';
import { useCallback, useMemo, useState } from 'react';
import { readColumns, shownColumns } from './chosen-columns.ts';
import type { DataColumn } from './data-props.ts';
import { Popup } from './popup.tsx';

const keyOf = (table: string) => `turnout.columns.${table}`;

/** Which columns of a table are shown, kept for the next visit of this browser. */
export function useColumns<Row>(table: string, columns: readonly DataColumn<Row>[]) {
  const [chosen, setChosen] = useState(() => readColumns(readChoice(keyOf(table))));
  const shown = useMemo(() => shownColumns(columns, chosen), [columns, chosen]);
  const choose = useCallback(
    (ids: string[] | null) => {
      setChosen(ids);
      storeChoice(keyOf(table), ids === null ? null : JSON.stringify(ids));
    },
    [table],
  );
  return { shown, changed: chosen !== null, choose };
}

export function ColumnChooser<Row>({
  columns,
  choice: { shown, changed, choose },
}: {
  columns: readonly DataColumn<Row>[];
  choice: ReturnType<typeof useColumns<Row>>;
}) {
  const t = useWords('parts');
  const ids = shown.map((column) => column.id);
  return (
    <Popup name={t('columns')} label={t('columns')} button={{ size: 'small', kind: 'quiet' }} end>
      <div className="filter-options">
        {columns
          .filter((column) => column.always !== true && column.head !== '')
          .map((column) => (
            <Checkbox
              key={column.id}
              label={column.head}
              value={ids.includes(column.id)}
              onChange={(on) => choose(on ? [...ids, column.id] : ids.filter((id) => id !== column.id))}
            />
          ))}
        {changed && (
          <Button kind="link" onClick={() => choose(null)}>
            {t('columnsReset')}
          </Button>
        )}
      </div>
    </Popup>
  );
}
