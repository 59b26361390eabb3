import { Body, ChangedQuery, Group, GroupChange, GroupCreate, GroupMove, Page } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { byChange } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { sql } from '../../store/sql.ts';
import { aGroup, changeGroup, createGroup, deleteGroup, moveGroup } from './groups.ts';
import { groupShape, listGroups } from './queries.ts';
import { inReach } from './reach.ts';

const tag = 'Groups';

export const operations = [
  operation({
    id: 'listGroups',
    method: 'GET',
    path: '/groups',
    scope: 'read',
    entitlement: 'api_read',
    member: 'events.read',
    at: {},
    query: Body(ChangedQuery),
    reply: Page(Group),
    refusals: [],
    tag,
    summary: 'List groups',
    description: 'By last change, oldest first. A key limited to a group sees that group and the groups below it.',
    handle: async (call) => {
      const { tx, org, caller, query } = call;
      const list = byChange(['groups'], query, 'g');
      const rows = await listGroups(tx, org, caller, list.where, list.order);
      return list.page(
        await withRemoved(call, list, { list: 'groups', shown: inReach(caller, sql`x.object_id`) }, rows),
        groupShape,
      );
    },
  }),
  operation({
    id: 'getGroup',
    method: 'GET',
    path: '/groups/{group}',
    scope: 'read',
    entitlement: 'api_read',
    member: 'events.read',
    at: { group: aGroup },
    reply: Group,
    refusals: ['not_found'],
    tag,
    summary: 'Get a group',
    handle: async ({ at }) => groupShape(at.group),
  }),
  operation({
    id: 'createGroup',
    method: 'POST',
    path: '/groups',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'tenant.groups',
    audit: 'group.created',
    at: {},
    body: GroupCreate,
    reply: Group,
    status: 201,
    refusals: ['code_taken', 'test_key_live_object'],
    tag,
    summary: 'Create a group',
    handle: (call) => createGroup(call, call.body),
  }),
  operation({
    id: 'changeGroup',
    method: 'PATCH',
    path: '/groups/{group}',
    scope: 'write',
    entitlement: 'api_write',
    member: 'tenant.groups',
    audit: 'group.changed',
    at: { group: aGroup },
    body: GroupChange,
    reply: Group,
    refusals: ['not_found', 'code_taken', 'test_key_live_object'],
    tag,
    summary: 'Change the name or code of a group',
    handle: (call) => changeGroup(call, call.at.group, call.body),
  }),
  operation({
    id: 'moveGroup',
    method: 'POST',
    path: '/groups/{group}/move',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'tenant.groups',
    audit: 'group.moved',
    at: { group: aGroup },
    body: GroupMove,
    reply: Group,
    refusals: ['not_found', 'test_key_live_object'],
    tag,
    summary: 'Move a group',
    description:
      'Moves the group with all groups below it. Check-in points that admit certain groups follow the new tree at once.',
    handle: (call) => moveGroup(call, call.at.group, call.body),
  }),
  operation({
    id: 'deleteGroup',
    method: 'DELETE',
    path: '/groups/{group}',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'tenant.groups',
    audit: 'group.deleted',
    at: { group: aGroup },
    reply: null,
    status: 204,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Delete a group',
    description: 'Only a group that nothing belongs to can be deleted.',
    handle: (call) => deleteGroup(call, call.at.group),
  }),
];
