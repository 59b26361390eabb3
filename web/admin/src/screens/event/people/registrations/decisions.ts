import type { Registration } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';

const DECISIONS = ['approve', 'promote', 'decline', 'cancel'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What can be decided about registrations in this state, or in any. */
export const decisionsIn = (status: Registration['status'] | undefined): Decision[] =>
  DECISIONS.filter((one) => status === undefined || isPossible(one, status));

const KEYS: Readonly<Record<string, Decision>> = { a: 'approve', d: 'decline', p: 'promote', c: 'cancel' };

/**
 * What a key means on a row of the table: X selects the row, the others decide about what is selected, or else about the row if its
 * state allows it. Null if it means nothing.
 */
export function wantedBy(key: string, status: Registration['status'], selected: boolean): Decision | 'select' | null {
  const pressed = key.toLowerCase();
  if (pressed === 'x') return 'select';
  const decision = Object.hasOwn(KEYS, pressed) ? KEYS[pressed]! : null;
  return decision !== null && (selected || isPossible(decision, status)) ? decision : null;
}
