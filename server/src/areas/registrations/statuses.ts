import type { RegistrationStatus } from '@turnout/contract';
import { HOUR } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import { iso } from '../../store/stamps.ts';
import type { Places } from './places.ts';
import { activeAttendees, holdsPlaces, needsOf, type RegistrationState, touch } from './state.ts';
import { issueLacking, type TicketContext, voidTicket } from './tickets.ts';

/**
 * The statuses of a registration and how it moves between them. It holds places while it is pending_approval, pending_payment or
 * confirmed.
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
export const TRANSITIONS = {
  approve: ['pending_approval'],
  decline: ['pending_approval', 'waitlisted'],
  cancel: ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'],
  promote: ['waitlisted'],
  pay: ['pending_approval', 'pending_payment', 'confirmed'],
  expire: ['pending_payment'],
  add: ['pending_approval', 'pending_payment', 'confirmed'],
  change: ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'],
} as const satisfies Record<string, readonly RegistrationStatus[]>;
export type Transition = keyof typeof TRANSITIONS;

export function requireStatus(registration: RegistrationState, transition: Transition): void {
  const allowed: readonly RegistrationStatus[] = TRANSITIONS[transition];
  if (allowed.includes(registration.status)) return;
  const others = (Object.keys(TRANSITIONS) as Transition[]).filter(
    (name) => name !== 'expire' && (TRANSITIONS[name] as readonly RegistrationStatus[]).includes(registration.status),
  );
  refuse('invalid_state', {
    message: `The registration is ${registration.status}; to ${transition} it must be ${allowed.join(' or ')}. ${
      others.length === 0 ? 'Nothing can be done to it any more.' : `Possible now: ${others.join(', ')}.`
    }`,
  });
}

/** What changing the status of a registration needs. The book satisfies it. */
export interface StatusContext extends TicketContext {
  places: Places;
}

/** What is still to be paid, whatever the status. Negative if too much was paid. */
export const outstanding = (registration: RegistrationState): number =>
  registration.total_minor - registration.paid_minor;

export function updateTotal(registration: RegistrationState): void {
  registration.total_minor = activeAttendees(registration).reduce((sum, attendee) => sum + attendee.price_minor, 0);
}

/** Whether the event or a type asks for the organizer's approval. */
export const asksApproval = ({ world }: Pick<StatusContext, 'world'>, registration: RegistrationState): boolean =>
  world.event.registration.approval ||
  activeAttendees(registration).some((attendee) => world.types.get(attendee.attendee_type_id)!.approval);

/** Moves a registration that has its places to its next status: approval first, then payment, otherwise confirmed. */
export function settle(context: StatusContext, registration: RegistrationState, approved: boolean): void {
  if (!approved && asksApproval(context, registration)) setStatus(registration, 'pending_approval');
  else if (outstanding(registration) > 0) awaitPayment(context, registration);
  else confirm(context, registration);
}

function setStatus(registration: RegistrationState, status: RegistrationStatus): void {
  registration.status = status;
  registration.payment_due_at = null;
  registration.hold = null;
  registration.waitlisted_at = null;
  registration.waiting_for = null;
  touch(registration, true);
}

/** The deadline of whatever does not come straight from the form; holds.ts says what else moves it. */
export function awaitPayment(context: StatusContext, registration: RegistrationState): void {
  setStatus(registration, 'pending_payment');
  const hours = context.world.event.registration.payment_hours;
  registration.payment_due_at = iso(new Date(context.now.getTime() + hours * HOUR));
}

/** A refund or chargeback left a balance: the registration has to be paid again. Its tickets stay but do not admit until it is. */
export function reopen(context: StatusContext, registration: RegistrationState): void {
  if (registration.status !== 'confirmed' || outstanding(registration) <= 0) return;
  awaitPayment(context, registration);
  registration.reopened = true;
}

export function confirm(context: StatusContext, registration: RegistrationState): void {
  setStatus(registration, 'confirmed');
  registration.confirmed_at ??= context.stamp;
  registration.happened.push({ type: 'registration.confirmed' });
  // If it was confirmed before, whoever had a ticket keeps it, valid or voided. Only attendees without one get a new one.
  const ticketed = new Set(registration.tickets.flatMap((ticket) => ticket.attendee_ids));
  issueLacking(
    context,
    registration,
    activeAttendees(registration).filter((attendee) => !ticketed.has(attendee.id)),
  );
}

/** Takes (1) or frees (-1) the places of all active attendees. */
export function changePlaces(context: StatusContext, registration: RegistrationState, sign: 1 | -1): void {
  context.places.take(needsOf(context.world.event.id, activeAttendees(registration)), registration.test, sign);
}

/** Takes a registration off the waitlist. */
export function stopWaiting(context: StatusContext, registration: RegistrationState): void {
  if (registration.waiting_for !== null) context.places.changeWaiting(registration.waiting_for, registration.test, -1);
  registration.waiting_for = null;
}

const REASONS = {
  declined: 'registration_declined',
  cancelled: 'registration_cancelled',
  expired: 'registration_expired',
} as const;

export function cancelRegistration(
  context: StatusContext,
  registration: RegistrationState,
  reason: string | undefined,
): void {
  if (reason !== undefined) registration.reason = reason;
  endRegistration(context, registration, 'cancelled');
  registration.happened.push({ type: 'registration.cancelled' });
}

/** Ends a registration: frees its places and voids its tickets. */
export function endRegistration(
  context: StatusContext,
  registration: RegistrationState,
  status: 'declined' | 'cancelled' | 'expired',
): void {
  if (holdsPlaces(registration)) changePlaces(context, registration, -1);
  stopWaiting(context, registration);
  setStatus(registration, status);
  registration.ended = true;
  if (status === 'cancelled') registration.cancelled_at = context.stamp;
  for (const ticket of registration.tickets) voidTicket(context, registration, ticket, REASONS[status]);
}
