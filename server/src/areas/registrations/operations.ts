import {
  Attendee,
  AttendeeChange,
  AttendeeInput,
  BALANCES,
  Body,
  ChangedQuery,
  OneOf,
  Page,
  PeopleQuery,
  REGISTRATION_SOURCES,
  REGISTRATION_STATUSES,
  Reason,
  Ref,
  Registration,
  RegistrationChange,
  RegistrationCreate,
  TICKET_STATUSES,
  Ticket,
  TicketIssue,
  TicketReissue,
  TicketReissued,
  TicketSend,
  TicketSent,
  TicketVoid,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { apartFromErasures } from '../../store/clocks.ts';
import { anEvent, attendeeTypes, days, eventById } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import {
  addAttendee,
  approve,
  cancel,
  cancelAttendee,
  changeAttendee,
  changeRegistration,
  decline,
  issueTicket,
  promoteByHand,
  registerMany,
  reissueOne,
  voidOne,
} from './actions.ts';
import { checkoutOperations } from './checkout-operations.ts';
import { contactOperations } from './contact-operations.ts';
import { countOperations } from './count-operations.ts';
import { changeFaults, formFaults } from './form-faults.ts';
import { paymentOperations } from './payment-operations.ts';
import { getAttendee, getRegistration, getTicket, listAttendees, listRegistrations, listTickets } from './reading.ts';
import { anAttendee, aRegistration, aTicket, wholeTicket } from './references.ts';
import { sendOne, ticketPdf } from './ticket-files.ts';

const reading = { scope: 'read', entitlement: 'api_read', member: 'people.read' } as const;
const writing = { scope: 'write', entitlement: 'api_write', member: 'people.write' } as const;
const byEvent = (params: Record<string, string>) => params.event!.toLowerCase();
const inTurn = byEvent;
const status = Type.Optional(OneOf(REGISTRATION_STATUSES));
const FULL = ['attendee_cap_reached', 'event_full', 'type_full', 'day_full'] as const;
const FORM = [
  'registration_closed',
  'type_not_available',
  'day_not_available',
  'answer_required',
  'duplicate_email',
] as const;

const registrations = 'Registrations';
const registrationOperations = [
  operation({
    ...reading,
    id: 'listRegistrations',
    method: 'GET',
    path: '/events/{event}/registrations',
    at: { event: anEvent },
    query: Body({
      ...PeopleQuery,
      status,
      source: Type.Optional(OneOf(REGISTRATION_SOURCES)),
      group: Type.Optional(Ref('group', 'Registrations of this group and those below it.')),
      email: Type.Optional(Type.String({ maxLength: 254, description: 'Of the registrant or of one of its people.' })),
      code: Type.Optional(Type.String({ maxLength: 40, description: 'Spaces, dashes and case never matter.' })),
      balance: Type.Optional(OneOf(BALANCES, { description: 'Those with something due, or in credit.' })),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the registrant’s name or of one of its people’s, each by its beginning and in any order, without case and accents; the beginning of an e-mail address; or a registration’s or ticket’s code. Then ordered by what matched.',
        }),
      ),
    }),
    reply: Page(Registration),
    refusals: ['not_found'],
    tag: registrations,
    summary: 'List registrations',
    description: 'By last change, oldest first.',
    handle: async (call) => {
      const { query, at } = call;
      const group = query.group === undefined ? undefined : await inBody(call, aGroup, query.group, 'group', {});
      return listRegistrations(call, at.event, query, { ...(group && { group: group.id }) });
    },
  }),
  operation({
    ...reading,
    id: 'getRegistration',
    method: 'GET',
    path: '/events/{event}/registrations/{registration}',
    at: { event: anEvent, registration: aRegistration },
    reply: Registration,
    refusals: ['not_found'],
    tag: registrations,
    summary: 'Get a registration',
    handle: (call) => getRegistration(call, call.at.event, call.at.registration.id),
  }),
  operation({
    ...writing,
    id: 'createRegistration',
    method: 'POST',
    path: '/events/{event}/registrations',
    audit: 'registration.created',
    at: { event: anEvent },
    body: RegistrationCreate,
    rules: [
      {
        of: [],
        faults: (call) => {
          const people = (call.body.attendees ?? []).map((person, i) => [`attendees/${i}`, person] as const);
          return formFaults(call, call.at.event, people);
        },
      },
    ],
    reply: Registration,
    status: 201,
    refusals: ['not_found', ...FORM, ...FULL],
    tag: registrations,
    summary: 'Register people',
    description:
      'As the event’s form would: its rules, capacity, approval, waitlist and the plan’s cap. Tickets are issued when the registration is confirmed.',
    together: { by: byEvent, handle: registerMany },
  }),
  operation({
    ...writing,
    id: 'changeRegistration',
    method: 'PATCH',
    path: '/events/{event}/registrations/{registration}',
    audit: 'registration.changed',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    body: RegistrationChange,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: registrations,
    summary: 'Change a registration',
    description:
      'Its registrant, and whether mails go out about it. People are changed one by one (`PATCH …/attendees/{attendee}`). Mails that are on their way already go where they were sent.',
    handle: (call) => changeRegistration(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'addAttendee',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/attendees',
    audit: 'registration.attendee_added',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    body: AttendeeInput,
    rules: [{ of: [], faults: (call) => formFaults(call, call.at.event, [['', call.body]]) }],
    reply: Attendee,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object', ...FORM, ...FULL],
    tag: registrations,
    summary: 'Add a person to a registration',
    description:
      'Placed as the form would place them. On a confirmed registration tickets are issued at once. A full day is refused rather than waitlisted.',
    handle: (call) => addAttendee(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'approveRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/approve',
    audit: 'registration.approved',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: registrations,
    summary: 'Approve a registration',
    handle: (call) => approve(call, call.at.registration),
  }),
  operation({
    ...writing,
    id: 'declineRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/decline',
    audit: 'registration.declined',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    body: Reason,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: registrations,
    summary: 'Decline a registration',
    handle: (call) => decline(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'cancelRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/cancel',
    audit: 'registration.cancelled',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    body: Reason,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: registrations,
    summary: 'Cancel a registration',
    description: 'Its places come free and go to whoever waits, oldest first; its tickets are void.',
    handle: (call) => cancel(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'promoteRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/promote',
    audit: 'registration.promoted',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: registrations,
    summary: 'Promote a registration from the waitlist',
    description: 'Out of turn, if there is room for all of it.',
    handle: (call) => promoteByHand(call, call.at.registration),
  }),
];

const attendees = 'Attendees';
const attendeeOperations = [
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
      group: Type.Optional(Ref('group', 'This group and those below it.')),
      checked_in: Type.Optional(Type.Boolean()),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the name, each by its beginning and in any order, without case and accents; the beginning of the e-mail address; or a registration’s or ticket’s code. Then ordered by what matched.',
        }),
      ),
      external_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Your own ID, without case, accents and spacing.' }),
      ),
      phone: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'Compared by its digits.' })),
    }),
    reply: Page(Attendee),
    refusals: ['not_found'],
    tag: attendees,
    summary: 'List attendees',
    description: 'By last change, oldest first. Follow `next_cursor` until `has_more` is false.',
    handle: async (call) => {
      const { query, at } = call;
      const parents = { event: at.event };
      const type =
        query.attendee_type === undefined
          ? undefined
          : await inBody(call, attendeeTypes.reference, query.attendee_type, 'attendee_type', parents);
      const day = query.day === undefined ? undefined : await inBody(call, days.reference, query.day, 'day', parents);
      const group = query.group === undefined ? undefined : await inBody(call, aGroup, query.group, 'group', {});
      return listAttendees(call, at.event, query, {
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
    tag: attendees,
    summary: 'Get an attendee',
    handle: (call) => getAttendee(call, call.at.event, call.at.attendee),
  }),
  operation({
    ...writing,
    id: 'changeAttendee',
    method: 'PATCH',
    path: '/events/{event}/attendees/{attendee}',
    audit: 'attendee.changed',
    at: { event: anEvent, attendee: anAttendee },
    inTurn,
    body: AttendeeChange,
    rules: [{ of: [], faults: (call) => changeFaults(call, call.at.event, call.at.attendee, call.body) }],
    reply: Attendee,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object', ...FORM.slice(1), ...FULL],
    tag: attendees,
    summary: 'Change an attendee',
    description: 'Places move exactly, tickets follow. Answers are added to those given before; null takes one back.',
    handle: (call) => changeAttendee(call, call.at.attendee, call.body),
  }),
  operation({
    ...writing,
    id: 'cancelAttendee',
    method: 'POST',
    path: '/events/{event}/attendees/{attendee}/cancel',
    audit: 'attendee.cancelled',
    at: { event: anEvent, attendee: anAttendee },
    inTurn,
    reply: Attendee,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag: attendees,
    summary: 'Cancel an attendee',
    description:
      'The last person of a registration cancels the registration. Whoever has an address is told by mail, unless `send_emails` of the registration is false.',
    handle: (call) => cancelAttendee(call, call.at.attendee),
  }),
];

