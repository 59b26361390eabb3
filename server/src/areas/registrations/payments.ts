import { MAX_SUM, type PaymentCreate, type PaymentRefund } from '@turnout/contract';
import { invalid, refuse } from '../../road/refusal.ts';
import { type Id, newId } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { type PaymentState, type RegistrationState, touch } from './state.ts';
import { balance, cancelWhole, confirm, reopen, requireStatus, TRANSITIONS } from './statuses.ts';

/**
 * Payments are counted, never edited: what came in, what went back, what failed. Paid in full confirms. What goes back leaves the
 * registration as it is, unless somebody asks for more.
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
    invalid({ path: 'currency', message: `the registration is in ${registration.currency}` });
  }
  if (registration.paid_minor + incoming.amount_minor > MAX_SUM) {
    invalid({
      path: 'amount_minor',
      message: `${registration.paid_minor} is paid already, and ${MAX_SUM} is the most`,
    });
  }
  return enter(book, registration, incoming);
}

/** Without asking whether it may be paid: what a provider has taken is there, whatever became of the registration. */
export function enter(book: Book, registration: RegistrationState, incoming: Incoming): PaymentState {
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
  book.pay(payment, registration.test);
  touch(registration);
  registration.happened.push({ type: failed ? 'payment.failed' : 'payment.received', payment });
  if (!failed) {
    registration.paid_minor += payment.amount_minor;
    covered(book, registration);
  }
  return payment;
}

/** A pending payment whose balance is gone is confirmed, whatever made it go. */
export function covered(book: Book, registration: RegistrationState): void {
  if (registration.status === 'pending_payment' && balance(registration) <= 0) confirm(book, registration);
}

export function refund(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  body: PaymentRefund,
): PaymentState {
  const left = leftOf(payment);
  if (payment.status === 'failed')
    refuse('invalid_state', { message: 'The payment failed; there is nothing to refund.' });
  if (left === 0) refuse('invalid_state', { message: 'The payment was refunded already.' });
  const amount = body.amount_minor ?? left;
  if (amount > left) invalid({ path: 'amount_minor', message: `only ${left} of it is left to refund` });
  return giveBack(book, registration, payment, amount);
}

/** What is still there of it. */
const leftOf = (payment: PaymentState): number =>
  payment.status === 'failed' && payment.charged_back_minor === 0
    ? 0
    : payment.amount_minor - payment.refunded_minor - payment.charged_back_minor;

/**
 * What a refund may be asked to do to the registration. Asked once the money is on its way, so it refuses nothing: a registration
 * that is over stays what it is, and one that is still covered has nothing to reopen.
 */
export function afterRefund(book: Book, registration: RegistrationState, body: PaymentRefund): void {
  const cancellable: readonly string[] = TRANSITIONS.cancel;
  if (body.reopen === true) reopen(book, registration);
  if (body.cancel === true && cancellable.includes(registration.status)) cancelWhole(book, registration, body.reason);
}

/**
 * What the provider has sent back so far, whoever asked for it and however often it is told: ours follows its total, so a
 * refund is never counted twice. Null where that is known already.
 */
export function refundedTo(
  book: Book,
  registration: RegistrationState,
  payment: PaymentState,
  total: number,
): PaymentState | null {
  const more = Math.min(total - payment.refunded_minor, leftOf(payment));
  return more <= 0 ? null : giveBack(book, registration, payment, more);
}

/**
 * What the payer's bank holds back so far: ours follows it, as with refunds. Taken back, the payment has failed and the
 * registration reopens; won back, it is there again. Null where that is known already.
 */
export function chargedBackTo(
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
  book.pay(payment, registration.test);
  registration.happened.push({ type: is > known ? 'payment.failed' : 'payment.received', payment });
  if (is > known) reopen(book, registration);
  else covered(book, registration);
  return payment;
}

function giveBack(book: Book, registration: RegistrationState, payment: PaymentState, amount: number): PaymentState {
  payment.refunded_minor += amount;
  if (leftOf(payment) === 0) payment.status = 'refunded';
  registration.paid_minor -= amount;
  touch(registration);
  book.pay(payment, registration.test);
  registration.happened.push({ type: 'payment.refunded', payment });
  return payment;
}
