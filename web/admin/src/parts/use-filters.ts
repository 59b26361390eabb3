import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The filters in the address, as texts by their names. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

export interface UsedFilters {
  values: FilterValues;
  /** Puts values into the address; undefined or '' takes one out. `quietly`: not as a step that “back” returns to. */
  set: (change: FilterValues, options?: { quietly?: boolean }) => void;
}

/**
 * The filters of this screen: whatever its route lets into the address (`validateSearch: filters('search', 'status')`). They are the
 * state: nothing else remembers them, so that an address can be sent to somebody, and back and forward work.
 */
export function useFilters(): UsedFilters {
  const values = useSearch({ strict: false }) as FilterValues;
  const navigate = useNavigate();
  const router = useRouter();
  const set = useCallback<UsedFilters['set']>(
    (change, { quietly = false } = {}) => {
      // What was typed a moment ago must not stop somebody who has clicked a link since then and is on the way to another screen.
      const { location, resolvedLocation = location } = router.state;
      if (quietly && router.latestLocation.pathname !== resolvedLocation.pathname) return;
      const next = (old: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...old, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        );
      // The router types the filters by the route; this works for every route, and the route drops what it does not know.
      void navigate({ to: '.', search: next as never, replace: quietly, resetScroll: false });
    },
    [navigate, router],
  );
  return { values, set };
}

/** Several chosen values of one filter stand in the address with commas between them. */
export const listOf = (value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : value.split(',');

/** Answers among the filters (`answer.diet=vegan` in the address), as lists and bulk actions take them: `diet:vegan`. */
export const answersOf = (values: FilterValues): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    name.startsWith('answer.') && value !== undefined ? [`${name.slice('answer.'.length)}:${value}`] : [],
  );
