import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Group } from '@turnout/client';
import { call } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';

export * from './branches.ts';

/** All groups, page by page: a tree can only be drawn of all of them. */
export const useGroups = () => useQuery(askingGroups(useOrganization().org));

export const askingGroups = (org: string) =>
  queryOptions({
    queryKey: ['listGroups', { org }, 'all'],
    queryFn: async ({ signal }) => {
      const all: Group[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
        const { data, page } = await call('listGroups', { org, query }, { signal });
        all.push(...data);
        cursor = page.next_cursor;
      }
      // A group that was changed while the pages were read may be in two of them; the later one is the present one.
      return [...new Map(all.map((group) => [group.id, group])).values()];
    },
  });
