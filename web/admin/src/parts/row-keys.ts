import type { KeyboardEvent, MouseEvent } from 'react';

/** What the keys of a table can do. */
export interface RowActions {
  count: number;
  scrollTo: (index: number) => void;
  /** Selects or unselects a row, with those since the last one if `range`; null where rows cannot be selected. */
  select: ((index: number, on: boolean, range: boolean) => void) | null;
  isSelected: (index: number) => boolean;
}

/** Which row an element is in; -1 for none. */
export const indexOf = (target: EventTarget): number =>
  Number((target as Element).closest<HTMLElement>('.data-row')?.dataset.index ?? -1);

/** A click on the row follows its link as a click on the link would, also into another tab. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, label, .data-check') !== null || getSelection()?.isCollapsed === false) return;
  const link = event.currentTarget.querySelector<HTMLElement>('.row-link');
  const { ctrlKey, metaKey, shiftKey } = event;
  link?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** The row of a table that gets the focus as soon as it is drawn. */
const aims = new WeakMap<HTMLElement, number>();

const LINK = '.row-link, a, button:not([tabindex="-1"])';

/** Up, down, Home and End move from row to row; with Shift they select; Space selects the row with the focus. */
export function pressKey(event: KeyboardEvent<HTMLElement>, { count, scrollTo, select, isSelected }: RowActions): void {
  const target = event.target as HTMLElement;
  const index = indexOf(target);
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches('select, textarea, input:not([type=checkbox])'))
    return;
  if (event.key === ' ' && select !== null && index >= 0 && target.matches('.row-link')) {
    event.preventDefault();
    select(index, !isSelected(index), event.shiftKey);
    return;
  }
  // A key that is held comes faster than rows are drawn: each press moves on from the row that the one before has aimed at.
  const from = aims.get(event.currentTarget) ?? index;
  const steps: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 };
  const next = steps[event.key];
  if (next === undefined || next < 0 || next >= count || (from < 0 && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  if (event.shiftKey && from >= 0) select?.(next, true, false);
  focusRow(event.currentTarget, next, scrollTo);
}

/** The row may have to be drawn first: then it gets the focus as soon as it is there, unless another one was aimed at meanwhile. */
function focusRow(table: HTMLElement, index: number, scrollTo: (index: number) => void, tries = 10): void {
  if (tries < 10 && aims.get(table) !== index) return;
  aims.delete(table);
  const row = table.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const link = row?.querySelector<HTMLElement>(LINK);
  if (row !== null && link !== null && link !== undefined) {
    link.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return;
  }
  if (tries === 10) scrollTo(index);
  if (tries === 0) return;
  aims.set(table, index);
  requestAnimationFrame(() => focusRow(table, index, scrollTo, tries - 1));
}
