import {
  QueryClient as Client,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  notifyManager,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type CallOptions,
  call as callServer,
  type Input,
  type OperationId,
  Problem,
  type Reply,
} from '@turnout/client';
import { useMemo } from 'react';
import { noteRequest } from './report.ts';

/** What every problem means for the rest of the app, wherever it came up. */
function notice(error: unknown): void {
  if (!(error instanceof Problem)) return;
  noteRequest(error.requestId);
  // A role that was lowered meanwhile, or a license that was revoked: what the frame offers and says must follow.
  if (error.code === 'permission_required' || error.code === 'instance_read_only')
    void queries.invalidateQueries({ queryKey: ['getMembership'] });
}

/** How many calls wait for their answer. The page says so (`<html data-calls="2">`) to whoever drives it, such as a test. */
let waiting = 0;
function count(by: 1 | -1): void {
  waiting += by;
  const { dataset } = document.documentElement;
  if (waiting > 0) dataset.calls = String(waiting);
  else delete dataset.calls;
}

/** Calls an operation. A wrong field does not compile. */
export const call: typeof callServer = async (...args) => {
  count(1);
  try {
    return await callServer(...args);
  } catch (error) {
    notice(error);
    throw error;
  } finally {
    count(-1);
  }
};

/** The parts of answers that screens share. Each answer is kept for a few seconds and asked again when a screen opens. */
export const queries: QueryClient = new Client({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // `call` has tried again already.
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// Components that wait for a reply learn of it at once. By default a timer would notify them, and on a busy page it comes late.
notifyManager.setScheduler(queueMicrotask);

/** The query that fetches an operation's reply, and the key under which the cache stores it. */
export const queryOf = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  queryOptions({
    queryKey: [id, input] as const,
    queryFn: ({ signal }) =>
      (call as (id: Id, input: Input<Id>, options: CallOptions) => Promise<Reply<Id>>)(id, input, { signal }),
  });

/**
 * The answer of an operation that reads: `const { data, error } = useCall('listMembers', { org })`. `every`: asks again after so many
 * milliseconds, for as long as somebody looks at the page.
 */
export const useCall = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { every, keep, ...options }: { enabled?: boolean; every?: number; keep?: boolean } = {},
) =>
  useQuery({
    ...queryOf(id, input),
    ...options,
    ...(keep === true && { placeholderData: keepPreviousData }),
    refetchInterval: every ?? false,
  });

type RowOf<Id extends OperationId> =
  Reply<Id> extends { data: (infer Row)[]; page: { next_cursor: string | null } } ? Row : never;

interface Page<Row> {
  data: Row[];
  page: { next_cursor: string | null };
}

/** The query that fetches the pages of a list, and the key under which the cache stores them. */
const pagesQueryOf = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  infiniteQueryOptions<Page<RowOf<Id>>, Error, InfiniteData<Page<RowOf<Id>>>, readonly unknown[], string | null>({
    queryKey: [id, input, 'pages'],
    initialPageParam: null,
    getNextPageParam: (last) => last.page.next_cursor,
    queryFn: ({ pageParam, signal }) => {
      const { query: listQuery, ...rest } = input as { query?: object };
      const paged = { ...rest, query: { ...listQuery, ...(pageParam !== null && { cursor: pageParam }) } };
      return (call as (id: OperationId, input: unknown, options: object) => Promise<unknown>)(id, paged, {
        signal,
      }) as Promise<Page<RowOf<Id>>>;
    },
  });

/**
 * Asks for the first page of a list before its screen is drawn or even loaded: for the `beforeLoad` of a route. The screen asks with
 * `usePages` for the same and gets this answer.
 */
export function askAhead<Id extends OperationId>(id: Id, input: Input<Id>): void {
  const asking = pagesQueryOf(id, input);
  // What is there already is shown at once, and the screen decides whether to ask again.
  if (queries.getQueryData(asking.queryKey) === undefined) void queries.prefetchInfiniteQuery(asking);
}

/** A list with more pages than this is not fetched again as a whole when somebody comes back to it. */
const FEW_PAGES = 3;

/**
 * A list by cursor: `rows`, whether there are more, and how to get them. `keep`: while another answer is awaited, because a filter was
 * changed, what was there before is shown on.
 */
export function usePages<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, keep = false }: { enabled?: boolean; keep?: boolean } = {},
) {
  const asking = pagesQueryOf(id, input);
  const query = useInfiniteQuery({
    ...asking,
    enabled,
    ...(keep && { placeholderData: keepPreviousData }),
    refetchOnMount: ({ state }) => (state.data?.pages.length ?? 0) <= FEW_PAGES || state.isInvalidated,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= FEW_PAGES,
  });
  const pages = query.data?.pages;
  const more = () => {
    // Somebody who scrolls may request the next page again before this one is drawn, which would cancel the first request.
    const state = queries.getQueryState(asking.queryKey);
    const isAsked = state?.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore?.direction === 'forward';
    if (!isAsked) void query.fetchNextPage();
  };
  return {
    ...query,
    rows: useMemo(() => pages?.flatMap((page) => page.data), [pages]),
    more: query.hasNextPage ? more : undefined,
  };
}

/** Fetches the replies of these operations again after a change. */
export function useRefresh(): (...ids: OperationId[]) => Promise<void> {
  const client = useQueryClient();
  return async (...ids) => {
    await Promise.all(ids.map((id) => client.invalidateQueries({ queryKey: [id] })));
  };
}
