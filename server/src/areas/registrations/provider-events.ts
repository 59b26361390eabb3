import { isPossible } from '@turnout/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { ProviderEvent } from '../../outside/payments.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { isDuplicate, noteDuplicate } from './duplicates.ts';
import { closePage, holdForReport, resumeDeadline } from './holds.ts';
import { addPayment, applyChargebackTotal, applyRefundTotal, loadPayments } from './payments.ts';
import type { PaymentState, RegistrationState } from './state.ts';
import { auditBySystem, withBook } from './with-book.ts';

/** `later`: the report is about a payment that is not known yet, so the provider should send it again. */
export type Outcome = 'recorded' | 'known' | 'not ours' | 'later';

interface Parts {
  pool: Pool;
  clock: Clock;
  log: Logger;
}
type PaymentEvent = Exclude<ProviderEvent, { kind: 'attention' | 'other' }>;

/**
 * Records what a payment provider reports, in the name of the system. The event clock is held from the first read on, so an event
 * that is reported twice, even at the same time, finds what the first report wrote and changes nothing. A unique index would
 * refuse a second payment as well.
 *
 *   reported      recognized by               then
 *   ------------  --------------------------  -------------------------------------------------------------------------
 *   paid          the payment's reference     a payment is received; paying in full confirms. A registration that has ended
 *                                             (expired, cancelled, declined) or waits keeps its status, and the payment can
 *                                             be refunded. A second payment for what another page has covered is
 *                                             refunded by a job (duplicates.ts)
 *   under_way     the registration's hold     its places are held until the payment is reported as paid or failed
 *   failed        the attempt's reference     a failed payment is recorded. If it had been under way, its places get a deadline again
 *   refunded      the total refunded          the payment follows that total; the registration keeps its status
 *   charged_back  the total charged back      the payment follows that total. A confirmed registration that is no longer paid in
 *                                             full has to be paid again; if the dispute is won, it counts as paid
 *
 * No money is lost without a trace: what cannot be recorded as a payment (another currency) gets a row in the audit log.
 */
export async function takeProviderEvent(parts: Parts, provider: string, report: ProviderEvent): Promise<Outcome> {
  const { log } = parts;
  if (report.kind === 'other') return 'not ours';
  if (report.kind === 'attention') {
    log.error({ provider, says: report.says }, 'the payment provider reports a problem');
    return 'known';
  }
  if (!(await isKnown(parts, report))) {
    // Another installation may use the same account at the provider, and the registration may be there.
    log.warn({ provider, ...report }, 'no such registration here');
    return 'not ours';
  }
  return withBook(parts.pool, parts.clock, { org_id: report.org, event_id: report.event }, async (book) => {
    const registration = await book.loadOne(report.registration);
    const which = sql`provider = ${provider} and provider_reference = ${report.reference}`;
    const [payment] = await loadPayments(book.tx, book.org, which);
    const target: Target = { log, book, registration, provider };
    if (report.kind === 'under_way') return payment === undefined ? recordUnderWay(target, report) : 'known';
    if (report.kind === 'paid' || report.kind === 'failed') {
      const outcome = payment === undefined ? await recordPayment(target, report) : 'known';
      if (report.checkout !== null) closePage(registration, report.checkout);
      // A card that is declined on another page of the registration says nothing about the payment that is under way.
      return report.delayed && resumeDeadline(book, registration) ? 'recorded' : outcome;
    }
    if (payment === undefined) return 'later';
    return report.kind === 'refunded'
      ? recordRefund(target, payment, report)
      : recordChargeback(target, payment, report);
  });
}

interface Target {
  log: Logger;
  book: Book;
  registration: RegistrationState;
  provider: string;
}
type Of<Kind> = Extract<PaymentEvent, { kind: Kind }>;

function recordRefund(target: Target, payment: PaymentState, report: Of<'refunded'>): Outcome {
  const before = payment.refunded_minor;
  if (applyRefundTotal(target.book, target.registration, payment, report.refunded_minor) === null) return 'known';
  const { refunded_minor, currency } = payment;
  note(target, 'payment.refunded', { refunded_minor, amount_minor: refunded_minor - before, currency });
  return 'recorded';
}

function recordChargeback(target: Target, payment: PaymentState, report: Of<'charged_back'>): Outcome {
  const { log, book, registration, provider } = target;
  if (applyChargebackTotal(book, registration, payment, report.charged_back_minor) === null) return 'known';
  const { charged_back_minor } = payment;
  note(target, 'payment.charged_back', { charged_back_minor });
  if (charged_back_minor > 0) {
    log.warn({ provider, ...report }, 'the payer disputes the payment; answer the dispute at the provider');
  }
  return 'recorded';
}

function recordUnderWay(target: Target, { reference }: Of<'under_way'>): Outcome {
  if (!holdForReport(target.registration)) return 'known';
  note(target, 'payment.under_way', { reference });
  return 'recorded';
}

async function recordPayment(target: Target, report: Of<'paid' | 'failed'>): Promise<Outcome> {
  const { log, book, registration, provider } = target;
  const { kind, reference, amount_minor, currency } = report;
  if (currency !== registration.currency || amount_minor <= 0) {
    log.error(
      { provider, ...report },
      `the payment was not recorded: its amount or currency does not fit the registration, which is in ${registration.currency}`,
    );
    note(target, 'payment.not_booked', { reference, amount_minor, currency });
    return 'recorded';
  }
  const isSecond = kind === 'paid' && (await isDuplicate(book, registration, { provider, reference, amount_minor }));
  const payment = addPayment(book, registration, {
    amount_minor,
    method: 'online',
    reference,
    status: kind === 'failed' ? 'failed' : 'received',
    provider,
    provider_reference: reference,
  });
  const { status, code } = registration;
  note(target, 'payment.recorded', { reference, amount_minor, registration: status });
  if (isSecond) {
    noteDuplicate(book, payment);
    note(target, 'payment.duplicate', { reference, amount_minor, currency });
    return 'recorded';
  }
  if (kind === 'paid' && !isPossible('pay', status)) {
    log.warn(
      { provider, reference, amount_minor, currency, registration: code, status },
      `the payment was recorded, but the registration stays ${status}; refund it`,
    );
  }
  return 'recorded';
}

/** The ids come from metadata that Turnout gave the provider. They are looked up all the same, so that nothing is trusted unseen. */
const isKnown = ({ pool, clock }: Parts, { org, event, registration }: PaymentEvent): Promise<boolean> =>
  transaction(
    pool,
    clock,
    { role: 'app', org },
    async (tx) =>
      (await tx.maybe(sql`
        select 1 from registrations where org_id = ${org} and event_id = ${event} and id = ${registration} and not test`)) !==
      null,
    { readOnly: true },
  );

/** Writes a row of the audit log in the provider's name. */
const note = ({ book, registration, provider }: Target, action: string, details: object): void =>
  auditBySystem(book, registration, book.paymentsOf(registration), { name: provider, action, details });
