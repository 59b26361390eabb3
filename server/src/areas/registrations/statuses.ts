import type { RegistrationStatus } from '@turnout/contract';
import { HOUR } from '../../clock.ts';
import { refuse } from '../../road/refusal.ts';
import { iso } from '../../store/stamps.ts';
import type { Places } from './places.ts';
import { active, holds, needsOf, type RegistrationState, touch } from './state.ts';
import { type Issuing, issueLacking, voidTicket } from './tickets.ts';

/**
 * The life of a registration. What holds places: pending_approval, pending_payment, confirmed.
 *
 *   what happens    from                                                     to
 *   --------------  -------------------------------------------------------  ------------------------------------------------
 *   register        (new)                                                    waitlisted        no room, or others wait, and a waitlist
 *                                                                            pending_approval  the event or a type asks for it
 *                                                                            pending_payment   something is to be paid
 *                                                                            confirmed         else
 *   approve         pending_approval                                         pending_payment   something is still to be paid
 *                                                                            confirmed         else
 *   decline         pending_approval, waitlisted                             declined          places free, tickets void
 *   cancel          pending_approval, waitlisted, pending_payment, confirmed cancelled         places free, tickets void
 *   promote         waitlisted                                               as register; by hand only where there is room
 *   pay in full     pending_payment                                          confirmed
 *   reopen          confirmed                                                pending_payment   a balance is left; tickets stay, don't admit
 *   expire          pending_payment                                          expired           places free, tickets void
 *
 * A refund moves nothing by itself; it may be asked to reopen or to cancel. A payment that the payer's bank takes back reopens.
 *
 * confirmed issues tickets. A person who is cancelled, changed or added moves places and totals; a pending payment that is
 * covered by it confirms; the last person who leaves cancels.
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
      others.length === 0 ? 'Nothing is possible any more.' : `Possible now: ${others.join(', ')}.`
    }`,
  });
}

export interface Moving extends Issuing {
  places: Places;
}

export const balance = (registration: RegistrationState): number => registration.total_minor - registration.paid_minor;

export function retotal(registration: RegistrationState): void {
  registration.total_minor = active(registration).reduce((sum, person) => sum + person.price_minor, 0);
}

/** Where a registration with its places goes: approval first, then payment, else confirmed. */
export function settle(moving: Moving, registration: RegistrationState, approved: boolean): void {
  const { event, types } = moving.world;
  const asks =
    event.registration.approval || active(registration).some((person) => types.get(person.attendee_type_id)!.approval);
  if (!approved && asks) set(registration, 'pending_approval');
  else if (balance(registration) > 0) awaitPayment(moving, registration);
  else confirm(moving, registration);
}

function set(registration: RegistrationState, status: RegistrationStatus): void {
  registration.status = status;
  registration.payment_due_at = null;
  registration.waitlisted_at = null;
  registration.waiting_for = null;
  touch(registration, true);
}

export function awaitPayment(moving: Moving, registration: RegistrationState): void {
  set(registration, 'pending_payment');
  const hours = moving.world.event.registration.payment_hours;
  registration.payment_due_at = iso(new Date(moving.now.getTime() + hours * HOUR));
}

/** What was paid is gone, and has to be paid again: the tickets stay but don't admit until it is. */
export function reopen(moving: Moving, registration: RegistrationState): void {
  if (registration.status !== 'confirmed' || balance(registration) <= 0) return;
  awaitPayment(moving, registration);
  registration.reopened = true;
}

export function confirm(moving: Moving, registration: RegistrationState): void {
  set(registration, 'confirmed');
  registration.confirmed_at ??= moving.stamp;
  registration.happened.push({ type: 'registration.confirmed' });
  // Confirmed again after it was reopened: those who had a ticket keep it (or its having been voided), those who joined get one.
  const ticketed = new Set(registration.tickets.flatMap((ticket) => ticket.people));
  issueLacking(
    moving,
    registration,
    active(registration).filter((person) => !ticketed.has(person.id)),
  );
}

export function take(moving: Moving, registration: RegistrationState, sign: 1 | -1): void {
  moving.places.take(needsOf(moving.world.event.id, active(registration)), registration.test, sign);
}

/** Out of the waitlist, whatever comes next. */
export function unwait(moving: Moving, registration: RegistrationState): void {
  if (registration.waiting_for !== null) moving.places.wait(registration.waiting_for, registration.test, -1);
  registration.waiting_for = null;
}

const REASONS = {
  declined: 'registration_declined',
  cancelled: 'registration_cancelled',
  expired: 'registration_expired',
} as const;

export function cancelWhole(moving: Moving, registration: RegistrationState, reason: string | undefined): void {
  if (reason !== undefined) registration.reason = reason;
  end(moving, registration, 'cancelled');
  registration.happened.push({ type: 'registration.cancelled' });
}

/** The end of a registration: places free, tickets void. */
export function end(
  moving: Moving,
  registration: RegistrationState,
  status: 'declined' | 'cancelled' | 'expired',
): void {
  if (holds(registration)) take(moving, registration, -1);
  unwait(moving, registration);
  set(registration, status);
  registration.ended = true;
  if (status === 'cancelled') registration.cancelled_at = moving.stamp;
  for (const ticket of registration.tickets) voidTicket(moving, registration, ticket, REASONS[status]);
}
