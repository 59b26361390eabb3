import { Overview } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
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
];
