import type { RegistrationStatus } from './resources/people.ts';

/*
 * The statuses of a registration and how it moves between them. The server refuses by this table and the screens offer by it, so this file
 * brings nothing else into the browser.
 *
 *   what happens    from                                                     to
 *   --------------  -------------------------------------------------------  ---------------------------------------------------
 *   register        (new)                                                    waitlisted        if the event has a waitlist and there is
 *                                                                                              no room, or others wait already
 *                                                                            pending_approval  if the event or a type asks for approval
 *                                                                            pending_payment   if something is to be paid
 *                                                                            confirmed         otherwise
 *   approve         pending_approval                                         pending_payment   if something is still to be paid
 *                                                                            confirmed         otherwise
 *   decline         pending_approval, waitlisted                             declined          frees places, voids tickets
 *   cancel          pending_approval, waitlisted, pending_payment, confirmed cancelled         frees places, voids tickets
 *   promote         waitlisted                                               as for register; by hand only if there is room
 *   pay in full     pending_payment                                          confirmed
 *   reopen          confirmed                                                pending_payment   if a balance is left; tickets stay but
 *                                                                                              do not admit
 *   expire          pending_payment                                          expired           frees places, voids tickets
 *
 * A refund does not change the status by itself; the caller may ask it to reopen or to cancel. A chargeback reopens.
 *
 * Confirming issues tickets. Cancelling, changing or adding an attendee changes places and the total. If that covers a pending
 * payment, the registration is confirmed; cancelling the last attendee cancels the registration.
 */
const TRANSITIONS = {
  approve: ['pending_approval'],
  decline: ['pending_approval', 'waitlisted'],
  cancel: ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'],
  promote: ['waitlisted'],
  pay: ['pending_approval', 'pending_payment', 'confirmed'],
  reopen: ['confirmed'],
  expire: ['pending_payment'],
  add: ['pending_approval', 'pending_payment', 'confirmed'],
  change: ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'],
} as const satisfies Record<string, readonly RegistrationStatus[]>;
/** What can be done to a registration. `add` and `change` are about its attendees. */
export type Transition = keyof typeof TRANSITIONS;

/** In which statuses it can be done. */
export const statusesFor = (transition: Transition): readonly RegistrationStatus[] => TRANSITIONS[transition];
export const isPossible = (transition: Transition, status: RegistrationStatus): boolean =>
  statusesFor(transition).includes(status);
/** What can be done in a status, apart from what only time or money does. */
export const possibleIn = (status: RegistrationStatus): Transition[] =>
  (Object.keys(TRANSITIONS) as Transition[]).filter(
    (one) => one !== 'expire' && one !== 'reopen' && isPossible(one, status),
  );

/** The statuses of registrations that have not ended, in the order in which somebody looks at them: first what waits for a decision. */
export const OPEN_STATUSES: readonly RegistrationStatus[] = [
  'pending_approval',
  'waitlisted',
  'pending_payment',
  'confirmed',
];
/** Nothing can be done any more to a registration with one of these. */
export const ENDED_STATUSES: readonly RegistrationStatus[] = ['declined', 'cancelled', 'expired'];
export const hasEnded = (status: RegistrationStatus): boolean => ENDED_STATUSES.includes(status);

/** The statuses in which the attendees of a registration hold their places. */
export const HOLDING_PLACES: readonly RegistrationStatus[] = ['pending_approval', 'pending_payment', 'confirmed'];
