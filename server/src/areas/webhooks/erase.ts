import type { Id } from '../../store/ids.ts';
import { toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** Empties every envelope that speaks of these objects; what was still to be sent of them is not sent any more. */
export async function eraseEnvelopes(tx: Tx, org: Id, objects: readonly Id[]): Promise<void> {
  for (const object of objects) {
    const emptied = await tx.all<{ id: Id }>(sql`
      update webhook_envelopes set body = null
      where org_id = ${org} and position(convert_to(${toUlid(object)}, 'UTF8') in body) > 0 returning id`);
    await tx.run(sql`
      with dropped as (
        delete from webhook_queue where org_id = ${org} and envelope_id = any(${emptied.map((row) => row.id)}) returning delivery_id)
      update webhook_deliveries set dead = true
      where org_id = ${org} and id in (select delivery_id from dropped)`);
  }
}
