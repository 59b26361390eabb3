/** `{ field: [before, after] }` for the audit log; null stands for "was not there". */
export function diff(before: object | null, after: object | null): Record<string, [unknown, unknown]> {
  const changes: Record<string, [unknown, unknown]> = {};
  const old = (before ?? {}) as Record<string, unknown>;
  const now = (after ?? {}) as Record<string, unknown>;
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (field === 'updated_at' || field === 'created_at') continue;
    const [was, is] = [old[field] ?? null, now[field] ?? null];
    if (JSON.stringify(was) !== JSON.stringify(is)) changes[field] = [was, is];
  }
  return changes;
}
