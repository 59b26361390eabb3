import type { Group } from '@turnout/client';

export interface Branch {
  group: Group;
  below: Branch[];
}

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

/** The groups to choose from, in the order of the tree; what lies below another group is moved in. */
export const groupOptions = (all: readonly Group[]): { value: string; label: string }[] =>
  flat(treeOf(all)).map(({ group, depth }) => ({
    value: group.code,
    label: `${'\u2003'.repeat(depth)}${group.name}`,
  }));
