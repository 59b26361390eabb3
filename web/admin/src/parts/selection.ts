import { useCallback, useMemo, useState } from 'react';
import {
  ALL_MARKED,
  anyMarked,
  type Chosen,
  chosenOf,
  countOf,
  isMarked,
  type Marks,
  NO_MARKS,
  withMarks,
} from './marks.ts';

export type { Chosen } from './marks.ts';

export interface Selection {
  chosen: Chosen;
  /** How many are selected; null if everything is and nobody counted it. */
  count: (total?: number) => number | null;
  any: boolean;
  has: (id: string) => boolean;
  set: (ids: readonly string[], on: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/**
 * A selection across the pages of a table. It belongs to what is shown: `of` names the filters (`JSON.stringify(query)`), and with
 * other filters nothing is selected, so that nobody acts on what they do not see.
 */
export function useSelection(of: string): Selection {
  const [state, setState] = useState<{ of: string; marks: Marks }>({ of, marks: NO_MARKS });
  const marks = state.of === of ? state.marks : NO_MARKS;
  const set = useCallback<Selection['set']>(
    (ids, on) => setState((before) => ({ of, marks: withMarks(before.of === of ? before.marks : NO_MARKS, ids, on) })),
    [of],
  );
  const selectAll = useCallback(() => setState({ of, marks: ALL_MARKED }), [of]);
  const clear = useCallback(() => setState({ of, marks: NO_MARKS }), [of]);
  return useMemo(
    () => ({
      chosen: chosenOf(marks),
      count: (total) => countOf(marks, total),
      any: anyMarked(marks),
      has: (id) => isMarked(marks, id),
      ...{ set, selectAll, clear },
    }),
    [marks, set, selectAll, clear],
  );
}
