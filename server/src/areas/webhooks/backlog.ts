import type { Clock } from '../../clock.ts';
import { type Measures, seldom } from '../../road/measures.ts';
import type { Pool } from '../../store/pool.ts';
import { join, sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';

/** Deliveries are counted by how long they have been due, in seconds. */
const AGES = [0, 60, 600, 3600, 86_400];
/** Counting stops here, so that it takes no longer however many deliveries wait. */
const MAX_COUNTED_DELIVERIES = 100_000;

export interface Backlog {
  /** For how many seconds the oldest delivery has been due; 0 if nothing is due. */
  oldest: number;
  /** How many deliveries have been due for at least so many seconds. */
  longer: Record<string, number>;
}

/**
 * The first attempts and retries that are due and not sent yet. What waits for a paused endpoint is not due. The query uses the
 * queue's own index and takes one step for each endpoint in it, as in claim.ts. An index by time would make every delivery more
 * expensive.
 */
export async function backlog(tx: Tx, most = MAX_COUNTED_DELIVERIES): Promise<Backlog> {
  const now = tx.clock.now();
  const waited = (age: number) => sql`count(*) filter (where due_at <= ${new Date(now.getTime() - age * 1000)})::int`;
  const { oldest, counted } = await tx.one<{ oldest: number; counted: number[] }>(sql`
    with recursive waiting as (
      (select org_id, endpoint_id from webhook_queue order by org_id, endpoint_id limit 1)
      union all
      select n.org_id, n.endpoint_id from waiting w cross join lateral (
        select q.org_id, q.endpoint_id from webhook_queue q where (q.org_id, q.endpoint_id) > (w.org_id, w.endpoint_id)
        order by q.org_id, q.endpoint_id limit 1) n
    ), sent as materialized (
      select w.org_id, w.endpoint_id, r.retry from waiting w
      join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id and e.deleted_at is null and e.status not like 'paused%'
      cross join (values (false), (true)) r(retry)
    ), first as (
      select min(f.due_at) as due_at from sent s cross join lateral (
        select q.due_at from webhook_queue q where q.org_id = s.org_id and q.endpoint_id = s.endpoint_id and q.retry = s.retry
          and q.due_at <= ${now} order by q.due_at limit 1) f
    ), due as materialized (
      select d.due_at from sent s cross join lateral (
        select q.due_at from webhook_queue q where q.org_id = s.org_id and q.endpoint_id = s.endpoint_id and q.retry = s.retry
          and q.due_at <= ${now} order by q.due_at) d limit ${most}
    )
    select coalesce(extract(epoch from ${now}::timestamptz - (select due_at from first)), 0)::float8 as oldest,
      (select array[${join(AGES.map(waited), ', ')}] from due) as counted`);
  return { oldest, longer: Object.fromEntries(AGES.map((age, i) => [String(age), counted[i]!])) };
}

export function watchBacklog(measures: Measures, pool: Pool, clock: Clock): void {
  const ask = seldom(() => jobTransaction(pool, clock, { role: 'system' }, (tx) => backlog(tx), { readOnly: true }));
  measures.watch(
    'turnout_webhook_oldest_due_seconds',
    'For how many seconds the oldest due webhook delivery has waited; 0 if none is due.',
    async () => (await ask())?.oldest ?? Number.NaN,
  );
  measures.watchEach(
    'turnout_webhook_deliveries_due',
    `Webhook deliveries that have been due for at least this many seconds and are not sent yet, counted up to ${MAX_COUNTED_DELIVERIES}.`,
    'waited_seconds',
    async () => (await ask())?.longer ?? null,
  );
}
