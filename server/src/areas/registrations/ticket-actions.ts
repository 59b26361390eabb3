import type { Ticket, TicketIssue, TicketReissue, TicketReissued, TicketVoid } from '@turnout/contract';
import { invalid, type Refusal, refuse } from '../../common/refusal.ts';
import type { Call, Work } from '../../road/operation.ts';
import { allInBody, inBody, type Reference } from '../../road/request/reference.ts';
import { days, type EventRow } from '../events/index.ts';
import { attendeeIn } from './attendee-actions.ts';
import { type ChangedRegistration, type ChangeItem, change, changeTogether } from './change.ts';
import { byId } from './parts.ts';
import { shownTicket } from './reach.ts';
import { anAttendee, type TicketRef } from './references.ts';
import { requireKeepable } from './size.ts';
import type { RegistrationState, TicketState } from './state.ts';
import { issue, reissue, voidTicket } from './tickets.ts';

export async function issueTicket(work: Call<{ event: Reference<EventRow> }, unknown, TicketIssue>): Promise<Ticket> {
  const { event } = work.at;
  const found = await inBody(work, anAttendee, work.body.attendee, 'attendee', { event });
  const chosen =
    work.body.days === undefined ? null : await allInBody(work, days.reference, work.body.days, 'days', { event });
  const { showing, registration, result } = await change(work, 'attendee', found, (book, state) => {
    const attendee = attendeeIn(state, found);
    if (state.status !== 'confirmed' || attendee.cancelled) {
      refuse('invalid_state', {
        message: attendee.cancelled
          ? 'The attendee is cancelled, and tickets are only issued to attendees who come.'
          : `Tickets are issued to attendees of a confirmed registration; this one is ${state.status}.`,
      });
    }
    const foreign = chosen?.find((day) => !attendee.day_ids.includes(day.id));
    if (foreign !== undefined) invalid({ path: 'days', message: `${foreign.code} is not one of the attendee’s days` });
    requireKeepable(state, 1);
    return issue(book, state, [attendee.id], chosen?.map((day) => day.id) ?? null, true);
  });
  return shownTicket(showing, registration, result);
}

const validTicketIn = (registration: RegistrationState, found: TicketRef): TicketState => {
  const ticket = byId(registration.tickets).get(found.id) ?? refuse('not_found');
  if (ticket.status === 'voided')
    refuse('invalid_state', { message: `The ticket was voided already (${ticket.void_reason}).` });
  return ticket;
};

export async function voidOne(work: Work, found: TicketRef, body: TicketVoid): Promise<Ticket> {
  const { showing, registration, result } = await change(work, 'ticket', found, (book, state) => {
    const ticket = validTicketIn(state, found);
    voidTicket(book, state, ticket, body.reason ?? 'voided');
    return ticket;
  });
  return shownTicket(showing, registration, result);
}

const reissueItem = (work: Work, found: TicketRef, { send }: TicketReissue): ChangeItem<TicketState> => ({
  work,
  found,
  act: (book, state) => {
    const ticket = validTicketIn(state, found);
    requireKeepable(state, 1);
    if (send !== undefined) state.sendMails = send;
    return reissue(book, state, ticket);
  },
});

export async function reissueOne(work: Work, found: TicketRef, body: TicketReissue): Promise<TicketReissued> {
  const { act } = reissueItem(work, found, body);
  const { showing, registration, result, mailed } = await change(work, 'ticket', found, act);
  return { ...shownTicket(showing, registration, result), told: mailed };
}

/** Reissues tickets of one registration as one change of it. */
export const reissueTogether = (
  items: readonly { work: Work; found: TicketRef }[],
  body: TicketReissue,
): Promise<(ChangedRegistration<TicketState> | Refusal)[]> =>
  changeTogether(
    'ticket',
    items.map(({ work, found }) => reissueItem(work, found, body)),
  );
