import { Body, Event, Page, Ref, Text } from '@turnout/contract';
import Type from 'typebox';
import { anEvent, type EventRow, eventShape, findEvent } from '../../../server/src/areas/events/index.ts';
import { aGroup, findGroup, type GroupRow } from '../../../server/src/areas/groups/index.ts';
import { operations } from '../../../server/src/areas/index.ts';
import { anAttendee } from '../../../server/src/areas/registrations/index.ts';
import { aTicket, requireOwnMode } from '../../../server/src/areas/registrations/references.ts';
import { type Id, parseRef, toUlid } from '../../../server/src/common/ids.ts';
import { refuse } from '../../../server/src/common/refusal.ts';
import { type Operation, operation } from '../../../server/src/road/operation.ts';
import { inBody, reference } from '../../../server/src/road/request/reference.ts';
import { sql } from '../../../server/src/store/sql.ts';

/** An operation with a security hole, how it was meant to be, and the rows of the matrix that must find the hole. */
export interface Hole {
  name: string;
  mounted: Operation;
  /** If the declaration itself allows too much: what it should have been. */
  meant?: Operation;
  seen: string[];
}

const common = { member: null, tag: 'Test', summary: 'A hole' } as const;
const reading = { ...common, method: 'GET', scope: 'read', entitlement: 'api_read' } as const;
const writing = { ...common, scope: 'write', entitlement: 'api_write' } as const;
/** One of Turnout's operations under another path, with one thing wrong. */
const copy = (id: string, path: string): Operation => ({
  ...operations.find((op) => op.id === 'createEvent')!,
  ...common,
  id,
  path,
});

const anyGroupsEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  find: ({ tx, caller }, ref) => findEvent(tx, { ...caller, group: null }, ref, 'read'),
});

/** Row-level security would stop this hole, so the operation also switches to the role of workers. */
const anybodysEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  find: async ({ tx, caller }, ref) => {
    const { id, code } = parseRef(ref);
    await tx.run(sql`select set_config('role', 'turnout_system', true)`);
    const owner = await tx.maybe<{ org_id: Id }>(sql`
      select org_id from events where id = ${id}::uuid or lower(code) = lower(${code}::text)`);
    if (owner === null) return null;
    const own = owner.org_id === caller.org.id;
    return findEvent(
      tx,
      own ? caller : { ...caller, org: { ...caller.org, id: owner.org_id }, group: null },
      ref,
      'read',
    );
  },
});

const anyGroup = reference<GroupRow>({
  kind: 'group',
  byCode: true,
  find: ({ tx, org, caller }, ref) => findGroup(tx, org, ref, { ...caller, group: null }),
});

const named = { reply: Type.Object({ code: Type.String() }), body: Body({ group: Ref('group') }) };

