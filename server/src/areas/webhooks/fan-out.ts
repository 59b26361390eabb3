import { idsFrom } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { fanOutReduced } from './fan-out-reduced.ts';
import { LISTENS } from './listens.ts';

/**
 * Committed occurrences become deliveries to the endpoints that listen: an envelope once, a delivery and a place in the queue
 * for each endpoint, from table to table. An endpoint that a person paused goes on recording; one whose plan has no webhooks does
 * not; one of a test key hears of tests only. The deliveries' ids are in the order of the occurrences. What tells of people of
 * several groups has no group here, so only endpoints without one hear of it; the others get what fan-out-reduced.ts makes of it.
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
