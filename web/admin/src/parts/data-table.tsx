import { Button, DataShape, ProblemNotice, Skeleton, useLate, useWords } from '@turnout/ui';
import { type ReactNode, useMemo, useRef } from 'react';
import { ColumnChooser, useColumns } from './columns.tsx';
import type { DataColumn, Order, Pages } from './data-props.ts';
import { DataRows } from './data-rows.tsx';
import './data-table.css';
import type { Selection } from './selection.ts';
import { usePhone } from './use-phone.ts';

export type { DataColumn } from './data-props.ts';
export { type Selection, useSelection } from './selection.ts';

interface DataTableProps<Row> {
  /** Under this name the chosen columns are kept. */
  name: string;
  label: string;
  /** `usePages('listAttendees', { …base, query }, { keep: true })` */
  pages: Pages<Row>;
  keyOf: (row: Row) => string;
  /** What the row is called, for the checkbox that selects it. */
  nameOf?: (row: Row) => string;
  columns: readonly DataColumn<Row>[];
  order?: Order;
  /** Makes rows selectable. */
  selection?: Selection;
  /** What can be done with the selected ones; shown while something is selected. */
  actions?: ReactNode;
  /** How many there are, if somebody counted. */
  total?: number | undefined;
  /** Shown in place of a table without rows: an EmptyState. */
  empty: ReactNode;
  /** What stands at the right above the table. */
  children?: ReactNode;
}

/**
 * A table by cursor, of any length. Rows are drawn only near the screen, and the next page comes while one scrolls. One cell of each
 * row has a link or button with the class `row-link`; a click anywhere on the row or Enter follows it, and the arrows move from row to
 * row. Space selects. On a phone a row is a card of two lines.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { pages, columns, name, keyOf, empty } = props;
  const t = useWords('common');
  const used = useColumns(name, useStill(columns, pages.isPlaceholderData));
  const { error } = pages;
  const rows = useUnique(pages.rows, keyOf);
  // An answer that comes sooner changes the rows once, and nothing is dimmed and lit up again with every letter of a search.
  const late = useLate(200, pages.isPlaceholderData);
  return (
    <div className="data" aria-busy={pages.isFetching || undefined}>
      {error !== null && (
        <ProblemNotice problem={error}>
          <div className="buttons">
            <Button size="small" onClick={() => pages.refetch()}>
              {t('retry')}
            </Button>
          </div>
        </ProblemNotice>
      )}
      {rows === undefined ? (
        error === null && (
          <Skeleton>
            <div>
              <div className="data-above" />
              <DataShape rows={10} />
            </div>
          </Skeleton>
        )
      ) : rows.length === 0 && !pages.isPlaceholderData ? (
        empty
      ) : (
        <>
          <TableHeader {...props} shown={used.shown} chooser={<ColumnChooser columns={columns} choice={used} />} />
          <div className="data-waiting" data-on={late || undefined} />
          <DataRows {...props} rows={rows} columns={used.shown} stale={late} />
          <TableFooter pages={pages} />
        </>
      )}
    </div>
  );
}

/**
 * Columns depend on the filters, because links of rows keep them. While other rows are awaited, those that are still shown stay as they
 * are instead of being drawn once more with every letter that somebody types.
 */
function useStill<T>(value: T, still: boolean): T {
  const last = useRef(value);
  if (!still) last.current = value;
  return last.current;
}

/** A row that was changed while the pages were read may be in two of them; it is shown once. */
function useUnique<Row>(rows: readonly Row[] | undefined, keyOf: (row: Row) => string): readonly Row[] | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of a row is the same whoever asks for it
  return useMemo(() => rows && [...new Map(rows.map((row) => [keyOf(row), row])).values()], [rows]);
}

/** How many are shown; while something is selected, how many that is and what can be done with it. */
function TableHeader<Row>(props: DataTableProps<Row> & { shown: readonly DataColumn<Row>[]; chooser: ReactNode }) {
  const { pages, columns, shown, order, selection, actions, total, children, chooser } = props;
  const phone = usePhone();
  const t = useWords('parts');
  const count = pages.rows?.length ?? 0;
  // The head of a column that is not shown cannot sort by it.
  const isSortable = (column: DataColumn<Row>) => column.order === undefined || shown.includes(column);
  if (selection?.hasAny)
    return (
      <SelectionHeader
        selection={selection}
        shown={count}
        more={pages.more !== undefined}
        total={total}
        actions={actions}
      />
    );
  const text =
    pages.more === undefined
      ? t('rows', { count })
      : total === undefined
        ? t('rowsShown', { count })
        : t('rowsOf', { shown: count, total });
  return (
    <div className="data-above">
      <span className="soft small number" role="status">
        {text}
      </span>
      <span className="buttons">
        {children}
        {order !== undefined && (phone || !columns.every(isSortable)) && (
          <ChooseOrder columns={columns} order={order} />
        )}
        {!phone && chooser}
      </span>
    </div>
  );
}

/** On a phone there are no heads of columns to sort by. */
function ChooseOrder<Row>({ columns, order }: { columns: readonly DataColumn<Row>[]; order: Order }) {
  const t = useWords('parts');
  const options = columns.flatMap((column) =>
    column.order === undefined ? [] : [[column.order, column.head] as const],
  );
  const known = options.some(([value]) => value === order.fallback);
  return (
    <select
      className="input data-order"
      aria-label={t('order')}
      value={order.value ?? order.fallback}
      onChange={({ target: { value } }) => order.onChange(value === order.fallback ? undefined : value)}
    >
      {!known && <option value={order.fallback}>{t('orderUsual')}</option>}
      {options.map(([value, head]) => (
        <option key={value} value={value}>
          {head}
        </option>
      ))}
    </select>
  );
}

function SelectionHeader({
  selection,
  shown,
  more,
  total,
  actions,
}: {
  selection: Selection;
  shown: number;
  more: boolean;
  total: number | undefined;
  actions: ReactNode;
}) {
  const t = useWords('parts');
  const count = selection.count(more ? total : shown);
  const isAll = selection.chosen.all;
  return (
    <div className="data-above data-selected">
      <span className="row">
        <strong role="status" className="number">
          {count === null ? t('selectedAll') : t('selected', { count })}
        </strong>
        {!isAll && more && (
          <Button kind="link" onClick={selection.selectAll}>
            {total === undefined ? t('selectAll') : t('selectAllOf', { count: total })}
          </Button>
        )}
        <Button kind="link" onClick={selection.clear}>
          {t('selectNone')}
        </Button>
      </span>
      <span className="buttons">{actions}</span>
    </div>
  );
}

function TableFooter({ pages: { more, isFetchingNextPage } }: { pages: Pages<unknown> }) {
  const t = useWords('common');
  if (more === undefined) return null;
  return (
    <div className="buttons data-below">
      <Button size="small" onClick={more} busy={isFetchingNextPage}>
        {t('more')}
      </Button>
      {isFetchingNextPage && <LoadingText />}
    </div>
  );
}

function LoadingText() {
  const t = useWords('common');
  return useLate(1000) ? (
    <small role="status" className="soft">
      {t('loading')}
    </small>
  ) : null;
}
