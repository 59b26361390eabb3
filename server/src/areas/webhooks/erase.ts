import { DAY } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Empties every envelope that names one of these objects, and the answers of its receivers, which may repeat what they got.
 * Deliveries of these envelopes that are still in the queue are not sent. Ids begin with a time, so nothing is looked at that is
 * older than `since`.
 *
 * The order of the statements matters, because a delivery may end at the same time: the transaction that records its attempt also
 * deletes its row from the queue (record.ts). If that transaction comes first, our delete waits for its row, and the last statement
 * sees the attempt. If ours comes first, the row is gone, and nothing is recorded of the attempt.
 */
export async function eraseEnvelopes(tx: Tx, org: Id, objects: readonly Id[], since: Date): Promise<void> {
  const from = new Date(since.getTime() - DAY);
  const emptied = await tx.all<{ id: Id }>(sql`
    with sought as materialized (select convert_to(ulid, 'UTF8') as bytes from unnest(${objects.map(toUlid)}::text[]) as ulid)
    update webhook_envelopes set body = null
    where org_id = ${org} and id >= ulid_floor(${from}) and body is not null
      and exists (select from sought where position(sought.bytes in body) > 0) returning id`);
  const ids = emptied.map((row) => row.id);
  if (ids.length === 0) return;
  await tx.run(sql`
    with dropped as (
      delete from webhook_queue where org_id = ${org} and envelope_id = any(${ids}) returning delivery_id)
    update webhook_deliveries set dead = true
    where org_id = ${org} and id in (select delivery_id from dropped)`);
  await tx.run(sql`
    update webhook_attempts a set answer = null from webhook_deliveries d
    where d.org_id = ${org} and d.id >= ulid_floor(${from}) and d.envelope_id = any(${ids})
      and a.org_id = d.org_id and a.endpoint_id = d.endpoint_id and a.succeeded in (true, false) and a.delivery_id = d.id
      and a.answer is not null`);
}
