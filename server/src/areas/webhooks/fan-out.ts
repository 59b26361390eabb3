import { API_VERSION, type EventType } from '@turnout/contract';
import type { OutboxRow } from '../../road/record.ts';
import { type Id, newId } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { envelopeName } from './queries.ts';

interface Listener {
  org_id: Id;
  id: Id;
  events: string[];
  event_id: Id | null;
  group_id: Id | null;
  since: string;
}

/**
 * Committed occurrences become deliveries to the endpoints that listen: an envelope once, a delivery and a place in the queue
 * for each endpoint. An endpoint that a person paused goes on recording; one whose plan has no webhooks does not.
 */
export async function fanOut(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  const listeners = await tx.all<Listener>(sql`
    select org_id, id, events, event_id, group_id, since from webhook_endpoints
    where org_id = any(${[...new Set(rows.map((row) => row.org_id))]}) and deleted_at is null and status <> 'paused_plan'`);
  if (listeners.length === 0) return;
  const above = await groupPaths(tx, rows);
  const heard = rows.flatMap((row) => {
    const endpoints = listeners.filter((one) => hears(one, row, above.get(row.group_id ?? '') ?? []));
    return endpoints.length === 0 ? [] : [{ row, endpoints }];
  });
  if (heard.length === 0) return;
  writeEnvelopes(
    tx,
    heard.map(({ row }) => row),
  );
  const at = tx.clock.now();
  writeDeliveries(
    tx,
    heard.flatMap(({ row, endpoints }) =>
      endpoints.map((endpoint) => ({
        org_id: row.org_id,
        id: newId(at),
        endpoint_id: endpoint.id,
        envelope_id: row.id,
        type: row.type,
        event_id: row.event_id,
        group_id: row.group_id,
        livemode: row.livemode,
        test_event: false,
        replay_of: null,
        origin_at: iso(at),
      })),
    ),
  );
}

/** Of each occurrence's group: itself and those above it. */
async function groupPaths(tx: Tx, rows: readonly OutboxRow[]): Promise<Map<Id, Id[]>> {
  const ids = new Set(rows.flatMap((row) => (row.group_id === null ? [] : [row.group_id])));
  if (ids.size === 0) return new Map();
  const groups = await tx.all<{ id: Id; path: Id[] }>(sql`select id, path from groups where id = any(${[...ids]})`);
  return new Map(groups.map((group) => [group.id, group.path]));
}

const hears = (endpoint: Listener, row: OutboxRow, groups: readonly Id[]): boolean =>
  endpoint.org_id === row.org_id &&
  (endpoint.events.includes('*') || endpoint.events.includes(row.type)) &&
  (endpoint.event_id === null || endpoint.event_id === row.event_id) &&
  (endpoint.group_id === null || groups.includes(endpoint.group_id)) &&
  new Date(endpoint.since) <= new Date(row.created_at);

export interface Head {
  org_id: Id;
  id: Id;
  type: EventType;
  livemode: boolean;
  created_at: string;
}

/** An envelope up to its `data`, which follows as it was written. */
export const headOf = ({ id, type, livemode, created_at }: Head): string =>
  `${JSON.stringify({ id: envelopeName(id), type, api_version: API_VERSION, created_at, livemode }).slice(0, -1)},"data":`;

/** The data goes from table to table: it never passes through here. */
function writeEnvelopes(tx: Tx, rows: readonly OutboxRow[]): void {
  tx.send(sql`
    insert into webhook_envelopes (org_id, id, body)
    select o.org_id, o.id, convert_to(h.head || o.data::text || '}', 'UTF8')
    from unnest(${rows.map((row) => row.org_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[], ${rows.map(headOf)}::text[])
      as h(org_id, id, head)
    join outbox o on o.org_id = h.org_id and o.id = h.id`);
}

export interface NewDelivery {
  org_id: Id;
  id: Id;
  endpoint_id: Id;
  envelope_id: Id;
  type: EventType;
  event_id: Id | null;
  group_id: Id | null;
  livemode: boolean;
  test_event: boolean;
  replay_of: Id | null;
  origin_at: string;
}

/** Pending, and due at once. */
export function writeDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): void {
  const at = tx.clock.now();
  tx.send(sql`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(deliveries)}::json) as r(org_id uuid, id uuid, endpoint_id uuid, envelope_id uuid,
        type text, event_id uuid, group_id uuid, livemode boolean, test_event boolean, replay_of uuid, origin_at timestamptz)),
    queued as (
      insert into webhook_queue (org_id, delivery_id, endpoint_id, envelope_id, test_event, attempts, due_at)
      select r.org_id, r.id, r.endpoint_id, r.envelope_id, r.test_event, 0, ${at}::timestamptz from r)
    insert into webhook_deliveries (org_id, id, endpoint_id, envelope_id, type, event_id, group_id, livemode, test_event, replay_of,
      origin_at, status, next_attempt_at, created_at)
    select r.*, 'pending', ${at}::timestamptz, ${at}::timestamptz from r`);
}
