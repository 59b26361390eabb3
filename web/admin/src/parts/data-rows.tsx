import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useWords } from '@turnout/ui';
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { DataColumn } from './columns.tsx';
import type { Selection } from './selection.ts';
import { usePhone } from './use-phone.ts';

/** In rem, as in data-table.css. */
const ROW = 2.625;
const CARD = 4;
/** So many rows before the end the next page is asked for. */
const AHEAD = 30;

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  keyOf: (row: Row) => string;
  nameOf?: (row: Row) => string;
  pages: { more: (() => void) | undefined; isFetchingNextPage: boolean; isPlaceholderData: boolean };
  order?: { value: string | undefined; fallback: string; onChange: (order: string | undefined) => void };
  selection?: Selection;
}

/** The rows near the screen. All have the same height, so that the page is as long as it will be and nothing jumps. */
export function DataRows<Row>(props: RowsProps<Row>) {
  const { label, rows, columns, keyOf, pages, selection } = props;
  const box = useRef<HTMLDivElement>(null);
  const phone = usePhone();
  const height = (phone ? CARD : ROW) * rootFontSize();
  const margin = useTop(box);
  const focused = useRef(-1);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 15,
    scrollMargin: margin,
    // The row that has the focus stays, so that the focus is not lost by scrolling.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const range = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      const kept = focused.current;
      if (kept >= 0 && kept < from) range.unshift(kept);
      else if (kept > to && kept < count) range.push(kept);
      return range;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card is higher than a row
  useLayoutEffect(() => virtual.measure(), [height]);
  const items = virtual.getVirtualItems();
  const last = Math.max(-1, ...items.filter(({ index }) => index !== focused.current).map(({ index }) => index));
  const { more, isFetchingNextPage, isPlaceholderData } = pages;
  useEffect(() => {
    if (last >= rows.length - AHEAD && !isFetchingNextPage && !isPlaceholderData) more?.();
  }, [last, rows.length, more, isFetchingNextPage, isPlaceholderData]);
  const anchor = useRef(-1);
  const select = (index: number, on: boolean, range: boolean) => {
    const [from, to] =
      range && anchor.current >= 0 ? [anchor.current, index].toSorted((a, b) => a - b) : [index, index];
    selection?.set(rows.slice(from, to! + 1).map(keyOf), on);
    anchor.current = index;
  };
  const tracks = columns.map((column) => column.width ?? 'minmax(7rem, 1fr)').join(' ');
  return (
    <div className="data-scroll" data-stale={isPlaceholderData || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows stand where they belong by themselves, which those of a table cannot */}
      <div
        className="data-table"
        role="table"
        aria-label={label}
        aria-rowcount={more === undefined ? rows.length + 1 : -1}
        aria-colcount={columns.length + (selection === undefined ? 0 : 1)}
        style={{ '--tracks': `${selection === undefined ? '' : '2rem '}${tracks}` } as object}
        onKeyDown={(event) =>
          press(event, rows.length, (index) => virtual.scrollToIndex(index), select, selection, rows, keyOf)
        }
        onFocus={(event) => {
          focused.current = indexOf(event.target);
        }}
        onBlur={() => {
          focused.current = -1;
        }}
      >
        {!phone && <Head {...props} />}
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="data-body" ref={box} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <OneRow
              key={keyOf(rows[item.index]!)}
              {...props}
              item={item}
              margin={margin}
              phone={phone}
              onSelect={select}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head<Row>({ rows, columns, keyOf, order, selection }: RowsProps<Row>) {
  const t = useWords('parts');
  const every = selection !== undefined && rows.length > 0 && rows.every((row) => selection.has(keyOf(row)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="rowgroup" className="data-head">
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above */}
      <div role="row" className="data-row" aria-rowindex={1}>
        {selection !== undefined && (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above
          <div role="columnheader" className="data-check check">
            <input
              type="checkbox"
              aria-label={t('selectShown')}
              checked={every}
              ref={(input) => {
                if (input !== null) input.indeterminate = !every && selection.any;
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
                    {!sorted ? '↕' : directionOf(column.order!) === 'ascending' ? '↑' : '↓'}
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

function OneRow<Row>({
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
          {at(place).map((column, i) => (
            <Fragment key={column.id}>
              {i > 0 && place === 'line' && ' · '}
              {column.cell(row)}
            </Fragment>
          ))}
        </div>
      ))}
    </>
  );
}

const directionOf = (order: string) => (order === 'newest' ? 'descending' : 'ascending');

const indexOf = (target: EventTarget): number =>
  Number((target as Element).closest<HTMLElement>('.data-row')?.dataset.index ?? -1);

/** A click on the row follows its link as a click on the link would, also into another tab. */
function openRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, label, .data-check') !== null || getSelection()?.isCollapsed === false) return;
  const link = event.currentTarget.querySelector<HTMLElement>('.row-link');
  const { ctrlKey, metaKey, shiftKey } = event;
  link?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

const LINK = '.row-link, a, button:not([tabindex="-1"])';

function press<Row>(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  scrollTo: (index: number) => void,
  select: (index: number, on: boolean, range: boolean) => void,
  selection: Selection | undefined,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): void {
  const table = event.currentTarget;
  const target = event.target as HTMLElement;
  const index = indexOf(target);
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches('select, textarea, input:not([type=checkbox])'))
    return;
  if (event.key === ' ' && selection !== undefined && index >= 0 && target.matches('.row-link')) {
    event.preventDefault();
    select(index, !selection.has(keyOf(rows[index]!)), event.shiftKey);
    return;
  }
  const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 };
  const next = steps[event.key];
  if (next === undefined || next < 0 || next >= count || (index < 0 && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  if (event.shiftKey && selection !== undefined && index >= 0) select(next, true, false);
  focusRow(table, next, scrollTo);
}

/** The row may have to be drawn first: then it gets the focus as soon as it is there. */
function focusRow(table: HTMLElement, index: number, scrollTo: (index: number) => void, tries = 10): void {
  const row = table.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const link = row?.querySelector<HTMLElement>(LINK);
  if (row !== null && link !== null && link !== undefined) {
    link.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return;
  }
  if (tries === 10) scrollTo(index);
  if (tries > 0) requestAnimationFrame(() => focusRow(table, index, scrollTo, tries - 1));
}

const rootFontSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** Where the rows begin on the page, which changes with what stands above them. */
function useTop(box: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const look = () => {
      const element = box.current;
      if (element !== null) setTop(Math.round(element.getBoundingClientRect().top + window.scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [box]);
  return top;
}
