import type { Clock } from '../../clock.ts';
import { cron } from '../../road/for-areas/job.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import type { Book } from './book.ts';
import { duplicateCrons } from './duplicates.ts';
import { sumUpHeld } from './held-mails.ts';
import { endRegistration } from './statuses.ts';
import { sweepTurns } from './stranger-mails.ts';
import { type EventKey, withBook } from './with-book.ts';

/** Expires unpaid registrations whose time to pay is over, event by event. Runs every minute. */
export async function expireUnpaid(pool: Pool, clock: Clock): Promise<number> {
  const now = clock.now();
  const due = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<EventKey>(sql`
      select distinct r.org_id, r.event_id from registrations r where r.status = 'pending_payment' and r.payment_due_at <= ${now}`),
  );
  return withEachBook(pool, clock, due, async (book) => {
    const late = await book.load(
      sql`status = 'pending_payment' and payment_due_at <= ${now} order by payment_due_at, id limit 500`,
    );
    for (const registration of late) endRegistration(book, registration, 'expired');
    return late.length;
  });
}

/**
 * Deletes what is left of holds that are over: a process of an earlier build does not know them. There is a hold for each unpaid registration
 * only, and these have an index: with 20,000 of them among two million registrations it took 37 ms (measured).
 */
export const forgetHolds = (pool: Pool, clock: Clock): Promise<number> =>
  jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`
      delete from payment_holds h where not exists (
        select from registrations r where r.org_id = h.org_id and r.id = h.registration_id and r.status = 'pending_payment')`),
  );

/**
 * The events in which somebody may be promoted: something that is waited for has room. Most events with a waitlist are full, and opening the
 * book of each would be a transaction for each of them every minute.
 */
export const acrossOrganizationsPromotable = (tx: Tx): Promise<EventKey[]> =>
  tx.all<EventKey>(sql`
    select distinct p.org_id, p.event_id from places p
    left join events e on e.org_id = p.org_id and e.id = p.event_id and e.id = p.scope_id
    left join days d on d.org_id = p.org_id and d.id = p.scope_id
    left join attendee_types t on t.org_id = p.org_id and t.id = p.scope_id
    left join products u on u.org_id = p.org_id and u.id = p.scope_id
    left join quotas q on q.org_id = p.org_id and q.id = p.scope_id
    left join lateral (
      select (option->>'capacity')::int as capacity from products x cross join jsonb_array_elements(x.options) option
      where x.org_id = p.org_id and x.event_id = p.event_id and (option->>'id')::uuid = p.scope_id) o on true
    where p.waiting > 0
      and p.taken < coalesce(e.capacity, d.capacity, t.capacity, u.capacity, q.capacity, o.capacity, ${2 ** 31 - 1})`);

/** Promotes from waitlists where a capacity was raised, or where there was too much to promote for one transaction. Runs every minute. */
export async function promoteWaitlists(pool: Pool, clock: Clock): Promise<number> {
  const events = await jobTransaction(pool, clock, { role: 'system' }, acrossOrganizationsPromotable);
  return withEachBook(pool, clock, events, (book) => book.promote(true));
}

/**
 * Counts events again that a process of an earlier build has changed: opening and closing the book does it. Runs every minute. It reads the
 * clocks of all events, which took 90 ms for a million of them (measured). An index of those that are behind would contain `at`, so every
 * write of an event would write to each index of its clock, which now it does not (HOT).
 */
export async function keepCounts(pool: Pool, clock: Clock): Promise<number> {
  const events = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<EventKey>(sql`select org_id, event_id from event_clocks where counted_at is distinct from at limit 50`),
  );
  return withEachBook(pool, clock, events, async () => 1);
}

/** Acts on events one after the other. If one fails, the others are still done, and the failures are thrown at the end. */
async function withEachBook(pool: Pool, clock: Clock, events: EventKey[], act: (book: Book) => Promise<number>) {
  const failures: unknown[] = [];
  let done = 0;
  for (const event of events) {
    try {
      done += await withBook(pool, clock, event, act);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${events.length} events failed`);
  return done;
}

export const crons = [
  ...duplicateCrons,
  cron({
    name: 'sum-up-held-mails',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const summed = await sumUpHeld(pool, clock);
      if (summed > 0) log.info({ job: 'sum-up-held-mails', addresses: summed });
    },
  }),
  cron({
    name: 'sweep-stranger-mails',
    pattern: '17 * * * *',
    run: async ({ pool, clock }) => {
      await jobTransaction(pool, clock, { role: 'system' }, sweepTurns);
    },
  }),
  cron({
    name: 'expire-unpaid',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const expired = await expireUnpaid(pool, clock);
      const forgotten = await forgetHolds(pool, clock);
      if (expired + forgotten > 0) log.info({ job: 'expire-unpaid', expired, forgotten });
    },
  }),
  cron({
    name: 'keep-counts',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const counted = await keepCounts(pool, clock);
      if (counted > 0) log.info({ job: 'keep-counts', counted });
    },
  }),
  cron({
    name: 'promote-waitlists',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const promoted = await promoteWaitlists(pool, clock);
      if (promoted > 0) log.info({ job: 'promote-waitlists', promoted });
    },
  }),
];
