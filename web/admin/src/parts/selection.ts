import { useCallback, useMemo, useState } from 'react';
import {
  ALL_MARKED,
  anyMarked,
  chosenOf,
  countOf,
  isMarked,
  type Marks,
  NO_MARKS,
  type SelectedRows,
  withMarks,
} from './marks.ts';

export type { SelectedRows } from './marks.ts';

export interface Selection {
  chosen: SelectedRows;
  /** How many are selected; null if everything is and nobody counted it. */
  count: (total?: number) => number | null;
  hasAny: boolean;
  has: (id: string) => boolean;
  set: (ids: readonly string[], on: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/**
 * A selection across the pages of a table. It belongs to what is shown: `scope` names the filters (`JSON.stringify(query)`), and with
 * other filters nothing is selected, so that nobody acts on what they do not see.
 */
export function useSelection(scope: string): Selection {
  const [state, setState] = useState<{ scope: string; marks: Marks }>({ scope, marks: NO_MARKS });
  const marks = state.scope === scope ? state.marks : NO_MARKS;
  const set = useCallback<Selection['set']>(
    (ids, on) =>
      setState((before) => ({ scope, marks: withMarks(before.scope === scope ? before.marks : NO_MARKS, ids, on) })),
    [scope],
  );
  const selectAll = useCallback(() => setState({ scope, marks: ALL_MARKED }), [scope]);
  const clear = useCallback(() => setState({ scope, marks: NO_MARKS }), [scope]);
  return useMemo(
    () => ({
      chosen: chosenOf(marks),
      count: (total) => countOf(marks, total),
      hasAny: anyMarked(marks),
      has: (id) => isMarked(marks, id),
      ...{ set, selectAll, clear },
    }),
    [marks, set, selectAll, clear],
  );
}
