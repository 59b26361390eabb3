import { API_VERSION, type AuditSource, type EventType } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { tracing } from '../../common/tracing.ts';
import { insertAll, texts } from '../../store/bulk.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { Caller } from '../caller.ts';
import type { Occurrence } from '../operation.ts';
import { type Change, storedChanges, type Touched } from './audited.ts';

/** One row of the audit log: a change, and who made it and how. */
export interface AuditRow extends Change {
  action: string;
  caller: { actor: Pick<Caller['actor'], 'kind' | 'id' | 'name'>; mode: Caller['mode'] };
  source: AuditSource;
  client: string | null;
  requestId: string | null;
}

export const SOURCE_OF: Record<Caller['actor']['kind'], AuditSource> = {
  key: 'api',
  member: 'app',
  device: 'scanner',
  visitor: 'pages',
  system: 'system',
};

/** Writes audit rows in the transaction of the work, so that there is no change without its row and no row without its change. */
export function writeAudit(tx: Tx, org: Id, rows: readonly AuditRow[]): void {
  if (rows.length === 0) return;
  const at = tx.clock.now();
  const records = rows.map((row) => ({
    org_id: org,
    at,
    id: newId(at),
    action: row.action,
    actor_kind: row.caller.actor.kind,
    actor_id: row.caller.actor.id,
    actor_name: row.caller.actor.name,
    source: row.source,
    client: row.client,
    request_id: row.requestId,
    object_kind: row.kind,
    object_id: row.id,
    event_id: row.event ?? null,
    group_id: row.group ?? null,
    test: row.caller.mode === 'test',
    changes: storedChanges(row),
  }));
  writeObjects(tx, org, rows, records);
  if (records.length > 1) {
    insertAll(tx, 'audit_log', AUDIT, records);
    return;
  }
  // A single row is inserted with plain values: the database takes 24 µs for it instead of 41 µs (measured).
  const [r] = records as [(typeof records)[number]];
  tx.send(sql`
    insert into audit_log (org_id, at, id, action, actor_kind, actor_id, actor_name, source, client, request_id, object_kind, object_id,
      event_id, group_id, test, changes)
    values (${org}, ${at}, ${r.id}, ${r.action}, ${r.actor_kind}, ${r.actor_id}, ${r.actor_name}, ${r.source}, ${r.client},
      ${r.request_id}, ${r.object_kind}, ${r.object_id}, ${r.event_id}, ${r.group_id}, ${r.test},
      ${r.changes === null ? null : JSON.stringify(r.changes)})`);
}

/** Rows about these are found by their registration, and scans by their time (areas/audit/found.ts), so they need no row here. */
const OF_A_REGISTRATION = ['registration', 'attendee', 'ticket', 'payment'];

/** Writes the rows by which an audit row is found if it changed other objects than the one it is about. */
function writeObjects(tx: Tx, org: Id, rows: readonly AuditRow[], records: readonly { id: Id }[]): void {
  const isFound = (row: AuditRow, { kind, id }: Touched): boolean =>
    id === row.id ||
    row.action === 'checkin.recorded' ||
    (OF_A_REGISTRATION.includes(row.kind) && OF_A_REGISTRATION.includes(kind));
  const others = (row: AuditRow): readonly Touched[] => (row.objects ?? []).filter((one) => !isFound(row, one));
  const entries = rows.flatMap((row, i) =>
    [...new Set(others(row).map((one) => one.id))].map((object) => ({ object, id: records[i]!.id })),
  );
  if (entries.length === 0) return;
  tx.send(sql`
    insert into audit_objects (org_id, object_id, id)
    select ${org}, o.object_id, o.id
    from unnest(${entries.map((one) => one.object)}::uuid[], ${entries.map((one) => one.id)}::uuid[]) as o(object_id, id)`);
}

const AUDIT = {
  org_id: 'uuid',
  at: 'timestamptz',
  id: 'uuid',
  action: 'text',
  actor_kind: 'text',
  actor_id: 'uuid',
  actor_name: 'text',
  source: 'text',
  client: 'text',
  request_id: 'text',
  object_kind: 'text',
  object_id: 'uuid',
  event_id: 'uuid',
  group_id: 'uuid',
  test: 'boolean',
  changes: 'jsonb',
} as const;

export const envelopeName = (id: Id): string => `evt_${toUlid(id)}`;

/** The beginning of an envelope. Its `data` follows, as stored in the outbox. */
export const headOf = (id: Id, type: EventType, at: Date, livemode: boolean): string =>
  `{"id":"${envelopeName(id)}","type":"${type}","api_version":"${API_VERSION}","created_at":"${iso(at)}","livemode":${livemode},"data":`;

/** Writes outbox rows in the transaction of the work. Once it has committed, the relay makes deliveries from them. */
export function writeOutbox(tx: Tx, org: Id, occurrences: readonly Occurrence[]): void {
  if (occurrences.length === 0) return;
  const at = tx.clock.now();
  const records = occurrences.map(({ type, event, group, livemode, data, held }) => {
    const id = newId(at);
    if (tracing !== null) tracing.raised(id);
    const head = headOf(id, type, at, livemode);
    const of = { id, type, event, livemode, head, data: JSON.stringify(data) };
    // If it concerns several groups it belongs to none. Endpoints that are limited to a group get a part of it, or nothing
    // (`held`).
    return held === undefined ? { ...of, group, held: '' } : { ...of, group: null, held: JSON.stringify(held) };
  });
  // The column is named only if it is needed, which is rare.
  const held = records.some((record) => record.held !== '');
  const into = sql`insert into outbox (org_id, created_at, id, type, event_id, group_id, livemode, head, data${held ? sql`, held` : sql``})`;
  if (records.length === 1) {
    const [r] = records as [(typeof records)[number]];
    tx.send(
      sql`${into} values (${org}, ${at}, ${r.id}, ${r.type}, ${r.event}, ${r.group}, ${r.livemode}, ${r.head}, ${r.data}${
        held ? sql`, ${r.held}` : sql``
      })`,
    );
    return;
  }
  const column = (pick: (one: (typeof records)[number]) => string): Sql => texts(records.map(pick));
  tx.send(sql`${into}
    select ${org}, ${at}::timestamptz, r.id::uuid, r.type, nullif(r.event_id, '')::uuid, nullif(r.group_id, '')::uuid, r.livemode::boolean,
      r.head, r.data${held ? sql`, nullif(r.held, '')` : sql``}
    from unnest(${column((r) => r.id)}, ${column((r) => r.type)}, ${column((r) => r.event ?? '')}, ${column((r) => r.group ?? '')},
      ${column((r) => String(r.livemode))}, ${column((r) => r.head)}, ${column((r) => r.data)}${held ? sql`, ${column((r) => r.held)}` : sql``})
      as r(id, type, event_id, group_id, livemode, head, data${held ? sql`, held` : sql``})`);
}

/**
 * Makes deliveries from committed occurrences, in the transaction that removes them from the outbox. `claimed` is a `tid[]` of
 * their rows. The rows are locked, so they stay where they are, and they are copied inside the database without passing through
 * Node. `held` is a `tid[]` of those that concern attendees of several groups, or null if there are none.
 */
export type FanOut = (tx: Tx, claimed: string, held: string | null) => Promise<void>;
