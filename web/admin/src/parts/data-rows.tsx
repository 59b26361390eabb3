import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useWords } from '@turnout/ui';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { DataHead } from './data-head.tsx';
import type { RowsProps } from './data-props.ts';
import { DataRow } from './data-row.tsx';
import { indexOf, pressKey } from './row-keys.ts';
import { usePhone } from './use-phone.ts';

/** In rem, as in data-table.css. */
const ROW = 2.625;
const CARD = 4;
/** So many rows before the end the next page is asked for. */
const AHEAD = 30;

/**
 * The rows near the screen. All have the same height, so that the page is as long as it will be and nothing jumps. `stale`: others are
 * awaited, and these are dimmed.
 */
export function DataRows<Row>({ stale, ...props }: RowsProps<Row> & { stale: boolean }) {
  const { label, rows, columns, keyOf, nameOf, pages, selection } = props;
  const t = useWords('parts');
  const box = useRef<HTMLDivElement>(null);
  const phone = usePhone();
  // Asking for a style makes the browser work out all of them, so not with every drawing.
  const height = useMemo(() => (phone ? CARD : ROW) * rootFontSize(), [phone]);
  const margin = useTop(box);
  const focused = useRef(-1);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 3,
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
  const { more, error, isFetchingNextPage, isPlaceholderData } = pages;
  // After a failure nothing is asked by itself again: the notice and the button below do that.
  const ready = error === null && !isFetchingNextPage && !isPlaceholderData;
  useEffect(() => {
    if (ready && last >= rows.length - AHEAD) more?.();
  }, [ready, last, rows.length, more]);
  useSoonAtEnd(AHEAD * height, box, ready ? more : undefined);
  const select = useSelect(props);
  const tracks = columns.map((column) => column.width ?? 'minmax(7rem, 1fr)').join(' ');
  return (
    <div className="data-scroll" data-stale={stale || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows stand where they belong by themselves, which those of a table cannot */}
      <div
        className="data-table"
        role="table"
        aria-label={label}
        aria-rowcount={more === undefined ? rows.length + 1 : -1}
        aria-colcount={columns.length + (selection === undefined ? 0 : 1)}
        style={{ '--tracks': `${selection === undefined ? '' : '2rem '}${tracks}` } as object}
        onKeyDown={(event) =>
          pressKey(event, {
            count: rows.length,
            scrollTo: (index) => virtual.scrollToIndex(index),
            select: selection === undefined ? null : select,
            isSelected: (index) => selection?.has(keyOf(rows[index]!)) ?? false,
          })
        }
        onFocus={(event) => {
          focused.current = indexOf(event.target);
        }}
        onBlur={() => {
          focused.current = -1;
        }}
      >
        {!phone && <DataHead {...props} />}
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="data-body" ref={box} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <DataRow
              key={keyOf(rows[item.index]!)}
              row={rows[item.index]!}
              index={item.index}
              top={item.start - margin}
              columns={columns}
              phone={phone}
              selected={selection === undefined ? null : selection.has(keyOf(rows[item.index]!))}
              name={nameOf?.(rows[item.index]!) ?? String(item.index + 1)}
              onSelect={select}
              t={t}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/**
 * Asks for the next page as soon as one scrolls near the end, before the rows there are drawn: while the page is busy with that, the
 * answer is already on its way.
 */
function useSoonAtEnd(ahead: number, box: RefObject<HTMLElement | null>, more: (() => void) | undefined): void {
  useEffect(() => {
    if (more === undefined) return;
    const look = () => {
      const bottom = box.current?.getBoundingClientRect().bottom;
      if (bottom === undefined || bottom - innerHeight > ahead) return;
      removeEventListener('scroll', look, { capture: true });
      more();
    };
    // Before the listener that draws the rows.
    addEventListener('scroll', look, { capture: true, passive: true });
    return () => removeEventListener('scroll', look, { capture: true });
  }, [ahead, box, more]);
}

/** Selects a row, or all since the last one. It stays the same function, so that rows are not drawn again because of it. */
function useSelect<Row>(props: RowsProps<Row>) {
  const anchor = useRef(-1);
  const latest = useRef(props);
  latest.current = props;
  return useCallback((index: number, on: boolean, range: boolean) => {
    const { rows, keyOf, selection } = latest.current;
    const [from, to] =
      range && anchor.current >= 0 ? [anchor.current, index].toSorted((a, b) => a - b) : [index, index];
    selection?.set(rows.slice(from, to! + 1).map(keyOf), on);
    anchor.current = index;
  }, []);
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
