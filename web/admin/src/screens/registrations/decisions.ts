import type { Registration } from '@turnout/client';

/** In which states what can be done, as the server decides it. */
const POSSIBLE = {
  approve: ['pending_approval'],
  promote: ['waitlisted'],
  decline: ['pending_approval', 'waitlisted'],
  cancel: ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'],
} as const satisfies Record<string, readonly Registration['status'][]>;
export type Decision = keyof typeof POSSIBLE;

export const canBe = (decision: Decision, status: Registration['status']): boolean =>
  (POSSIBLE[decision] as readonly string[]).includes(status);

/** What can be decided about registrations in this state, or in any. */
export const decisionsIn = (status: Registration['status'] | undefined): Decision[] =>
  (['approve', 'promote', 'decline', 'cancel'] as const).filter((one) => status === undefined || canBe(one, status));

const KEYS: Readonly<Record<string, Decision>> = { a: 'approve', d: 'decline', p: 'promote', c: 'cancel' };

/**
 * What a key means on a row of the table: X selects the row, the others decide about what is selected, or else about the row if its
 * state allows it. Null if it means nothing.
 */
export function wantedBy(key: string, status: Registration['status'], selected: boolean): Decision | 'select' | null {
  const pressed = key.toLowerCase();
  if (pressed === 'x') return 'select';
  const decision = Object.hasOwn(KEYS, pressed) ? KEYS[pressed]! : null;
  return decision !== null && (selected || canBe(decision, status)) ? decision : null;
}
