import { canonical } from './canonical.ts';

/** `{ field: [before, after] }` for each field that differs. Null means that the field was not there. */
export type Differences = Record<string, [unknown, unknown]>;

export function diff(before: object | null, after: object | null): Differences {
  const changes: Differences = {};
  const old = (before ?? {}) as Record<string, unknown>;
  const now = (after ?? {}) as Record<string, unknown>;
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (field === 'updated_at' || field === 'created_at') continue;
    const [was, is] = [old[field] ?? null, now[field] ?? null];
    if (canonical(was) !== canonical(is)) changes[field] = [was, is];
  }
  return changes;
}

/**
 * Whether a field that was set is reset to null. The answer may look the same if a default shows in its place. It is a change all
 * the same: a default changes with the value that it is derived from.
 */
export const resets = (before: object, after: object): boolean =>
  Object.entries(after).some(([name, value]) => value === null && (before as Record<string, unknown>)[name] != null);

/** For a list whose order means nothing: the stored list, if the same entries were sent in another order. */
export const asStored = <T extends string>(sent: readonly T[], stored: readonly T[]): readonly T[] =>
  canonical([...new Set(sent)].sort()) === canonical([...new Set(stored)].sort()) ? stored : sent;
