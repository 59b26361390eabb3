import {
  Body,
  ChangedQuery,
  OneOf,
  Page,
  Ref,
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
import { refuse } from '../../common/refusal.ts';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { apartFromErasures } from '../../store/clocks.ts';
import { anEvent, eventById } from '../events/index.ts';
import { byEvent, reading, writing } from './operation-parts.ts';
import { anAttendee, aRegistration, aTicket, wholeTicket } from './references.ts';
import { issueTicket, reissueOne, voidOne } from './ticket-actions.ts';
import { sendOne, ticketPdf } from './ticket-files.ts';
import { getTicket, listTickets } from './ticket-lists.ts';

const tag = 'Tickets';

export const ticketOperations = [
  operation({
    ...reading,
    id: 'listTickets',
    method: 'GET',
    path: '/events/{event}/tickets',
    at: { event: anEvent },
    query: Body({
      ...ChangedQuery,
      status: Type.Optional(OneOf(TICKET_STATUSES)),
      code: Type.Optional(
        Type.String({ maxLength: 100, description: 'The code. Spaces, dashes and case are ignored.' }),
      ),
      attendee: Type.Optional(Ref('attendee', 'Id of the attendee.')),
      registration: Type.Optional(Ref('registration', 'Id or code of the registration.')),
    }),
    reply: Page(Ticket),
    refusals: ['not_found'],
    tag,
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
    inTurn: byEvent,
    body: TicketIssue,
    reply: Ticket,
    status: 201,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
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
    tag,
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
    tag,
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
    tag,
    summary: 'Reissue a ticket',
    description:
      'The old code stops admitting at once. The new ticket is for the same attendees and days. `told` says whether anybody gets it by mail.',
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
    tag,
    summary: 'Send a ticket again',
    description:
      'Sends the ticket to its attendee, or to the registrant if the attendee has no e-mail address; or to another `email`. No e-mail is sent about test tickets. An organization can send 1,000 tickets an hour in this way, and 100 more to other addresses; further ones are refused with 429 `rate_limited`.',
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
    tag,
    summary: 'Get a ticket as PDF',
    description: 'A voided ticket is refused.',
    handle: (call) => ticketPdf(call, call.at.ticket, call.query.format ?? 'a4'),
  }),
];
