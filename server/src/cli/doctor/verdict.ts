export type State = 'ok' | 'warning' | 'failed';
export const GROUPS = ['database', 'data', 'work', 'files', 'redis', 'mail', 'hosts', 'machine'] as const;
export type Group = (typeof GROUPS)[number];

/** What a check found, in one sentence, and in another one what to do. A check of many things has one for each that deserves it. */
export interface Verdict {
  state: State;
  says: string;
  remedy: string | null;
  /** Replaces the name of the check. */
  check?: string;
}

export const ok = (says: string): Verdict => ({ state: 'ok', says, remedy: null });
export const warning = (says: string, remedy: string): Verdict => ({ state: 'warning', says, remedy });
export const failed = (says: string, remedy: string): Verdict => ({ state: 'failed', says, remedy });

/** How findings begin that say nothing of the matter itself. */
export const NOT_CHECKED = 'Not checked: ';

/** A check needs something that is not there. Another check says what. */
export class NotChecked extends Error {}

export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
/** A length of time as people say it. */
export function lasting(seconds: number): string {
  const [unit, size] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
    ] as const
  ).find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  return count(Math.round(seconds / size), unit);
}
/** The message of an error, without the lines that follow the first one. */
export const messageOf = (error: unknown): string => {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] };
  // Node puts the failures of several addresses into one error without a message.
  if (!message && errors?.[0] !== undefined) return messageOf(errors[0]);
  return (message || code || String(error)).split('\n')[0]!;
};
