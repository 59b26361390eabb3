import { canonical } from './canonical.ts';

/** `{ field: [before, after] }` of what differs; null stands for "was not there". */
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
 * Whether something that was set is not any more. It may look the same, where a default shows in its place, and yet it is a change:
 * a default follows what it is made of.
 */
export const resets = (before: object, after: object): boolean =>
  Object.entries(after).some(([name, value]) => value === null && (before as Record<string, unknown>)[name] != null);

/** Of a list whose order says nothing: what is stored, where the same was sent in another order. */
export const asStored = <T extends string>(sent: readonly T[], stored: readonly T[]): readonly T[] =>
  canonical([...new Set(sent)].sort()) === canonical([...new Set(stored)].sort()) ? stored : sent;