export const HOLES: Hole[] = [
  {
    name: 'a reference that forgets the group',
    mounted: operation({
      ...reading,
      id: 'holeGroupForgotten',
      path: '/holes/group-forgotten/{event}',
      at: { event: anyGroupsEvent },
      reply: Event,
      refusals: ['not_found'],
      handle: async ({ at, links }) => eventShape(at.event, links),
    }),
    seen: ['limited to a group, another group’s event by id', 'limited to a group, another group’s event by code'],
  },
  {
    name: 'a reference that forgets the organization',
    mounted: operation({
      ...reading,
      id: 'holeOrganizationForgotten',
      path: '/holes/organization-forgotten/{event}',
      at: { event: anybodysEvent },
      reply: Event,
      refusals: ['not_found'],
      handle: async ({ at, links }) => eventShape(at.event, links),
    }),
    seen: [
      '{event}: another organization’s, by id',
      '{event}: another organization’s, by code',
      'a path of another organization',
    ],
  },
  {
    name: 'a reference that takes ids but no codes, though it says it does',
    mounted: operation({
      ...reading,
      id: 'holeNoCodes',
      path: '/holes/no-codes/{event}',
      at: {
        event: reference<EventRow>({
          ...anEvent,
          find: async (reach, ref, parents) => (parseRef(ref).id === null ? null : anEvent.find(reach, ref, parents)),
        }),
      },
      reply: Event,
      refusals: ['not_found'],
      handle: async ({ at, links }) => eventShape(at.event, links),
    }),
    seen: ['{event}: by code: works', '{event}: by code in another case: works'],
  },
  {
    name: 'a write that finds its object as if it only read',
    mounted: operation({
      ...writing,
      id: 'holeReadReach',
      method: 'PATCH',
      path: '/holes/read-reach/{event}',
      audit: 'event.changed',
      at: { event: anEvent },
      body: Body({ venue: Text(100) }),
      reply: Event,
      refusals: ['not_found', 'test_key_live_object'],
      handle: async ({ tx, org, links, at, body }) => {
        await tx.run(sql`update events set venue = ${body.venue} where org_id = ${org} and id = ${at.event.id}`);
        return eventShape(at.event, links);
      },
    }),
    seen: [
      'a test key, on a live object',
      'limited to a group, an event of the whole organization',
      'limited to a group, an event of a group above',
    ],
  },
  {
    name: 'a body whose reference forgets the group',
    mounted: operation({
      ...writing,
      ...named,
      id: 'holeBodyReference',
      method: 'POST',
      path: '/holes/body-reference',
      audit: 'group.named',
      at: {},
      refusals: [],
      handle: async (call) => ({ code: (await inBody(call, anyGroup, call.body.group, 'group', {})).code }),
    }),
    seen: ['body group: another group’s, by id', 'body group: another group’s, by code'],
  },
  {
    name: 'an unknown reference of a body that becomes 404',
    mounted: operation({
      ...writing,
      ...named,
      id: 'holeBodyNotFound',
      method: 'POST',
      path: '/holes/body-not-found',
      audit: 'group.named',
      at: {},
      refusals: ['not_found'],
      handle: async (call) => {
        const group = await aGroup.find(call, call.body.group, {});
        return { code: (group ?? refuse('not_found')).code };
      },
    }),
    seen: [
      'body group: an unknown id',
      'body group: an unknown code',
      'body group: a text that is no code',
      'body group: another organization’s, by id',
      'body group: another group’s, by id',
      'body group: another organization’s, by code',
      'body group: another group’s, by code',
    ],
  },
  {
    name: 'a list that forgets the group',
    mounted: operation({
      ...reading,
      id: 'holeList',
      path: '/holes/list',
      at: {},
      query: Body({ limit: Type.Optional(Type.Integer()) }),
      reply: Page(Type.Object({ id: Type.String() })),
      refusals: [],
      handle: async ({ tx, org }) => {
        const rows = await tx.all<{ id: Id }>(sql`select id from events where org_id = ${org}`);
        return { data: rows.map((row) => ({ id: toUlid(row.id) })), page: { next_cursor: null, has_more: false } };
      },
    }),
    seen: ['limited to a group, lists nothing of another group'],
  },
  {
    name: 'an answer that speaks of others in the same registration',
    mounted: operation({
      ...reading,
      id: 'holeRegistration',
      path: '/holes/registration/{event}/{attendee}',
      at: { event: anEvent, attendee: anAttendee },
      reply: Type.Object({ id: Type.String(), names: Type.Array(Type.String()) }),
      refusals: ['not_found'],
      handle: async ({ tx, org, at }) => {
        const rows = await tx.all<{ last_name: string }>(sql`
          select last_name from attendees where org_id = ${org} and registration_id = ${at.attendee.registration_id}`);
        return { id: toUlid(at.attendee.id), names: rows.map((row) => row.last_name) };
      },
    }),
    seen: [
      'limited to a group, people of several in one registration: its own people, nobody else',
      'limited to a group, people of several on one ticket: its own people, nobody else',
    ],
  },
  {
    name: 'an act on a ticket that also admits others',
    mounted: operation({
      ...writing,
      method: 'POST',
      id: 'holeTicket',
      path: '/holes/ticket/{ticket}',
      audit: 'ticket.voided',
      at: { ticket: aTicket },
      reply: Type.Object({ id: Type.String() }),
      refusals: ['not_found', 'test_key_live_object', 'mixed_groups'],
      handle: async (call) => {
        requireOwnMode(call, call.at.ticket);
        await call.tx.run(sql`
          update tickets set status = 'voided' where org_id = ${call.org} and id = ${call.at.ticket.id}`);
        return { id: toUlid(call.at.ticket.id) };
      },
    }),
    seen: ['limited to a group, people of several on one ticket'],
  },
  {
    name: 'a scope that is looser than meant',
    mounted: { ...copy('holeScope', '/holes/scope'), scope: 'read' },
    meant: copy('holeScope', '/holes/scope'),
    seen: [
      'only the scope read',
      'every scope but write',
      'every scope but write, and everything after that wrong',
      'only the scope write: works',
    ],
  },
  {
    name: 'an entitlement that nobody asks',
    mounted: { ...copy('holeEntitlement', '/holes/entitlement'), entitlement: null },
    meant: copy('holeEntitlement', '/holes/entitlement'),
    seen: ['the plan free', 'the plan starter', 'the plan growth'],
  },
  {
    name: 'a write that goes on while the installation is read-only',
    mounted: { ...copy('holeReadOnly', '/holes/read-only'), whenReadOnly: 'allowed' },
    meant: copy('holeReadOnly', '/holes/read-only'),
    seen: ['a read-only installation'],
  },
];
