import {
  Job,
  PlatformConnect,
  PlatformConnection,
  PlatformEvent,
  PlatformImportCreate,
  PlatformTicketClass,
  PlatformTicketClassesQuery,
} from '@turnout/contract';
import Type from 'typebox';
import { startJob } from '../../road/for-areas/start-job.ts';
import { operation } from '../../road/operation.ts';
import { refuseInSandbox } from '../../road/write/sandbox-room.ts';
import { openEvent } from '../events/index.ts';
import {
  aConnection,
  askAccount,
  askPlatform,
  connect,
  connectionShape,
  connections,
  disconnect,
} from './platform-connections.ts';
import { platformImport } from './platform-import.ts';
import { checkInput, inputOf } from './platform-mapping.ts';

/** Only members use these, through the admin app (contract, what the service does): no host offers them to API keys. */
const flow = {
  scope: 'admin',
  entitlement: 'platform_import',
  member: 'people.bulk',
  organizationWide: true,
  hosts: [],
  tag: 'Platform import',
} as const;

export const platformOperations = [
  operation({
    ...flow,
    id: 'connectPlatform',
    method: 'POST',
    path: '/platform-connections',
    audit: 'platform.connected',
    at: {},
    body: PlatformConnect,
    reply: PlatformConnection,
    status: 201,
    refusals: ['invalid_state', 'unavailable'],
    summary: 'Connect an account of another ticketing platform',
    description:
      'The token is tried out and then stored encrypted. Connecting the same account again replaces its token.',
    before: async ({ tx, org, outside, body }) => {
      await refuseInSandbox(
        tx,
        org,
        'The sandbox asks no other platform, because everybody may use it. Use an organization of your own.',
      );
      return askAccount(outside.platforms, body);
    },
    handle: async (call) => connectionShape(await connect(call, call.body.platform, call.beforeResult)),
  }),
  operation({
    ...flow,
    id: 'listPlatformConnections',
    method: 'GET',
    path: '/platform-connections',
    at: {},
    reply: Type.Object({ data: Type.Array(PlatformConnection) }),
    refusals: [],
    summary: 'List connected accounts',
    handle: async ({ tx, org }) => ({ data: (await connections(tx, org)).map(connectionShape) }),
  }),
  operation({
    ...flow,
    id: 'disconnectPlatform',
    method: 'DELETE',
    path: '/platform-connections/{connection}',
    audit: 'platform.disconnected',
    at: { connection: aConnection },
    reply: null,
    status: 204,
    refusals: ['not_found'],
    summary: 'Disconnect an account and forget its token',
    handle: (call) => disconnect(call, call.at.connection),
  }),
  operation({
    ...flow,
    id: 'askPlatformEvents',
    method: 'POST',
    path: '/platform-connections/{connection}/events',
    audit: 'platform.asked',
    unaudited: true,
    at: { connection: aConnection },
    reply: Type.Object({ data: Type.Array(PlatformEvent) }),
    refusals: ['not_found', 'invalid_state', 'unavailable'],
    summary: 'Ask the platform which events there are',
    description: 'This is a POST although nothing changes, because each call asks the platform anew.',
    before: async ({ outside, at }) => askPlatform(outside.platforms, at.connection, (reader) => reader.events()),
    handle: async ({ beforeResult }) => ({ data: beforeResult }),
  }),
  operation({
    ...flow,
    id: 'askPlatformTicketClasses',
    method: 'POST',
    path: '/platform-connections/{connection}/ticket-classes',
    audit: 'platform.asked',
    unaudited: true,
    at: { connection: aConnection },
    body: PlatformTicketClassesQuery,
    reply: Type.Object({ data: Type.Array(PlatformTicketClass) }),
    refusals: ['not_found', 'invalid_state', 'unavailable'],
    summary: 'Ask the platform for the ticket classes of an event',
    before: async ({ outside, at, body }) =>
      askPlatform(outside.platforms, at.connection, (reader) => reader.ticketClasses(body.source_event)),
    handle: async ({ beforeResult }) => ({ data: beforeResult }),
  }),
  operation({
    ...flow,
    id: 'startPlatformImport',
    method: 'POST',
    path: '/events/{event}/platform-imports',
    audit: 'platform.import_started',
    at: { event: openEvent },
    body: PlatformImportCreate,
    reply: Job,
    status: 202,
    refusals: ['not_found', 'invalid_state', 'unavailable', 'too_many_jobs'],
    summary: 'Take the people of an event over from another platform',
    description:
      'Each order becomes one registration, and each of its attendees an attendee with tickets. Attendees who were cancelled or refunded are left out. The import can be run again: it adds only attendees who are new. Nothing is changed on the platform.',
    before: async (call) => {
      const wanted = await checkInput(call, call.at.event, call.body);
      return askPlatform(call.outside.platforms, wanted.connection, async (reader) =>
        inputOf(call.body, wanted, await reader.ticketClasses(call.body.source_event)),
      );
    },
    handle: (call) => startJob(call, platformImport, { event: call.at.event.id, input: call.beforeResult }),
  }),
];
