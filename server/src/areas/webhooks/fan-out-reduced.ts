import type { Held } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import { type Id, newId } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { reducedData } from '../groups/index.ts';
import { LISTENS } from './listens.ts';

interface Heard {
  org_id: Id;
  id: Id;
  type: string;
  event_id: Id | null;
  livemode: boolean;
  head: string;
  data: string;
  held: string;
  endpoint_id: Id;
  group_id: Id;
  /** The groups that it reaches, of those that are told of. */
  reached: Id[];
}

/**
 * Occurrences that tell of people of several groups, for endpoints of one: reduced to the people in reach, under the same id. Kept
 * as an envelope of its own, once for all endpoints that reach the same of it, so it is sent, shown, replayed and erased like any
 * other; `occurrence_id` of a delivery keeps the id that it is known under. Seldom, so these few pass through here.
 */
export async function fanOutReduced(tx: Tx, held: string): Promise<void> {
  const heard = await tx.all<Heard>(sql`
    select o.org_id, o.id, o.type, o.event_id, o.livemode, o.head, o.data, o.held, w.id as endpoint_id, w.group_id,
      array(select g.id from groups g where g.org_id = o.org_id and w.group_id = any(g.path) and position(g.id::text in o.held) > 0
        order by g.id) as reached
    from outbox o join webhook_endpoints w on w.org_id = o.org_id and w.group_id is not null
    where o.ctid = any(${held}::tid[]) and ${LISTENS} order by o.id, w.id`);
  const at = tx.clock.now();
  const envelopes = new Map<string, { org_id: Id; id: Id; body: string } | null>();
  const deliveries: (Pick<Heard, 'org_id' | 'type' | 'event_id' | 'group_id' | 'livemode' | 'endpoint_id'> & {
    id: Id;
    envelope_id: Id;
    occurrence_id: Id;
  })[] = [];
  for (const { id: occurrence_id, head, data, held: about, reached, ...one } of heard) {
    if (reached.length === 0) continue;
    const key = `${occurrence_id} ${reached}`;
    let envelope = envelopes.get(key);
    if (envelope === undefined) {
      const reduced = reducedData(JSON.parse(data), JSON.parse(about) as Held, new Set(reached));
      const body = `${head}${JSON.stringify(reduced)}}`;
      envelope = reduced === null ? null : { org_id: one.org_id, id: newId(at), body };
      envelopes.set(key, envelope);
    }
    // Its group is the endpoint's: nobody else may read it, also when the endpoint has another one later.
    if (envelope !== null) deliveries.push({ ...one, id: newId(at), envelope_id: envelope.id, occurrence_id });
  }
  if (deliveries.length === 0) return;
  const made = [...envelopes.values()].filter((envelope) => envelope !== null);
  tx.send(sql`
    insert into webhook_envelopes (org_id, id, body)
    select e.org_id, e.id, convert_to(e.body, 'UTF8')
    from unnest(${made.map((one) => one.org_id)}::uuid[], ${made.map((one) => one.id)}::uuid[], ${made.map((one) => one.body)}::text[])
      as e(org_id, id, body)`);
  const sending = { test_event: false, attempts: 0, due_at: at, origin_at: at, created_at: at };
  const rows = deliveries.map((one) => ({ ...sending, ...one, delivery_id: one.id }));
  insertAll(tx, 'webhook_queue', QUEUED, rows);
  insertAll(tx, 'webhook_deliveries', DELIVERY, rows);
  await tx.flush();
}

const QUEUED = {
  org_id: 'uuid',
  delivery_id: 'uuid',
  endpoint_id: 'uuid',
  envelope_id: 'uuid',
  occurrence_id: 'uuid',
  test_event: 'boolean',
  attempts: 'int',
  due_at: 'timestamptz',
} as const;
const DELIVERY = {
  org_id: 'uuid',
  id: 'uuid',
  endpoint_id: 'uuid',
  envelope_id: 'uuid',
  occurrence_id: 'uuid',
  type: 'text',
  event_id: 'uuid',
  group_id: 'uuid',
  livemode: 'boolean',
  test_event: 'boolean',
  origin_at: 'timestamptz',
  created_at: 'timestamptz',
} as const;
