import { TenantHost, TenantHostAdd, TenantHostList } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { operation } from '../../road/operation.ts';
import { isFresh, look, recordCheck } from './check.ts';
import { addHost, makePrimary, removeHost, requireLive } from './hosts.ts';
import { hostFaults } from './names.ts';
import { aHost, hostShape, listHosts } from './queries.ts';

const managing = { scope: 'admin', member: 'tenant.settings', organizationWide: true, tag: 'Tenant hosts' } as const;
const writing = { ...managing, method: 'POST', entitlement: 'api_write' } as const;

export const operations = [
  operation({
    ...managing,
    id: 'listTenantHosts',
    method: 'GET',
    path: '/organization/hosts',
    entitlement: 'api_read',
    at: {},
    reply: TenantHostList,
    refusals: [],
    summary: 'List the organization’s own hosts',
    description:
      'In the order in which they were added. Without a proved host, the pages are below `/o/` of the installation.',
    handle: async ({ tx, org }) => ({ data: (await listHosts(tx, org)).map(hostShape) }),
  }),
  operation({
    ...writing,
    id: 'addTenantHost',
    path: '/organization/hosts',
    audit: 'tenant_host.added',
    at: {},
    body: TenantHostAdd,
    rules: [
      { of: ['host'], faults: ({ body, links }) => (body.host === undefined ? [] : hostFaults(body.host, links)) },
    ],
    reply: TenantHost,
    refusals: ['invalid_state', 'test_key_live_object'],
    summary: 'Add a host',
    description:
      'The answer has the DNS record that proves the host. Make the record, then check. An organization has at most 10 hosts. Adding a host again answers with the one that is there.',
    handle: (call) => addHost(call, call.body),
  }),
  operation({
    ...writing,
    id: 'checkTenantHost',
    path: '/organization/hosts/{host}/check',
    audit: 'tenant_host.checked',
    at: { host: aHost },
    reply: TenantHost,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Look for the record of a host',
    description:
      'Asks DNS now. If the record is found, the host is proved, and the first proved host becomes the primary one. A check within five seconds of the last one answers what that one found. DNS may go on saying that there is no record for up to an hour after it was made.',
    before: async (call) => {
      requireLive(call);
      const { at, outside, tx } = call;
      const asks = !isFresh(at.host, tx.clock.now());
      return async () => (asks ? look(outside, at.host) : null);
    },
    handle: async ({ tx, org, at, beforeResult, changed }) => {
      if (beforeResult === null) return hostShape(at.host);
      const checked = (await recordCheck(tx, org, at.host.id, beforeResult)) ?? refuse('not_found');
      changed(checked.change);
      return hostShape(checked.row);
    },
  }),
  operation({
    ...writing,
    id: 'makeTenantHostPrimary',
    path: '/organization/hosts/{host}/primary',
    audit: 'tenant_host.made_primary',
    at: { host: aHost },
    reply: TenantHost,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Make a host the primary one',
    description:
      'The addresses of the pages, in mails and answers, lead to the primary host. The other ones go on working.',
    handle: (call) => makePrimary(call, call.at.host),
  }),
  operation({
    ...writing,
    id: 'removeTenantHost',
    method: 'DELETE',
    path: '/organization/hosts/{host}',
    audit: 'tenant_host.removed',
    at: { host: aHost },
    reply: null,
    status: 204,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Remove a host',
    description:
      'The pages are no longer at this host. If it was the primary one, another proved host takes its place, or the installation’s own.',
    handle: (call) => removeHost(call, call.at.host),
  }),
];
