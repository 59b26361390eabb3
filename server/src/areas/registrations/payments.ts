import { isPossible, MAX_SUM, type PaymentCreate, type PaymentRefund } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { invalid, refuse } from '../../common/refusal.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { prove } from './holds.ts';
import { type PaymentState, type RegistrationState, touch } from './state.ts';
import { cancelRegistration, confirm, outstanding, reopen, requireStatus } from './statuses.ts';

/*
 * A payment's amount never changes; what was refunded, charged back or failed is counted beside it. Paying in full confirms a
 * registration. A refund leaves its status as it is, unless the caller asks for more.
 */

export async function loadPayments(tx: Tx, org: Id, which: Sql): Promise<PaymentState[]> {
  const rows = await tx.all<Omit<PaymentState, 'fresh'>>(sql`
    select id, registration_id, amount_minor, refunded_minor, charged_back_minor, currency, method, reference, status, test, provider, provider_reference,
      created_at, updated_at from payments p where org_id = ${org} and ${which}`);
  return rows.map((row) => ({ ...row, fresh: false }));
}

export interface Incoming extends Omit<PaymentCreate, 'method'> {
  method: PaymentState['method'];
  provider?: string;
  provider_reference?: string;
}

export function receive(book: Book, registration: RegistrationState, incoming: Incoming): PaymentState {
  requireStatus(registration, 'pay');
  if (incoming.currency !== undefined && incoming.currency !== registration.currency) {
    invalid({ path: 'currency', message: `must be ${registration.currency}, the currency of the registration` });
  }
  if (registration.paid_minor + incoming.amount_minor > MAX_SUM) {
    invalid({
      path: 'amount_minor',
      message: `must be at most ${MAX_SUM - registration.paid_minor}: ${registration.paid_minor} is paid already, and a registration can take ${MAX_SUM}`,
    });
  }
  return addPayment(book, registration, incoming);
}

/** Adds a payment without checking the status: money that a provider has taken is recorded, whatever became of the registration. */
export function addPayment(book: Book, registration: RegistrationState, incoming: Incoming): PaymentState {
  const failed = incoming.status === 'failed';
  const payment: PaymentState = {
    id: newId(book.now),
    registration_id: registration.id,
    amount_minor: incoming.amount_minor,
    refunded_minor: 0,
    charged_back_minor: 0,
    currency: registration.currency,
    method: incoming.method,
    reference: incoming.reference ?? null,
    status: failed ? 'failed' : 'received',
    test: registration.test,
    provider: incoming.provider ?? null,
    provider_reference: incoming.provider_reference ?? null,
    created_at: book.stamp,
    updated_at: book.stamp,
    fresh: true,
  };
  book.savePayment(payment, registration.test);
  touch(registration);
  registration.happened.push({ type: failed ? 'payment.failed' : 'payment.received', payment });
  if (!failed) {
    registration.paid_minor += payment.amount_minor;
    confirmIfPaid(book, registration);
    prove(book, registration);
  }
  return payment;
}

/** Confirms a registration that waits for payment once nothing is left to pay, for whatever reason. */
export function confirmIfPaid(book: Book, registration: RegistrationState): void {
  if (registration.status === 'pending_payment' && outstanding(registration) <= 0) confirm(book, registration);
}

export function refund(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  body: PaymentRefund,
): PaymentState {
  const left = refundable(payment);
  if (payment.status === 'failed')
    refuse('invalid_state', { message: 'The payment failed, so there is nothing to refund.' });
  if (left === 0) refuse('invalid_state', { message: 'The payment was refunded already.' });
  const amount = body.amount_minor ?? left;
  if (amount > left)
    invalid({ path: 'amount_minor', message: `must be at most ${left}: that much of the payment is left to refund` });
  return recordRefund(book, registration, payment, amount);
}

/** How much of a payment can still be refunded or charged back. */
const refundable = (payment: PaymentState): number =>
  payment.status === 'failed' && payment.charged_back_minor === 0
    ? 0
    : payment.amount_minor - payment.refunded_minor - payment.charged_back_minor;

/**
 * Reopens or cancels the registration, if the caller asked for it with the refund. The money is on its way already, so nothing is
 * refused: a registration that has ended stays as it is, and one that is still fully paid is not reopened.
 */
export function applyRefundOptions(book: Book, registration: RegistrationState, body: PaymentRefund): void {
  if (body.reopen === true) reopen(book, registration);
  if (body.cancel === true && isPossible('cancel', registration.status))
    cancelRegistration(book, registration, body.reason);
}

/**
 * Brings a payment in line with what the provider has refunded in total. Because the total is compared, a refund is never counted
 * twice, whoever asked for it and however often the provider reports it. Null if the total is known already.
 */
export function applyRefundTotal(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  total: number,
): PaymentState | null {
  const more = Math.min(total - payment.refunded_minor, refundable(payment));
  return more <= 0 ? null : recordRefund(book, registration, payment, more);
}

/**
 * Brings a payment in line with what the payer's bank has charged back in total, as for refunds. If all of it is charged back, the
 * payment has failed. A larger total reopens the registration; a smaller one (the dispute was won) counts as paid again. Null if
 * the total is known already.
 */
export function applyChargebackTotal(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  total: number,
): PaymentState | null {
  const { amount_minor, refunded_minor, charged_back_minor: known } = payment;
  if (payment.status === 'failed' && known === 0) return null;
  const is = Math.min(total, amount_minor - refunded_minor);
  if (is === known) return null;
  payment.charged_back_minor = is;
  if (refunded_minor < amount_minor) payment.status = is + refunded_minor === amount_minor ? 'failed' : 'received';
  registration.paid_minor += known - is;
  touch(registration);
  book.savePayment(payment, registration.test);
  registration.happened.push({ type: is > known ? 'payment.failed' : 'payment.received', payment });
  if (is > known) reopen(book, registration);
  else confirmIfPaid(book, registration);
  return payment;
}

function recordRefund(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  amount: number,
): PaymentState {
  payment.refunded_minor += amount;
  if (refundable(payment) === 0) payment.status = 'refunded';
  registration.paid_minor -= amount;
  touch(registration);
  book.savePayment(payment, registration.test);
  registration.happened.push({ type: 'payment.refunded', payment });
  return payment;
}
