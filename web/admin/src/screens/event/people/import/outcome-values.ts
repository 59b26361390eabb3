import type { Job } from '@turnout/client';

const KINDS = ['created', 'updated', 'unchanged'] as const;

/** What an import would do: as the preview has found it, with the rows that were corrected since. */
export function outcomeOf({ counts }: Pick<Job, 'counts'>, corrected: number) {
  const of = (kind: string) => counts[kind] ?? 0;
  return [
    ...KINDS.map((kind) => ({ kind, count: of(kind) })),
    // Whether they add or change somebody is known only when they are imported.
    ...(corrected > 0 ? [{ kind: 'corrected' as const, count: corrected }] : []),
    { kind: 'rejected' as const, count: Math.max(0, of('rejected') - corrected) },
  ];
}
