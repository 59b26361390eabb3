import { idsFrom } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { fanOutReduced } from './fan-out-reduced.ts';
import { LISTENS } from './listens.ts';

/**
 * Makes deliveries of committed occurrences: one envelope for each occurrence, and for each endpoint that listens a delivery and a
 * row in the queue. Everything is copied from table to table in SQL, so the envelopes never pass through this process. The ids of
 * the deliveries are in the order of the occurrences.
 *
 * Deliveries are also recorded for an endpoint that somebody has paused, but not for one whose plan has no webhooks. An endpoint
 * made with a test key gets test activity only.
 *
 * An occurrence about attendees of several groups has no group itself, so here it goes only to endpoints without a group. Endpoints
 * with a group get a reduced form of it (fan-out-reduced.ts).
 */
export async function fanOut(tx: Tx, claimed: string, held: string | null): Promise<void> {
  const at = tx.clock.now();
  await tx.run(sql`
    with heard as materialized (
      select o.ctid as row, o.org_id, o.id as envelope_id, o.type, o.event_id, o.group_id, o.livemode, w.id as endpoint_id,
        (${idsFrom(at)}::text || lpad(to_hex(row_number() over (order by o.id, w.id)), 6, '0') || right(gen_random_uuid()::text, 10))::uuid
          as id
      from outbox o join webhook_endpoints w on w.org_id = o.org_id
      where o.ctid = any(${claimed}::tid[])
        and ${LISTENS}
        and (w.group_id is null or exists (
          select from groups g where g.org_id = o.org_id and g.id = o.group_id and w.group_id = any(g.path)))
    ), enveloped as (
      insert into webhook_envelopes (org_id, id, body)
      select o.org_id, o.id, convert_to(o.head || o.data || '}', 'UTF8')
      from (select distinct row from heard) h join outbox o on o.ctid = h.row
    ), queued as (
      insert into webhook_queue (org_id, delivery_id, endpoint_id, envelope_id, test_event, attempts, due_at)
      select org_id, id, endpoint_id, envelope_id, false, 0, ${at}::timestamptz from heard
    )
    insert into webhook_deliveries (org_id, id, endpoint_id, envelope_id, type, event_id, group_id, livemode, test_event, origin_at,
      created_at)
    select org_id, id, endpoint_id, envelope_id, type, event_id, group_id, livemode, false, ${at}::timestamptz,
      ${at}::timestamptz from heard`);
  if (held !== null) await fanOutReduced(tx, held);
}
