import type { AuditSource } from '@turnout/contract';
import { type Id, newId } from '../store/ids.ts';
import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import type { Caller } from './caller.ts';
import type { Change, Occurrence } from './operation.ts';

/** A change with who made it and how; one row of the audit log. */
export interface AuditRow extends Change {
  action: string;
  caller: Pick<Caller, 'actor' | 'mode'>;
  source: AuditSource;
  client: string | null;
  requestId: string | null;
}

export const SOURCE_OF: Record<Caller['actor']['kind'], AuditSource> = {
  key: 'api',
  member: 'app',
  device: 'scanner',
  system: 'system',
};

/** Written in the transaction of the work: no change without its row, no row without its change. */
export function writeAudit(tx: Tx, org: Id, rows: readonly AuditRow[]): void {
  if (rows.length === 0) return;
  const at = tx.clock.now();
  const records = rows.map((row) => ({
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
    changes: row.changes ?? null,
  }));
  tx.send(sql`
    insert into audit_log (org_id, at, id, action, actor_kind, actor_id, actor_name, source, client, request_id,
      object_kind, object_id, event_id, group_id, test, changes)
    select ${org}, ${at}::timestamptz, r.* from json_to_recordset(${JSON.stringify(records)}::json) as r(id uuid, action text,
      actor_kind text, actor_id uuid, actor_name text, source text, client text, request_id text, object_kind text,
      object_id uuid, event_id uuid, group_id uuid, test boolean, changes jsonb)`);
}

/** Outbox rows: what the relay makes deliveries of once the work has committed. Nothing is raised for rolled-back work. */
export function writeOutbox(tx: Tx, org: Id, occurrences: readonly Occurrence[]): void {
  if (occurrences.length === 0) return;
  const at = tx.clock.now();
  const records = occurrences.map((one) => ({
    id: newId(at),
    type: one.type,
    event_id: one.event,
    group_id: one.group,
    livemode: one.livemode,
    data: one.data,
  }));
  tx.send(sql`
    insert into outbox (org_id, created_at, id, type, event_id, group_id, livemode, data)
    select ${org}, ${at}::timestamptz, r.* from json_to_recordset(${JSON.stringify(records)}::json) as
      r(id uuid, type text, event_id uuid, group_id uuid, livemode boolean, data json)`);
}
