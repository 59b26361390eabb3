import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Input, OperationId, Reply } from '@turnout/client';
import { call, queries } from './api.ts';

type RowOf<Id extends OperationId> = Reply<Id> extends { data: (infer Row)[] } ? Row : never;
interface Page {
  data: { id: string }[];
  page: { next_cursor: string | null };
}

/** The most that a page of a list may have. */
const PAGE = 200;

const allOf = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  queryOptions({
    queryKey: [id, input, 'all'],
    queryFn: async ({ signal }): Promise<RowOf<Id>[]> => {
      const { query, ...rest } = input as { query?: object };
      const found = new Map<string, unknown>();
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const pageInput = { ...rest, query: { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) } };
        const { data, page } = (await (call as (id: OperationId, input: unknown, options: object) => Promise<unknown>)(
          id,
          pageInput,
          { signal },
        )) as Page;
        for (const one of data) found.set(one.id, one);
        cursor = page.next_cursor;
      }
      return [...found.values()] as RowOf<Id>[];
    },
  });

/** Asks for a whole list, unless it is there, before what shows it is loaded: for the `loader` of a route. */
export function askForAll<Id extends OperationId>(id: Id, input: Input<Id>): void {
  const asking = allOf(id, input);
  if (queries.getQueryData(asking.queryKey) === undefined) void queries.prefetchQuery(asking);
}

/**
 * A whole list, page by page, for lists that are short by nature, such as the days of an event. An entry that was changed while the
 * pages were read may be in two of them; the later one is the present one.
 */
export const useAll = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, every }: { enabled?: boolean; every?: number } = {},
) => useQuery({ ...allOf(id, input), enabled, refetchInterval: every ?? false });
