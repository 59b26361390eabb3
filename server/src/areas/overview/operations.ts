import { ActivityList, ActivityQuery, Overview } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { activityOf } from './activity.ts';
import { overview } from './overview.ts';

export const operations = [
  operation({
    id: 'getOverview',
    method: 'GET',
    path: '/overview',
    scope: 'read',
    entitlement: 'api_read',
    member: 'events.read',
    at: {},
    reply: Overview,
    refusals: [],
    tag: 'Events',
    summary: 'Get an overview of the events',
    description:
      'The events that run now, come next and are over, with how full each is and what waits there for somebody. The counts are exact, and cheap enough to be asked for every few seconds. A key limited to a group sees the events that `GET /events` lists for it, and counts its own attendees. A test key counts test registrations.',
    handle: (call) => overview(call),
  }),
  operation({
    id: 'listActivity',
    method: 'GET',
    path: '/events/{event}/activity',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: { event: anEvent },
    query: ActivityQuery,
    reply: ActivityList,
    refusals: ['not_found'],
    tag: 'Events',
    summary: 'List what happened lately',
    description:
      'Who registered, paid, cancelled or was checked in at an entry, newest first: a short list to be shown, not a record to be followed. Of each kind the newest 200 are looked at (of check-ins, refused ones included). A key limited to a group is told of its own attendees, and of payments for registrations of which it reaches all attendees. To follow every change, use webhooks or `updated_since` of the lists.',
    handle: async ({ query, ...call }) => ({ data: await activityOf(call, call.at.event, query) }),
  }),
];
