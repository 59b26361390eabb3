import { useCallback, useMemo, useState } from 'react';

/** What is selected: single rows, or everything that the filters match but these. */
export type Chosen = { all: true; except: string[] } | { all: false; ids: string[] };

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
  const [state, setState] = useState<{ of: string; all: boolean; marked: ReadonlySet<string> }>({ of, ...NOTHING });
  const current = state.of === of ? state : { of, ...NOTHING };
  const { all, marked } = current;
  const set = useCallback<Selection['set']>(
    (ids, on) =>
      setState((before) => {
        const from = before.of === of ? before : { of, ...NOTHING };
        const next = new Set(from.marked);
        // With everything selected, those that are not are kept.
        for (const id of ids) on === from.all ? next.delete(id) : next.add(id);
        return { of, all: from.all, marked: next };
      }),
    [of],
  );
  const selectAll = useCallback(() => setState({ of, all: true, marked: new Set() }), [of]);
  const clear = useCallback(() => setState({ of, ...NOTHING }), [of]);
  return useMemo(
    () => ({
      chosen: all ? { all: true, except: [...marked] } : { all: false, ids: [...marked] },
      count: (total) => (!all ? marked.size : total === undefined ? null : Math.max(0, total - marked.size)),
      any: all || marked.size > 0,
      has: (id) => marked.has(id) !== all,
      ...{ set, selectAll, clear },
    }),
    [all, marked, set, selectAll, clear],
  );
}

const NOTHING: { all: boolean; marked: ReadonlySet<string> } = { all: false, marked: new Set() };
