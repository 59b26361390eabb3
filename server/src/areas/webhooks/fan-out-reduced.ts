import { type Id, newId } from '../../common/ids.ts';
import type { ReducibleData } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { reducedData } from '../groups/index.ts';
import { LISTENS } from './listens.ts';

interface OccurrenceRow {
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

/** How many occurrences are in memory at once. One of them may be as large as a request. */
const AT_ONCE = 20;

/**
 * Makes deliveries of occurrences about attendees of several groups, for endpoints that are limited to a group. Each endpoint gets
 * the occurrence reduced to the attendees in its reach, under the same id.
 *
 * The reduced form is stored as an envelope of its own, which is shared by all endpoints that reach the same groups of it. So it is
 * sent, shown, replayed and erased like any other. The delivery's `occurrence_id` keeps the id that receivers know it by.
 *
 * Such occurrences are rare, so they may pass through this process, unlike all others (fan-out.ts).
 */
export async function fanOutReduced(tx: Tx, held: string): Promise<void> {
  const heard = await tx.all<Listener>(sql`
    select o.id as occurrence_id, w.id as endpoint_id, w.group_id
    from outbox o join webhook_endpoints w on w.org_id = o.org_id and w.group_id is not null
    where o.ctid = any(${held}::tid[]) and ${LISTENS} order by o.id, w.id`);
  const listeners = Map.groupBy(heard, (one) => one.occurrence_id);
  const ids = [...listeners.keys()];
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await fanOutSome(tx, ids.slice(from, from + AT_ONCE), listeners);
}

async function fanOutSome(tx: Tx, ids: readonly Id[], listeners: ReadonlyMap<Id, Listener[]>): Promise<void> {
  const occurrences = await tx.all<OccurrenceRow>(sql`
    select org_id, id, type, event_id, livemode, head, data, held from outbox where id = any(${ids}) order by id`);
  const about = occurrences.map((one) => JSON.parse(one.held) as ReducibleData);
  const orgs = occurrences.map((one) => one.org_id);
  const paths = await pathsOf(tx, orgs, about.flatMap(groupsIn));
  const at = tx.clock.now();
  const envelopes: { org_id: Id; id: Id; body: string }[] = [];
  const deliveries: object[] = [];
  for (const [i, { id: occurrence_id, head, data, held: _, ...one }] of occurrences.entries()) {
    const fullData = JSON.parse(data);
    const groups = groupsIn(about[i]!);
    /** The envelope for each set of groups; null if nothing is left of the occurrence. */
    const envelopeOf = new Map<string, Id | null>();
    for (const { endpoint_id, group_id } of listeners.get(occurrence_id)!) {
      const reached = groups.filter((group) => paths.get(group)?.includes(group_id));
      let envelope_id = reached.length === 0 ? null : envelopeOf.get(String(reached));
      if (envelope_id === undefined) {
        const reduced = reducedData(fullData, about[i]!, new Set(reached));
        envelope_id = reduced === null ? null : newId(at);
        envelopeOf.set(String(reached), envelope_id);
        if (envelope_id !== null) {
          envelopes.push({ org_id: one.org_id, id: envelope_id, body: `${head}${JSON.stringify(reduced)}}` });
        }
      }
      if (envelope_id === null) continue;
      const id = newId(at);
      // The delivery has the group of its endpoint. It keeps that group when the endpoint gets another one, and nobody outside of
      // it may read it.
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

/** The groups that an occurrence is about, each once. */
const groupsIn = ({ people, own }: ReducibleData): Id[] => {
  const groups = new Set([own, ...Object.values(people).map((person) => person.group)]);
  return [...groups].filter((group) => group !== null).sort();
};

/** For each of these groups, the groups above it and itself. */
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
