import { Availability, Body, EventSummary } from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { availabilityOf } from './availability.ts';
import { reading } from './operation-parts.ts';
import { summaryOf } from './summary.ts';

const counting = { ...reading, tag: 'Registrations' } as const;
const query = Body({
  test: Type.Optional(
    Type.Boolean({
      description:
        'Whether test registrations are counted, or live ones. Default: test registrations with a test key and in a test event.',
    }),
  ),
});

export const countOperations = [
  operation({
    ...counting,
    id: 'getAvailability',
    method: 'GET',
    path: '/events/{event}/availability',
    at: { event: anEvent },
    query,
    reply: Availability,
    refusals: ['not_found'],
    summary: 'Get the availability of an event',
    description:
      'The places of the event, its days and its attendee types. The counts are exact, and cheap enough to be asked for every second. A key limited to a group counts its own attendees.',
    handle: (call) => availabilityOf(call, call.at.event, call.query.test),
  }),
  operation({
    ...counting,
    id: 'getEventSummary',
    method: 'GET',
    path: '/events/{event}/summary',
    at: { event: anEvent },
    query,
    reply: EventSummary,
    refusals: ['not_found'],
    summary: 'Get the summary of an event',
    description:
      'Attendees and registrations by status, attendee type, day, group and source; money due and paid; how many were checked in on each day. The counts are exact, and cheap enough to be asked for every second. A key limited to a group counts its own attendees.',
    handle: (call) => summaryOf(call, call.at.event, call.query.test),
  }),
];
