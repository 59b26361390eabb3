import { useQuery } from '@tanstack/react-query';
import type { Attendee } from '@turnout/client';
import { useEffect, useMemo, useState } from 'react';
import { call, queryOf } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { endedLast, isNear } from './find.ts';

const MAX_RESULTS = 20;
const WAIT_MS = 80;
const STALE_MS = 2_000;

export interface FindResult {
  rows: readonly Attendee[];
  /** Whether the rows answer what stands in the field now, and not what stood there a letter ago. */
  isCurrent: boolean;
  isAsking: boolean;
  /** There are more than are shown. */
  hasMore: boolean;
  error: Error | null;
}

/**
 * Who is found by what was typed. The answer to the last letter wins. While it is awaited, those found by the letters before stay,
 * unless another name was begun.
 */
export function useFind(text: string): FindResult {
  const { base } = useEvent();
  const { may } = useOrganization();
  const typed = text.trim();
  const search = useSettled(typed, WAIT_MS);
  const query = useQuery({
    ...queryOf('listAttendees', { ...base, query: { search, limit: MAX_RESULTS } }),
    enabled: search !== '' && may('people.read'),
    staleTime: STALE_MS,
    placeholderData: (before, query) => (isNear(query?.queryKey[1].query?.search, search) ? before : undefined),
  });
  const shown = typed === '' || !isNear(search, typed) ? undefined : query.data;
  const rows = useMemo(() => endedLast(shown?.data ?? []), [shown]);
  const isCurrent = typed === search && query.data !== undefined && !query.isPlaceholderData;
  return {
    ...{ rows, isCurrent },
    isAsking: typed !== '' && !isCurrent && query.error === null,
    hasMore: shown !== undefined && shown.page.next_cursor !== null,
    error: typed === search && typed !== '' ? query.error : null,
  };
}

/** Of several readings of a code the first by which somebody is found; the first of all if nobody is, or if there is only one. */
export function useFoundBy(): (codes: readonly [string, ...string[]]) => Promise<string> {
  const { base } = useEvent();
  return async (codes) => {
    if (codes.length === 1) return codes[0];
    for (const search of codes) {
      const found = await call('listAttendees', { ...base, query: { search, limit: 1 } }).catch(() => null);
      if (found === null) break;
      if (found.data.length > 0) return search;
    }
    return codes[0];
  };
}

/** A value once it has not changed for a moment. An empty text is taken at once. */
export function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
