import { Availability, Body, EventSummary } from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { availabilityOf, summaryOf } from './availability.ts';

const reading = { scope: 'read', entitlement: 'api_read', member: 'people.read', tag: 'Registrations' } as const;
const query = Body({
  test: Type.Optional(
    Type.Boolean({
      description: 'Count test registrations, or live ones. Default: test ones with a test key and in a test event.',
    }),
  ),
});

export const countOperations = [
  operation({
    ...reading,
    id: 'getAvailability',
    method: 'GET',
    path: '/events/{event}/availability',
    at: { event: anEvent },
    query,
    reply: Availability,
    refusals: ['not_found'],
    summary: 'How full an event is',
    description:
      'Places of the event, its days and its attendee types. Exact, and cheap enough to be asked every second. A key limited to a group counts its own people.',
    handle: (call) => availabilityOf(call, call.at.event, call.query.test),
  }),
  operation({
    ...reading,
    id: 'getEventSummary',
    method: 'GET',
    path: '/events/{event}/summary',
    at: { event: anEvent },
    query,
    reply: EventSummary,
    refusals: ['not_found'],
    summary: 'Count an event’s people',
    description:
      'People and registrations by status, attendee type, day, group and source; money due and paid; who came in on each day. Exact, and cheap enough to be asked every second. A key limited to a group counts its own people.',
    handle: (call) => summaryOf(call, call.at.event, call.query.test),
  }),
];
