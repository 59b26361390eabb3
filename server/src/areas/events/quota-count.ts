import { HOLDING_PLACES } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * What the shared limits `q` of an event count, told apart by test: each person of one of its types who comes on one of its days, unless
 * it names neither, and each unit of its products. The book counts the same for one registration (`needsOf`); here it is counted anew,
 * for a limit that is new or counts something else than before, and by `turnout doctor`.
 */
export const QUOTA_TAKEN = (quota: Sql): Sql => sql`
  select q.org_id, q.event_id, q.id as scope_id, a.test, count(*) as taken
  from quotas q join attendees a on a.org_id = q.org_id and a.event_id = q.event_id
  where ${quota} and a.status = any(${HOLDING_PLACES}) and num_nonnulls(q.attendee_type_ids, q.day_ids) > 0
    and (q.attendee_type_ids is null or a.attendee_type_id = any(q.attendee_type_ids))
    and (q.day_ids is null or a.day_ids && q.day_ids)
  group by 1, 2, 3, 4
  union all
  select q.org_id, q.event_id, q.id, b.test, sum((line->>'quantity')::int)
  from quotas q join lateral (${BOOKED(sql`q.org_id`, sql`q.event_id`)}) b on true
    cross join lateral jsonb_array_elements(b.products) line
  where ${quota} and (line->>'product_id')::uuid = any(q.product_ids)
  group by 1, 2, 3, 4`;

/** Everything that is booked in an event by those who hold places, of people and of whole registrations. */
const BOOKED = (org: Sql, event: Sql): Sql => sql`
  select a.test, a.products from attendees a
  where a.org_id = ${org} and a.event_id = ${event} and a.status = any(${HOLDING_PLACES}) and a.products <> '[]'
  union all
  select r.test, r.products from registrations r
  where r.org_id = ${org} and r.event_id = ${event} and r.status = any(${HOLDING_PLACES}) and r.products <> '[]'`;

/** Counts a shared limit anew. The caller holds the event's clock, so nobody takes or frees a place meanwhile. */
export async function countQuota(tx: Tx, org: Id, event: Id, quota: Id): Promise<void> {
  await tx.run(sql`update places set taken = 0 where org_id = ${org} and event_id = ${event} and scope_id = ${quota}`);
  await tx.run(sql`
    insert into places (org_id, event_id, scope_id, test, taken, waiting)
    select t.org_id, t.event_id, t.scope_id, t.test, sum(t.taken), 0
    from (${QUOTA_TAKEN(sql`q.org_id = ${org} and q.event_id = ${event} and q.id = ${quota}`)}) t group by 1, 2, 3, 4
    on conflict (org_id, event_id, scope_id, test) do update set taken = excluded.taken`);
}

export const forgetQuota = (tx: Tx, org: Id, event: Id, quota: Id): Promise<number> =>
  tx.run(sql`delete from places where org_id = ${org} and event_id = ${event} and scope_id = ${quota}`);
