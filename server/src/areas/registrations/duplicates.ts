import { MINUTE } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import type { PaymentProvider } from '../../outside/payments.ts';
import { cron, type JobParts } from '../../road/for-areas/job.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { type DuplicateFate, mailAboutDuplicate } from './duplicate-mails.ts';
import { applyRefundTotal, loadPayments } from './payments.ts';
import type { PaymentState, RegistrationState } from './state.ts';
import { auditBySystem, type EventKey, withBook } from './with-book.ts';

/*
 * Somebody has paid on two pages for the same. The second payment is recorded like any other, and noted here in the same transaction. A job
 * asks the provider to refund it, while no transaction is open, and records the refund in a second one.
 *
 *   noted       the provider is asked from now on
 *   refused     it is asked again later, at most as often as WAITS says; then the owners are told to do it themselves
 *   refunded    the refund is recorded; owners and payer are told
 *
 * If the process dies after the provider has refunded, the same key asks for the same refund again, and its total is compared with what
 * is recorded: nothing is refunded or counted twice. Other credits, such as cash beside an online payment, are the organizer's decision.
 */

/** How long to wait after each attempt that failed, in minutes. */
const WAITS = [1, 5, 30, 120, 360, 720, 1440] as const;

/**
 * Whether another online payment has covered already what this one is for. `registration` is as it was before this payment, and nothing
 * was due then.
 */
export async function isDuplicate(
  { tx, org }: Book,
  registration: RegistrationState,
  { provider, reference, amount_minor }: { provider: string; reference: string; amount_minor: number },
): Promise<boolean> {
  if (registration.paid_minor < registration.total_minor) return false;
  const others = await loadPayments(
    tx,
    org,
    sql`registration_id = ${registration.id} and provider = ${provider} and provider_reference <> ${reference} and status = 'received'`,
  );
  return others.some((one) => one.amount_minor - one.refunded_minor - one.charged_back_minor >= amount_minor);
}

export function noteDuplicate({ tx, org, now, world }: Book, { id }: PaymentState): void {
  tx.send(sql`
    insert into duplicate_payments (org_id, payment_id, event_id, noted_at, next_attempt_at)
    values (${org}, ${id}, ${world.event.id}, ${now}, ${now})`);
}

/** Whether a second payment for a registration is about to be refunded. */
export const isRefunding = async (tx: Tx, org: Id, registration: Id): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from payments p join duplicate_payments d on d.org_id = p.org_id and d.payment_id = p.id
    where p.org_id = ${org} and p.registration_id = ${registration} and d.next_attempt_at is not null`)) !== null;

interface Duplicate extends EventKey {
  payment_id: Id;
  registration_id: Id;
  provider_reference: string;
  currency: string;
  attempts: number;
  /** Whether something of it is left to refund. */
  left: boolean;
}

/** Refunds the second payments that are due, organizations taking turns. Runs every minute. */
export async function refundDuplicates({
  pool,
  clock,
  log,
  outside,
}: Pick<JobParts, 'pool' | 'clock' | 'log'> & { outside: Pick<JobParts['outside'], 'payments'> }): Promise<number> {
  const provider = outside.payments;
  if (provider === null) return 0;
  const due = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<Duplicate>(sql`
      select d.org_id, d.event_id, d.payment_id, d.attempts, p.registration_id, p.provider_reference, p.currency,
        p.status = 'received' as left
      from (select *, row_number() over (partition by org_id order by next_attempt_at) as turn from duplicate_payments
        where next_attempt_at <= ${clock.now()}) d
      join payments p on p.org_id = d.org_id and p.id = d.payment_id
      where p.provider = ${provider.name} order by d.turn, d.next_attempt_at limit 50`),
  );
  let refunded = 0;
  for (const one of due) {
    const settle = (fate: DuplicateFate | 'known', total: number | null) =>
      withBook(pool, clock, one, (book) => settleDuplicate(book, one, fate, total));
    // Somebody was faster.
    if (!one.left) await settle('known', null);
    else {
      const total = await askRefund(provider, one).catch((error: Error) => {
        log.warn({ job: 'refund-duplicates', payment: toUlid(one.payment_id), err: error }, 'the refund was refused');
        return null;
      });
      if (total !== null) {
        await settle('refunded', total);
        refunded += 1;
      } else if (one.attempts < WAITS.length) {
        await jobTransaction(pool, clock, { role: 'app', org: one.org_id }, (tx) =>
          tx.run(sql`
            update duplicate_payments set attempts = attempts + 1,
              next_attempt_at = ${new Date(clock.now().getTime() + WAITS[one.attempts]! * MINUTE)}
            where org_id = ${one.org_id} and payment_id = ${one.payment_id} and next_attempt_at is not null`),
        );
      } else await settle('stuck', null);
    }
  }
  return refunded;
}

/** Everything that is left of the payment. The key belongs to the payment, so that asking again refunds nothing more. */
async function askRefund(provider: PaymentProvider, one: Duplicate): Promise<number> {
  const { provider_reference: reference, currency, payment_id } = one;
  const idempotencyKey = `duplicate ${toUlid(payment_id)}`;
  return (await provider.refund({ reference, currency, reason: 'duplicate', idempotencyKey })).refunded_minor;
}

async function settleDuplicate(
  book: Book,
  { payment_id, registration_id }: Duplicate,
  fate: DuplicateFate | 'known',
  total: number | null,
): Promise<void> {
  const { tx, org } = book;
  // Under the event clock: of two workers only one goes on.
  const first = await tx.run(sql`
    update duplicate_payments set next_attempt_at = null
    where org_id = ${org} and payment_id = ${payment_id} and next_attempt_at is not null`);
  if (first === 0 || fate === 'known') return;
  const registration = await book.loadOne(registration_id);
  const [payment] = await loadPayments(tx, org, sql`id = ${payment_id}`);
  if (total !== null) applyRefundTotal(book, registration, payment!, total);
  const { amount_minor, currency } = payment!;
  auditBySystem(book, registration, [payment!], {
    name: 'refund-duplicates',
    action: `payment.duplicate_${fate}`,
    details: { amount_minor, currency },
  });
  await mailAboutDuplicate(book, registration, payment!, fate);
}

export const duplicateCrons = [
  cron({
    name: 'refund-duplicates',
    pattern: '* * * * *',
    run: async (parts) => {
      const refunded = await refundDuplicates(parts);
      if (refunded > 0) parts.log.info({ job: 'refund-duplicates', refunded });
    },
  }),
];
