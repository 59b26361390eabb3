import type { Held } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import { type Id, newId } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { reducedData } from '../groups/index.ts';
import { LISTENS } from './listens.ts';

interface Told {
  org_id: Id;
  id: Id;
  type: string;
  event_id: Id | null;
  livemode: boolean;
  head: string;
  data: string;
  held: string;
}
interface Listener {
  occurrence_id: Id;
  endpoint_id: Id;
  group_id: Id;
}

/** So many are in memory at once: one of them may be as large as a request. */
const AT_ONCE = 20;

/**
 * Occurrences that tell of people of several groups, for endpoints of one: reduced to the people in reach, under the same id. Kept
 * as an envelope of its own, once for all endpoints that reach the same of it, so it is sent, shown, replayed and erased like any
 * other; `occurrence_id` of a delivery keeps the id that it is known under. Seldom, so these few pass through here.
 */
export async function fanOutReduced(tx: Tx, held: string): Promise<void> {
  const heard = await tx.all<Listener>(sql`
    select o.id as occurrence_id, w.id as endpoint_id, w.group_id
    from outbox o join webhook_endpoints w on w.org_id = o.org_id and w.group_id is not null
    where o.ctid = any(${held}::tid[]) and ${LISTENS} order by o.id, w.id`);
  const listeners = Map.groupBy(heard, (one) => one.occurrence_id);
  const ids = [...listeners.keys()];
  for (let from = 0; from < ids.length; from += AT_ONCE) await tell(tx, ids.slice(from, from + AT_ONCE), listeners);
}

async function tell(tx: Tx, ids: readonly Id[], listeners: ReadonlyMap<Id, Listener[]>): Promise<void> {
  const occurrences = await tx.all<Told>(sql`
    select org_id, id, type, event_id, livemode, head, data, held from outbox where id = any(${ids}) order by id`);
  const about = occurrences.map((one) => JSON.parse(one.held) as Held);
  const orgs = occurrences.map((one) => one.org_id);
  const above = await pathsOf(tx, orgs, about.flatMap(groupsIn));
  const at = tx.clock.now();
  const envelopes: { org_id: Id; id: Id; body: string }[] = [];
  const deliveries: object[] = [];
  for (const [i, { id: occurrence_id, head, data, held: _, ...one }] of occurrences.entries()) {
    const whole = JSON.parse(data);
    const told = groupsIn(about[i]!);
    const kept = new Map<string, Id | null>();
    for (const { endpoint_id, group_id } of listeners.get(occurrence_id)!) {
      const reached = told.filter((group) => above.get(group)?.includes(group_id));
      let envelope_id = reached.length === 0 ? null : kept.get(String(reached));
      if (envelope_id === undefined) {
        const reduced = reducedData(whole, about[i]!, new Set(reached));
        envelope_id = reduced === null ? null : newId(at);
        kept.set(String(reached), envelope_id);
        if (envelope_id !== null) {
          envelopes.push({ org_id: one.org_id, id: envelope_id, body: `${head}${JSON.stringify(reduced)}}` });
        }
      }
      if (envelope_id === null) continue;
      const id = newId(at);
      // Its group is the endpoint's: nobody else may read it, also when the endpoint has another one later.
      deliveries.push({ ...PENDING, ...one, id, delivery_id: id, endpoint_id, group_id, envelope_id, occurrence_id });
    }
  }
  if (deliveries.length === 0) return;
  tx.send(sql`
    insert into webhook_envelopes (org_id, id, body)
    select e.org_id, e.id, convert_to(e.body, 'UTF8')
    from unnest(${envelopes.map((one) => one.org_id)}::uuid[], ${envelopes.map((one) => one.id)}::uuid[],
      ${envelopes.map((one) => one.body)}::text[]) as e(org_id, id, body)`);
  const rows = deliveries.map((one) => ({ ...one, due_at: at, origin_at: at, created_at: at }));
  insertAll(tx, 'webhook_queue', QUEUED, rows);
  insertAll(tx, 'webhook_deliveries', DELIVERY, rows);
  await tx.flush();
}

const PENDING = { test_event: false, attempts: 0 };

/** Those that are told of, each once. */
const groupsIn = ({ people, own }: Held): Id[] => {
  const groups = new Set([own, ...Object.values(people).map((person) => person.group)]);
  return [...groups].filter((group) => group !== null).sort();
};

/** The groups above each of these, itself among them. */
async function pathsOf(tx: Tx, orgs: readonly Id[], groups: readonly Id[]): Promise<Map<Id, Id[]>> {
  const rows = await tx.all<{ id: Id; path: Id[] }>(sql`
    select id, path from groups where org_id = any(${[...new Set(orgs)]}) and id = any(${[...new Set(groups)]})`);
  return new Map(rows.map((row) => [row.id, row.path]));
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
