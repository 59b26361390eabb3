import { AuditEntry, Body, Page, PageQuery, Ref, Timestamp } from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { newestFirst } from '../../road/page.ts';
import { inBody } from '../../road/reference.ts';
import { type Id, parseRef, toUlid, ulidOrNull } from '../../store/ids.ts';
import { every, filters, sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import { inReach } from '../groups/index.ts';

interface AuditDbRow {
  id: Id;
  at: string;
  action: string;
  actor_kind: AuditEntry['actor']['kind'];
  actor_id: Id | null;
  actor_name: string;
  source: AuditEntry['source'];
  client: string | null;
  request_id: string | null;
  object_kind: string;
  object_id: Id | null;
  event_id: Id | null;
  test: boolean;
  changes: unknown;
}

const shape = (row: AuditDbRow): AuditEntry => ({
  id: toUlid(row.id),
  at: row.at,
  action: row.action,
  actor: { kind: row.actor_kind, id: ulidOrNull(row.actor_id), name: row.actor_name },
  source: row.source,
  client: row.client,
  request_id: row.request_id,
  object: { kind: row.object_kind, id: ulidOrNull(row.object_id) },
  event_id: ulidOrNull(row.event_id),
  test: row.test,
  changes: row.changes,
});

export const operations = [
  operation({
    id: 'listAuditLog',
    method: 'GET',
    path: '/audit-log',
    scope: 'admin',
    entitlement: 'api_read',
    member: 'tenant.audit',
    at: {},
    query: Body({
      ...PageQuery,
      event: Type.Optional(Ref('event', 'Only changes of this event.')),
      object: Type.Optional(Type.String({ maxLength: 26, description: 'Id of the object that was changed.' })),
      action: Type.Optional(Type.String({ maxLength: 60, examples: ['event.created'] })),
      from: Type.Optional(Timestamp('At or after.')),
      to: Type.Optional(Timestamp('Before.')),
    }),
    reply: Page(AuditEntry),
    refusals: [],
    tag: 'Audit log',
    summary: 'Read the audit log',
    description: 'Newest first, for two years. A key limited to a group reads what was changed in its subtree.',
    handle: async (call) => {
      const { tx, org, caller, query } = call;
      const event = query.event === undefined ? null : await inBody(call, anEvent, query.event, 'event', {});
      const object =
        query.object === undefined ? null : (parseRef(query.object).id ?? '00000000-0000-0000-0000-000000000000');
      const list = newestFirst(['audit', event?.id, object, query.action, query.from, query.to], query);
      const rows = await tx.all<AuditDbRow>(sql`
        select id, at, action, actor_kind, actor_id, actor_name, source, client, request_id, object_kind, object_id,
          event_id, test, changes
        from audit_log
        where org_id = ${org} and ${every([
          list.where,
          caller.group !== null && inReach(caller, sql`group_id`),
          filters([
            event !== null && sql`event_id = ${event.id}`,
            object !== null && sql`object_id = ${object}`,
            query.action !== undefined && sql`action = ${query.action}`,
            query.from !== undefined && sql`id >= ulid_floor(${query.from}::timestamptz)`,
            query.to !== undefined && sql`id < ulid_floor(${query.to}::timestamptz)`,
          ]),
        ])} ${list.order}`);
      return list.page(rows, shape);
    },
  }),
];