const tickets = 'Tickets';
const ticketOperations = [
  operation({
    ...reading,
    id: 'listTickets',
    method: 'GET',
    path: '/events/{event}/tickets',
    at: { event: anEvent },
    query: Body({
      ...ChangedQuery,
      status: Type.Optional(OneOf(TICKET_STATUSES)),
      code: Type.Optional(Type.String({ maxLength: 100, description: 'Spaces, dashes and case never matter.' })),
      attendee: Type.Optional(Ref('attendee', 'Id of the attendee.')),
      registration: Type.Optional(Ref('registration', 'Id or code of the registration.')),
    }),
    reply: Page(Ticket),
    refusals: ['not_found'],
    tag: tickets,
    summary: 'List tickets',
    handle: async (call) => {
      const { query, at } = call;
      const attendee =
        query.attendee === undefined
          ? undefined
          : await inBody(call, anAttendee, query.attendee, 'attendee', { event: at.event });
      const registration =
        query.registration === undefined
          ? undefined
          : await inBody(call, aRegistration, query.registration, 'registration', { event: at.event });
      return listTickets(call, at.event, query, {
        ...(attendee && { attendee: attendee.id }),
        ...(registration && { registration: registration.id }),
      });
    },
  }),
  operation({
    ...writing,
    id: 'issueTicket',
    method: 'POST',
    path: '/events/{event}/tickets',
    audit: 'ticket.issued',
    at: { event: anEvent },
    inTurn,
    body: TicketIssue,
    reply: Ticket,
    status: 201,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag: tickets,
    summary: 'Issue another ticket for an attendee',
    handle: (call) => issueTicket(call),
  }),
  operation({
    ...reading,
    id: 'getTicket',
    method: 'GET',
    path: '/tickets/{ticket}',
    at: { ticket: aTicket },
    reply: Ticket,
    refusals: ['not_found'],
    tag: tickets,
    summary: 'Get a ticket',
    handle: async (call) => {
      const event = await eventById(call.tx, call.org, call.at.ticket.event_id);
      return getTicket(call, event ?? refuse('not_found'), call.at.ticket);
    },
  }),
  operation({
    ...writing,
    id: 'voidTicket',
    method: 'POST',
    path: '/tickets/{ticket}/void',
    audit: 'ticket.voided',
    at: { ticket: aTicket },
    body: TicketVoid,
    reply: Ticket,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: tickets,
    summary: 'Void a ticket',
    handle: (call) => voidOne(call, call.at.ticket, call.body),
  }),
  operation({
    ...writing,
    id: 'reissueTicket',
    method: 'POST',
    path: '/tickets/{ticket}/reissue',
    audit: 'ticket.reissued',
    at: { ticket: aTicket },
    body: TicketReissue,
    reply: TicketReissued,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: tickets,
    summary: 'Reissue a ticket',
    description:
      'The old code dies at once; the new ticket is for the same people and days. `told` says whether it goes to anybody by mail.',
    handle: (call) => reissueOne(call, call.at.ticket, call.body),
  }),
  operation({
    ...writing,
    id: 'sendTicket',
    method: 'POST',
    path: '/tickets/{ticket}/send',
    audit: 'ticket.sent',
    at: { ticket: wholeTicket },
    body: TicketSend,
    reply: TicketSent,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: tickets,
    summary: 'Send a ticket again',
    description:
      'To its person, or to the registrant where the person has no address; or to another `email`. No mail is sent about test tickets. An organization can send 1,000 tickets an hour in this way, and 100 more to other addresses; more are refused with 429 `rate_limited`.',
    handle: (call) => apartFromErasures(call.tx, call.org, () => sendOne(call, call.at.ticket, call.body)),
  }),
  operation({
    ...reading,
    id: 'getTicketPdf',
    method: 'GET',
    path: '/tickets/{ticket}/pdf',
    at: { ticket: wholeTicket },
    query: Body({ format: Type.Optional(OneOf(['a4', 'phone'], { description: 'Default `a4`.' })) }),
    reply: null,
    produces: 'application/pdf',
    refusals: ['not_found', 'mixed_groups', 'invalid_state'],
    tag: tickets,
    summary: 'Get a ticket as PDF',
    description: 'Of a valid ticket; a voided one is refused.',
    handle: (call) => ticketPdf(call, call.at.ticket, call.query.format ?? 'a4'),
  }),
];

export const operations = [
  ...registrationOperations,
  ...attendeeOperations,
  ...ticketOperations,
  ...paymentOperations,
  ...checkoutOperations,
  ...countOperations,
  ...contactOperations,
];
