import {
  Attendee,
  AttendeeChange,
  AttendeeMessage,
  answersFilter,
  Body,
  Page,
  PageQuery,
  PeopleQuery,
  Ref,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { listAttendeeMessages } from '../communications/index.ts';
import { anEvent, attendeeTypes, days } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { readAnswered } from './answer-filter.ts';
import { cancelAttendee, changeAttendee } from './attendee-actions.ts';
import { getAttendee, listAttendees } from './attendee-lists.ts';
import { changeFaults } from './form-faults.ts';
import { byEvent, DETAILS, FULL, reading, status, writing } from './operation-parts.ts';
import { anAttendee } from './references.ts';

const tag = 'Attendees';

export const attendeeOperations = [
  operation({
    ...reading,
    id: 'listAttendees',
    method: 'GET',
    path: '/events/{event}/attendees',
    at: { event: anEvent },
    query: Body({
      ...PeopleQuery,
      status,
      attendee_type: Type.Optional(Ref('attendee_type')),
      day: Type.Optional(Ref('day')),
      group: Type.Optional(Ref('group', 'Attendees of this group and of the groups below it.')),
      checked_in: Type.Optional(Type.Boolean()),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the name, the beginning of the e-mail address, the code of a registration or ticket, your own ID if it has a digit, or a phone number (also its beginning, from five digits on, unless more than 1,000 attendees share it). Each word matches the beginning of a word of the name, in any order; case and accents are ignored, and letters such as ø or ł are taken for o or l. Without `order` the list is ordered by what matched.',
        }),
      ),
      external_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Your own ID. Case, accents and spacing are ignored.',
        }),
      ),
      phone: Type.Optional(
        Type.String({ minLength: 1, maxLength: 60, description: 'The phone number. Only its digits are compared.' }),
      ),
      answers: Type.Optional(answersFilter()),
    }),
    reply: Page(Attendee),
    refusals: ['not_found'],
    tag,
    summary: 'List attendees',
    description:
      'Ordered by last change, oldest first, unless `search` or `order` says otherwise. Follow `next_cursor` until `has_more` is false.',
    handle: async (call) => {
      const { query, at } = call;
      const parents = { event: at.event };
      const type =
        query.attendee_type === undefined
          ? undefined
          : await inBody(call, attendeeTypes.reference, query.attendee_type, 'attendee_type', parents);
      const day = query.day === undefined ? undefined : await inBody(call, days.reference, query.day, 'day', parents);
      const group = query.group === undefined ? undefined : await inBody(call, aGroup, query.group, 'group', {});
      const answered = await readAnswered(call, at.event, query.answers);
      return listAttendees(call, at.event, query, {
        answered,
        ...(type && { type: type.id }),
        ...(day && { day: day.id }),
        ...(group && { group: group.id }),
      });
    },
  }),
  operation({
    ...reading,
    id: 'getAttendee',
    method: 'GET',
    path: '/events/{event}/attendees/{attendee}',
    at: { event: anEvent, attendee: anAttendee },
    reply: Attendee,
    refusals: ['not_found'],
    tag,
    summary: 'Get an attendee',
    handle: (call) => getAttendee(call, call.at.event, call.at.attendee),
  }),
  operation({
    ...reading,
    id: 'listAttendeeMessages',
    method: 'GET',
    path: '/events/{event}/attendees/{attendee}/messages',
    at: { event: anEvent, attendee: anAttendee },
    query: Body(PageQuery),
    reply: Page(AttendeeMessage),
    refusals: ['not_found'],
    tag,
    summary: 'List the mails about an attendee',
    description:
      'Newest first: mails to the attendee, mails to the registrant about the registration, and communications. Mails are kept for a year.',
    handle: (call) => listAttendeeMessages(call, call.at.event, call.at.attendee, call.query),
  }),
  operation({
    ...writing,
    id: 'changeAttendee',
    method: 'PATCH',
    path: '/events/{event}/attendees/{attendee}',
    audit: 'attendee.changed',
    at: { event: anEvent, attendee: anAttendee },
    inTurn: byEvent,
    body: AttendeeChange,
    rules: [{ of: [], faults: (call) => changeFaults(call, call.at.event, call.at.attendee, call.body) }],
    reply: Attendee,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object', ...DETAILS, ...FULL],
    tag,
    summary: 'Change an attendee',
    description:
      'A new type or new days need free places; tickets are issued and voided to match. Answers are merged with those given before; null removes one.',
    handle: (call) => changeAttendee(call, call.at.attendee, call.body),
  }),
  operation({
    ...writing,
    id: 'cancelAttendee',
    method: 'POST',
    path: '/events/{event}/attendees/{attendee}/cancel',
    audit: 'attendee.cancelled',
    at: { event: anEvent, attendee: anAttendee },
    inTurn: byEvent,
    reply: Attendee,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Cancel an attendee',
    description:
      'Cancelling the last attendee cancels the registration. An attendee with an e-mail address gets a mail, unless `send_emails` of the registration is false.',
    handle: (call) => cancelAttendee(call, call.at.attendee),
  }),
];
