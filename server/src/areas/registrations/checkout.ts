import type { Checkout, CheckoutCreate, PaymentRefund } from '@turnout/contract';
import { invalid, refuse } from '../../common/refusal.ts';
import type { PaymentProvider, StartedCheckout } from '../../outside/payments.ts';
import type { BeforeCall, Work } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { change } from './change.ts';
import { holdBeyond, pageEnd } from './holds.ts';
import { loadRegistrations } from './load.ts';
import { loadPayments } from './payments.ts';
import { asPart, type PaymentRef, type RegistrationRef, requireOwnMode } from './references.ts';
import type { RegistrationState } from './state.ts';
import { outstanding } from './statuses.ts';

/** A checkout that the provider has started. The provider is asked in `before` of the operation, never inside a transaction. */
export interface CheckoutOrder extends StartedCheckout {
  amount_minor: number;
  currency: string;
  /** The page that was opened before, as the provider calls it. It has ended, unless it is the same one. */
  before: string | null;
}

type At = { event: Reference<EventRow>; registration: Reference<RegistrationRef> };

/**
 * Asks the provider for a page on which the balance can be paid: the one that is open already, or a new one after the provider has ended
 * that. The hold keeps its name, so that only one page can be paid at a time. A page that is lost in a crash before the answer costs
 * nothing, because nobody has its address. If two are paid all the same, the second payment is refunded (duplicates.ts).
 */
export async function askCheckout(
  call: BeforeCall<At, unknown, CheckoutCreate>,
): Promise<() => Promise<CheckoutOrder>> {
  const { at, body, org } = call;
  requireOwnMode(call, at.registration);
  for (const name of ['success_url', 'cancel_url'] as const) {
    if (!URL.canParse(body[name])) invalid({ path: name, message: 'must be a URL' });
  }
  const provider = call.outside.payments ?? refuse('invalid_state', { message: OFF });
  const registration =
    (await loadRegistrations(call.tx, org, sql`id = ${at.registration.id}`))[0] ?? refuse('not_found');
  if (registration.test) refuse('invalid_state', { message: TEST });
  requireUnpaid(registration);
  const { payment_due_at: due, hold } = registration;
  const before = hold?.session ?? null;
  if (due !== null && new Date(due) <= call.tx.clock.now()) {
    refuse('invalid_state', {
      message: 'The time to pay is over, and the registration is about to expire. Register again.',
    });
  }
  const owed = { amount_minor: outstanding(registration), currency: registration.currency };
  const input = {
    ...owed,
    org,
    event: at.event.id,
    registration: registration.id,
    title: at.event.name,
    text: registration.code,
    email: registration.contact.email,
    ...body,
    due: pageEnd(registration),
    open: before,
    idempotencyKey: call.retryKey,
  };
  return async () => ({ ...owed, ...(await provider.checkout(input)), before });
}

function requireUnpaid({ status }: RegistrationState): void {
  if (status === 'pending_payment') return;
  refuse('invalid_state', {
    message: `The registration is ${status}; only a registration that is pending_payment can be paid online.`,
  });
}

/**
 * Answers with the page, once the places are held until it has ended. The registration may have expired while the provider was asked, or
 * somebody else may have opened a page; then nobody gets this one, and it ends unpaid.
 */
export async function openCheckout(
  work: Work,
  found: RegistrationRef,
  { url, reference, amount_minor, currency, expires_at, before }: CheckoutOrder,
  requirePayer: (registration: RegistrationState, event: EventRow) => void = () => {},
): Promise<Checkout> {
  const details = { reference, amount_minor, currency };
  const recording: Work = {
    ...work,
    changed: (made) => work.changed({ ...made, details: { ...made.details, ...details } }),
  };
  await change(recording, 'registration', asPart(found), (book, registration) => {
    requirePayer(registration, book.world.event);
    requireUnpaid(registration);
    const open = registration.hold?.session ?? null;
    if (open !== before && open !== reference) refuse('invalid_state', { message: OPENED_TWICE });
    if (!holdBeyond(registration, { reference, expires_at })) refuse('invalid_state', { message: HELD_LONG_ENOUGH });
  });
  return { url, ...details, expires_at: expires_at.toISOString() };
}

/**
 * Money that came through a provider is refunded through it. The provider knows best how much is left: somebody may have refunded
 * there, and the retry of a refund whose answer was lost must succeed with that refund instead of "refunded already".
 */
export async function askRefund(
  call: BeforeCall<{ payment: Reference<PaymentRef> }, unknown, PaymentRefund>,
): Promise<() => Promise<{ refunded_minor: number } | null>> {
  const { at, body } = call;
  requireOwnMode(call, at.payment);
  if (body.reopen === true && body.cancel === true) {
    invalid({ path: 'cancel', message: 'cannot be combined with reopen: send one of them' });
  }
  const payment = (await loadPayments(call.tx, call.org, sql`id = ${at.payment.id}`))[0] ?? refuse('not_found');
  const { provider: name, provider_reference: reference, currency } = payment;
  if (name === null || reference === null || payment.status === 'failed') return async () => null;
  const provider = requireProvider(call.outside.payments, name);
  const { amount_minor, reason } = body;
  const input = {
    reference,
    currency,
    ...(amount_minor !== undefined && { amount_minor }),
    ...(reason !== undefined && { reason }),
    idempotencyKey: call.retryKey,
  };
  return () => provider.refund(input);
}

function requireProvider(provider: PaymentProvider | null, name: string): PaymentProvider {
  if (provider?.name === name) return provider;
  return refuse('invalid_state', {
    message: `The payment came through ${name}, which is not set up on this installation. Refund it at ${name}.`,
  });
}

const OPENED_TWICE =
  'Another payment page was opened at the same moment. Ask again, with another `Idempotency-Key`, to get that page.';
const HELD_LONG_ENOUGH =
  'The payment page was opened so often that the places cannot be held until another one ends. Pay on the page that is open, or register again.';
const OFF =
  'Online payment is not set up on this installation: its operator has to set STRIPE_SECRET_KEY. Payments made in other ways can be recorded.';
const TEST =
  'Test registrations cannot be paid online, because tests never reach the payment provider. Record a payment instead.';
