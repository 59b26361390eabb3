import { AuditEntry, type AuditObject, Body, Page, PageQuery, Ref, Timestamp } from '@turnout/contract';
import Type from 'typebox';
import { type Id, parseRef, toUlid, ulidOrNull } from '../../common/ids.ts';
import { operation } from '../../road/operation.ts';
import { newestFirst } from '../../road/read/page.ts';
import { inBody } from '../../road/request/reference.ts';
import { type KeptChanges, shownChanges } from '../../road/write/audited.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import { inReach } from '../groups/index.ts';
import { touching } from './found.ts';

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
  /** The attendee and the ticket, where the entry is about a check-in. */
  attendee_id: Id | null;
  ticket_id: Id | null;
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
  objects: objectsOf(row),
  event_id: ulidOrNull(row.event_id),
  test: row.test,
  changes: shownChanges(row.object_kind, row.changes),
});

function objectsOf({ object_kind, object_id, changes, attendee_id, ticket_id }: AuditDbRow): AuditObject[] {
  const { objects = [] } = (changes ?? {}) as KeptChanges;
  const all = [
    { kind: object_kind, id: ulidOrNull(object_id) },
    ...objects,
    { kind: 'attendee', id: ulidOrNull(attendee_id) },
    { kind: 'ticket', id: ulidOrNull(ticket_id) },
  ];
  const byId = new Map(all.toReversed().flatMap(({ kind, id }) => (id === null ? [] : [[id, { kind, id }] as const])));
  return [...byId.values()].reverse();
}

/** Null for a text that is not an id: nothing has it, so the list is empty. */
const idIn = (text: string | undefined): Id | null | undefined => (text === undefined ? undefined : parseRef(text).id);

/**
 * The second condition lets PostgreSQL use the index by action, which leaves out scans. Scans need no index: there are so many
 * that the list comes upon them soon.
 */
const isAction = (action: string): Sql =>
  action === SCANNED ? sql`l.action = ${action}` : sql`l.action = ${action} and l.action <> 'checkin.recorded'`;
const SCANNED = 'checkin.recorded';

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
      event: Type.Optional(Ref('event', 'Only entries about this event.')),
      actor: Type.Optional(
        Type.String({ maxLength: 26, description: 'Id of the key, member or device that made the change.' }),
      ),
      object: Type.Optional(
        Type.String({
          maxLength: 26,
          description:
            'Id of an object that was touched, such as an event, an attendee, a ticket, a payment, a check-in or a job.',
        }),
      ),
      action: Type.Optional(Type.String({ maxLength: 60, examples: ['event.created'] })),
      from: Type.Optional(Timestamp('Only entries of this time or later.')),
      to: Type.Optional(Timestamp('Only entries before this time.')),
    }),
    reply: Page(AuditEntry),
    refusals: [],
    tag: 'Audit log',
    summary: 'Read the audit log',
    description:
      'Newest first. Entries are kept for two years. A key limited to a group reads the entries of that group and the groups below it.',
    handle: async (call) => {
      const { tx, org, caller, query } = call;
      const event = query.event === undefined ? null : await inBody(call, anEvent, query.event, 'event', {});
      const [actor, object] = [idIn(query.actor), idIn(query.object)];
      const list = newestFirst(['audit', event?.id, object, query.action, query.from, query.to, actor], query, 'l');
      const rows = await tx.all<AuditDbRow>(sql`
        select l.id, l.at, l.action, l.actor_kind, l.actor_id, l.actor_name, l.source, l.client, l.request_id, l.object_kind,
          l.object_id, l.event_id, l.test, l.changes, c.attendee_id, c.ticket_id
        from (
          select * from audit_log l
          where l.org_id = ${org} and ${every([
            list.where,
            caller.group !== null && inReach(caller, sql`l.group_id`),
            filters([
              event !== null && sql`l.event_id = ${event.id}`,
              actor !== undefined && sql`l.actor_id = ${actor}`,
              object !== undefined && (object === null ? sql`false` : sql`l.id in (${touching(org, object)})`),
              query.action !== undefined && isAction(query.action),
              query.from !== undefined && sql`l.id >= ulid_floor(${query.from}::timestamptz)`,
              query.to !== undefined && sql`l.id < ulid_floor(${query.to}::timestamptz)`,
            ]),
          ])} ${list.order}) l
        left join checkins c on l.object_kind = 'checkin' and c.org_id = l.org_id and c.id = l.object_id
        order by l.id desc`);
      return list.page(rows, shape);
    },
  }),
];
