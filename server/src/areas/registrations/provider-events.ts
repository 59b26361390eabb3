import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { ProviderEvent } from '../../outside/payments.ts';
import { writeAudit } from '../../road/record.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { inEvent } from './jobs.ts';
import { addPayment, applyChargebackTotal, applyRefundTotal, loadPayments } from './payments.ts';
import type { RegistrationState } from './state.ts';
import { TRANSITIONS } from './statuses.ts';

/** `later`: it is about something we have not heard of yet; the provider should tell it again. */
export type Outcome = 'recorded' | 'known' | 'not ours' | 'later';

interface Parts {
  pool: Pool;
  clock: Clock;
  log: Logger;
}
type PaymentEvent = Exclude<ProviderEvent, { kind: 'attention' | 'other' }>;

/**
 * What a payment provider tells, recorded as by the system. The event's clock is held from the first look on, so an event
 * told twice, or twice at once, finds what the first one wrote and changes nothing; the unique index stands behind it.
 *
 *   told        known by                    then
 *   ----------  --------------------------  ---------------------------------------------------------------------------
 *   paid        the payment's reference     received; paid in full confirms. A registration that is over (expired, cancelled,
 *                                           declined) or waits stays what it is: the payment is there to be refunded
 *   failed      the attempt's reference     a failed payment
 *   refunded    the total given back        ours follows it; the registration keeps its status
 *   charged     the total that the payer's  ours follows it: a confirmed registration that is not covered any more has to be paid
 *   back        bank holds back             again; won back, it is covered again
 *
 * Money is never dropped without a trace: what can't be booked (another currency) gets a row in the audit log.
 */
export async function takeProviderEvent(parts: Parts, provider: string, told: ProviderEvent): Promise<Outcome> {
  const { log } = parts;
  if (told.kind === 'other') return 'not ours';
  if (told.kind === 'attention') {
    log.error({ provider, says: told.says }, 'the payment provider reports');
    return 'known';
  }
  if (!(await isKnown(parts, told))) {
    // Another installation may use the same account: it will know.
    log.warn({ provider, ...told }, 'no such registration here');
    return 'not ours';
  }
  return inEvent(parts.pool, parts.clock, { org_id: told.org, event_id: told.event }, async (book) => {
    const registration = await book.loadOne(told.registration);
    const which = sql`provider = ${provider} and provider_reference = ${told.reference}`;
    const [payment] = await loadPayments(book.tx, book.org, which);
    if (told.kind === 'refunded') {
      if (payment === undefined) return 'later';
      const before = payment.refunded_minor;
      if (applyRefundTotal(book, registration, payment, told.refunded_minor) === null) return 'known';
      const { refunded_minor, currency } = payment;
      const amount_minor = refunded_minor - before;
      note(book, registration, provider, 'payment.refunded', { refunded_minor, amount_minor, currency });
      return 'recorded';
    }
    if (told.kind === 'charged_back') {
      if (payment === undefined) return 'later';
      if (applyChargebackTotal(book, registration, payment, told.charged_back_minor) === null) return 'known';
      const { charged_back_minor } = payment;
      note(book, registration, provider, 'payment.charged_back', { charged_back_minor });
      if (charged_back_minor > 0) log.warn({ provider, ...told }, 'the payer disputes it: answer at the provider');
      return 'recorded';
    }
    if (payment !== undefined) return 'known';
    const { reference, amount_minor, currency } = told;
    if (currency !== registration.currency || amount_minor <= 0) {
      log.error({ provider, ...told }, `not booked: the registration is in ${registration.currency}`);
      note(book, registration, provider, 'payment.not_booked', { reference, amount_minor, currency });
      return 'recorded';
    }
    addPayment(book, registration, {
      amount_minor,
      method: 'online',
      reference,
      status: told.kind === 'failed' ? 'failed' : 'received',
      provider,
      provider_reference: reference,
    });
    const { status, code } = registration;
    note(book, registration, provider, 'payment.recorded', { reference, amount_minor, registration: status });
    if (told.kind === 'paid' && !(TRANSITIONS.pay as readonly string[]).includes(status)) {
      log.warn({ provider, reference, amount_minor, currency, registration: code, status }, 'paid too late: refund it');
    }
    return 'recorded';
  });
}

/** The metadata is what we gave the provider; that it is of one registration of ours is looked up all the same. */
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

function note(book: Book, registration: RegistrationState, provider: string, action: string, details: object): void {
  writeAudit(book.tx, book.org, [
    {
      action,
      kind: 'registration',
      id: registration.id,
      event: book.world.event.id,
      group: registration.group_id,
      details: { ...details, code: registration.code },
      objects: book.paymentsOf(registration).map(({ id }) => ({ kind: 'payment', id })),
      caller: { actor: { kind: 'system', id: null, name: provider }, mode: 'live' },
      source: 'system',
      client: null,
      requestId: null,
    },
  ]);
}
