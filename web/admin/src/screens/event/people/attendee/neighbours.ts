import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Attendee, Reply } from '@turnout/client';
import { useEffect, useMemo } from 'react';
import { call, queries } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import type { FilterValues } from '../../../../parts/use-filters.ts';
import { useFilters } from '../../../../parts/use-filters.ts';
import { peopleQuery } from '../query.ts';
import { placeIn } from './place-in.ts';

type Page = Reply<'listAttendees'>;
const KEY = 'neighbours';

/** The table is shown, so the next walk through it begins with what it shows. */
export const useForgottenNeighbours = (): void =>
  useEffect(() => {
    queries.removeQueries({ queryKey: [KEY] });
  }, []);

export interface Neighbours {
  /** The person as the table had them, to be shown until the present state is there. */
  row: Attendee | undefined;
  previous: Attendee | undefined;
  next: Attendee | undefined;
  go: (to: Attendee | undefined) => void;
}

/**
 * The person before and after this one in the table that the address names. The table is kept as it was when the walk began: somebody
 * who is changed on the way does not move to another place, and nobody is skipped or seen twice.
 */
export function useNeighbours(id: string): Neighbours {
  const { base } = useEvent();
  const { values } = useFilters();
  const navigate = useNavigate();
  const input = { ...base, query: peopleQuery(values) };
  const list = useInfiniteQuery<Page, Error, InfiniteData<Page>, readonly unknown[], string | null>({
    queryKey: [KEY, input],
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => queries.getQueryData<InfiniteData<Page>>(['listAttendees', input, 'pages']) as never,
    initialPageParam: null,
    getNextPageParam: (last) => last.page.next_cursor,
    queryFn: ({ pageParam, signal }) =>
      call(
        'listAttendees',
        { ...base, query: { ...input.query, ...(pageParam !== null && { cursor: pageParam }) } },
        { signal },
      ),
  });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const pages = list.data?.pages.length ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const { row, previous, next, wantsMore } = placeIn(rows, id, pages);
  useEffect(() => {
    if (pages > 0 && wantsMore && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [pages, wantsMore, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    ...{ row, previous, next },
    go: (to) => {
      if (to !== undefined)
        void navigate({
          to: '/$org/events/$event/people/$attendee',
          params: { ...base, attendee: to.id },
          search: values as FilterValues as never,
          resetScroll: false,
        });
    },
  };
}
