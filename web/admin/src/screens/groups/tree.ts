import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Group } from '@turnout/client';
import { call } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';

export interface Branch {
  group: Group;
  below: Branch[];
}

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

/** The groups as a tree, by name. What lies below a group that this member cannot see stands at the top. */
export function treeOf(all: readonly Group[]): Branch[] {
  const known = new Set(all.map(({ code }) => code));
  const byParent = Map.groupBy(all, ({ parent }) => (parent !== null && known.has(parent) ? parent : null));
  const below = (parent: string | null): Branch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((group) => ({ group, below: below(group.code) }));
  return below(null);
}

/** The groups in the order of the tree, each with how deep it lies. */
export const flat = (branches: readonly Branch[], depth = 0): { group: Group; depth: number }[] =>
  branches.flatMap(({ group, below }) => [{ group, depth }, ...flat(below, depth + 1)]);

/** The codes of a group and of everything below it: where it cannot be moved to. */
export function subtree(all: readonly Group[], code: string): Set<string> {
  const found = new Set([code]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const group of all) if (group.parent !== null && found.has(group.parent)) found.add(group.code);
  }
  return found;
}
