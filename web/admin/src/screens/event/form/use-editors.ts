import { useCallback, useState } from 'react';
import { useFilters } from '../../../parts/use-filters.ts';

export interface Editors<V> {
  /** What is open now, by its id; null if nothing is. */
  current: string | null;
  isOpen: (id: string) => boolean;
  /** Opens one, in the address too. `more`: what else the address changes to. */
  open: (id: string, more?: Readonly<Record<string, string>>) => void;
  /** Opens it, or closes it if it is the open one; with changes it stays open until they are saved or thrown away. */
  toggle: (id: string, more?: Readonly<Record<string, string>>) => void;
  /** Closes it, and what was typed is gone. */
  close: (id: string) => void;
  /** What is typed but not saved, by id. */
  drafts: ReadonlyMap<string, V>;
  /** Called by each editor: its values while they differ from the saved ones, else null. */
  follow: (id: string, values: V | null) => void;
}

/**
 * Which entries of a list are open in place. The address names one. Another one with changes that are not saved stays open beside it,
 * so that opening something else loses nothing.
 */
export function useEditors<V>(parameter: 'day' | 'type' | 'question' | 'product' | 'limit'): Editors<V> {
  const { values, set } = useFilters();
  const current = values[parameter] ?? null;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, V>>(new Map());
  const follow = useCallback((id: string, draft: V | null) => {
    setDrafts((before) => {
      if (draft === null && !before.has(id)) return before;
      const next = new Map(before);
      if (draft === null) next.delete(id);
      else next.set(id, draft);
      return next;
    });
  }, []);
  const open: Editors<V>['open'] = (id, more) => set({ [parameter]: id, ...more });
  const close = (id: string) => {
    follow(id, null);
    if (id === current) set({ [parameter]: undefined });
  };
  return {
    current,
    isOpen: (id) => id === current || drafts.has(id),
    open,
    toggle: (id, more) => {
      if (id !== current) open(id, more);
      else if (!drafts.has(id)) close(id);
    },
    close,
    drafts,
    follow,
  };
}
