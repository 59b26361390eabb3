import { useQuery } from '@tanstack/react-query';
import type { Input, OperationId, Reply } from '@turnout/client';
import { call } from './api.ts';

type RowOf<Id extends OperationId> = Reply<Id> extends { data: (infer Row)[] } ? Row : never;
interface Page {
  data: { id: string }[];
  page: { next_cursor: string | null };
}

/** The most that a page of a list may have. */
const PAGE = 200;

/**
 * A whole list, page by page, for lists that are short by nature, such as the days of an event. An entry that was changed while the
 * pages were read may be in two of them; the later one is the present one.
 */
export const useAll = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, every }: { enabled?: boolean; every?: number } = {},
) =>
  useQuery({
    queryKey: [id, input, 'all'],
    enabled,
    refetchInterval: every ?? false,
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
