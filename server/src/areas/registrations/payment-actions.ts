import type { Payment, PaymentCreate, PaymentRefund } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import { change } from './change.ts';
import { applyRefundOptions, applyRefundTotal, loadPayments, receive, refund } from './payments.ts';
import { asPart, type PaymentRef, type RegistrationRef } from './references.ts';
import { paymentShape } from './shapes.ts';

export async function recordPayment(work: Work, found: RegistrationRef, body: PaymentCreate): Promise<Payment> {
  const { registration, result } = await change(work, 'registration', asPart(found), (book, state) =>
    receive(book, state, body),
  );
  return paymentShape(found.event_id, registration.test, result);
}

/** `online` is what the provider has refunded in total; it was asked before the transaction. Null if no provider took the payment. */
export async function refundPayment(
  work: Work,
  found: PaymentRef,
  body: PaymentRefund,
  online: { refunded_minor: number } | null,
): Promise<Payment> {
  const { registration, result } = await change(work, 'registration', found, async (book, state) => {
    const payment = (await loadPayments(work.tx, work.org, sql`id = ${found.id}`))[0] ?? refuse('not_found');
    if (online === null) refund(book, state, payment, body);
    else applyRefundTotal(book, state, payment, online.refunded_minor);
    // The provider's webhook may have recorded the refund first. What the caller asked for besides the money is still to be done.
    applyRefundOptions(book, state, body);
    return payment;
  });
  return paymentShape(found.event_id, registration.test, result);
}
