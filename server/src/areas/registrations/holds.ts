import { HOUR, MINUTE } from '../../clock.ts';
import { iso } from '../../store/stamps.ts';
import type { EventRow } from '../events/index.ts';
import { type PaymentHold, type RegistrationState, touch } from './state.ts';

/*
 * How long an unpaid registration holds its places. Whoever only fills in the form takes places from others, so at first it holds them
 * for a short time. `payment_due_at` is when they are released.
 *
 *   what happens                      held until
 *   --------------------------------  -------------------------------------------------------------------------------------
 *   registered by the API, approved,  `payment_hours` from then
 *   promoted, reopened
 *   registered with the form          `checkout_minutes` from then if it can be paid online, else `confirm_hours`;
 *                                     never longer than `payment_hours`
 *   the address is proven             `payment_hours` from the registration. It is proven by the button behind the link in the
 *                                     mail, or by a payment that does not cover everything
 *   the payment page is opened        five minutes after the page ends, if that is later; at most twice
 *   a payment is under way            the provider reports what became of it: bank debits take days
 *   that payment fails                the deadline before, but at least `confirm_hours` from the report
 *   paid in full, cancelled, expired  nothing is left to hold: the row is deleted
 */

const NO_HOLD: PaymentHold = { network: null, unproven: false, extensions: 0, session: null, due_before: null };

/** A payment in the last moment of its page is reported this long after at the latest. */
export const REPORTED_WITHIN = 5 * MINUTE;
const MAX_EXTENSIONS = 2;

/** Where a form came from, and what can be done with what it registers. */
export interface FormVisit {
  network: string;
  /** Whether a payment provider is set up. */
  online: boolean;
}

interface HoldContext {
  world: { event: Pick<EventRow, 'registration'> };
  now: Date;
}

const after = (at: Date | string, ms: number): Date => new Date(new Date(at).getTime() + ms);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

/** The short hold of a registration that has just come from the form. It has its deadline of `payment_hours` already. */
export function holdForForm(
  { world, now }: HoldContext,
  registration: RegistrationState,
  { network, online }: FormVisit,
): void {
  const { checkout_minutes, confirm_hours } = world.event.registration;
  const short = after(now, online && !registration.test ? checkout_minutes * MINUTE : confirm_hours * HOUR);
  if (short < new Date(registration.payment_due_at!)) registration.payment_due_at = iso(short);
  registration.hold = { ...NO_HOLD, network, unproven: true };
}

/** Until when the places are held once the address is proven. */
const provenUntil = (
  { registration: { payment_hours } }: Pick<EventRow, 'registration'>,
  of: RegistrationState,
): Date => after(of.created_at, payment_hours * HOUR);

/** Until when proving the address would hold the places. Null if that is no longer than now. */
export function keptUntil(event: Pick<EventRow, 'registration'>, registration: RegistrationState): string | null {
  const { hold, payment_due_at: due, status } = registration;
  if (status !== 'pending_payment' || hold?.unproven !== true || due === null) return null;
  const until = provenUntil(event, registration);
  return until > new Date(due) ? iso(until) : null;
}

/** The registrant has shown that they read the mails to their address, or has paid a part. */
export function prove({ world }: Pick<HoldContext, 'world'>, registration: RegistrationState): void {
  const { hold, payment_due_at: due } = registration;
  if (hold?.unproven !== true) return;
  hold.unproven = false;
  const until = provenUntil(world.event, registration);
  if (due !== null) registration.payment_due_at = iso(later(until, new Date(due)));
  else if (hold.due_before !== null) hold.due_before = iso(later(until, new Date(hold.due_before)));
  touch(registration);
}

/** When a payment page must end at the latest, so that what is paid on it is reported before the places are released. */
export const pageEnd = ({ payment_due_at: due }: RegistrationState): Date | null =>
  due === null ? null : after(due, -REPORTED_WITHIN);

/**
 * Holds the places until the payment page has ended and its payment was reported. False if they were held longer twice already; then
 * nobody must get the page, because they could pay for places that others have by then.
 */
export function holdBeyond(registration: RegistrationState, page: { reference: string; expires_at: Date }): boolean {
  const { payment_due_at: due } = registration;
  const until = after(page.expires_at, REPORTED_WITHIN);
  const hold = registration.hold ?? { ...NO_HOLD };
  if (due === null || new Date(due) >= until) {
    setPage(registration, page.reference);
    return true;
  }
  if (hold.extensions >= MAX_EXTENSIONS) return false;
  registration.hold = { ...hold, extensions: hold.extensions + 1, session: page.reference };
  registration.payment_due_at = iso(until);
  touch(registration);
  return true;
}

/** Remembers the payment page that was opened last, so that only one can be paid at a time. */
function setPage(registration: RegistrationState, session: string | null): void {
  if ((registration.hold?.session ?? null) === session) return;
  registration.hold = { ...(registration.hold ?? NO_HOLD), session };
  registration.pageChanged = true;
}

/** The provider has reported what became of this page. What is still to be paid needs another one. */
export function closePage(registration: RegistrationState, session: string): void {
  if (registration.hold?.session === session) setPage(registration, null);
}

/** Whether the provider has a payment for it of which it does not know yet whether it succeeds. */
export const isUnderWay = ({ status, payment_due_at }: RegistrationState): boolean =>
  status === 'pending_payment' && payment_due_at === null;

/** The payment page was completed, and the money comes later or never. */
export function holdForReport(registration: RegistrationState): boolean {
  if (registration.status !== 'pending_payment' || registration.payment_due_at === null) return false;
  registration.hold = { ...(registration.hold ?? NO_HOLD), due_before: registration.payment_due_at };
  registration.payment_due_at = null;
  touch(registration);
  return true;
}

/**
 * The provider has reported what became of a payment that was under way, and something is still to be paid: the registrant gets a new
 * deadline. False if the places were not held for the report.
 */
export function resumeDeadline({ world, now }: HoldContext, registration: RegistrationState): boolean {
  if (!isUnderWay(registration)) return false;
  const hold = registration.hold ?? NO_HOLD;
  const least = after(now, world.event.registration.confirm_hours * HOUR);
  registration.payment_due_at = iso(hold.due_before === null ? least : later(new Date(hold.due_before), least));
  registration.hold = { ...hold, due_before: null };
  registration.reopened = true;
  touch(registration);
  return true;
}
