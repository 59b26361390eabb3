import { isPossible, possibleIn, type RegistrationStatus, statusesFor, type Transition } from '@turnout/contract';
import { HOUR } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import { iso } from '../../store/stamps.ts';
import { discountOf, totalOf } from './lines.ts';
import { needsOfRegistration } from './needs.ts';
import type { Places } from './places.ts';
import type { AgreedPrice } from './price.ts';
import { activeAttendees, type BookedLine, holdsPlaces, type RegistrationState, touch } from './state.ts';
import { issueLacking, type TicketContext, voidTicket } from './tickets.ts';

/*
 * What changing a status brings with it. Which statuses there are, and from which to which, is said in the contract
 * (registration-states.ts), because the screens offer by the same table.
 */

export function requireStatus(registration: RegistrationState, transition: Transition): void {
  const { status } = registration;
  if (isPossible(transition, status)) return;
  const others = possibleIn(status);
  refuse('invalid_state', {
    message: `The registration is ${status}; to ${transition} it must be ${statusesFor(transition).join(' or ')}. ${
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

/** What an attendee costs with everything they booked. */
const costOf = ({ price_minor, discount_minor, products }: AgreedPrice): number =>
  price_minor - discount_minor + totalOf(products);

/** What attendees cost together with what is booked for all of them. */
export const totalCost = (attendees: readonly AgreedPrice[], products: readonly BookedLine[]): number =>
  attendees.reduce((sum, attendee) => sum + costOf(attendee), totalOf(products));

export function updateTotal(registration: RegistrationState): void {
  const attendees = activeAttendees(registration);
  registration.total_minor = totalCost(attendees, registration.products);
  registration.discount_minor = discountOf(registration.products);
  for (const { discount_minor, products } of attendees) {
    registration.discount_minor += discount_minor + discountOf(products);
  }
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
  if (!isPossible('reopen', registration.status) || outstanding(registration) <= 0) return;
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

/** Takes (1) or frees (-1) everything that the registration takes with its active attendees. */
export function changePlaces(context: StatusContext, registration: RegistrationState, sign: 1 | -1): void {
  context.places.take(needsOfRegistration(context.world, registration), registration.test, sign);
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
