import { ticketCode } from '@turnout/checkin';
import type { Registration, Ticket } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { byChange, type Paging } from '../../road/page.ts';
import type { Id } from '../../store/ids.ts';
import { every, filters, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, limitOf, ticketInReach } from '../groups/index.ts';
import { loaderFor, loadForCaller, type Page } from './load-for-caller.ts';
import { commonGroup, requireReach, shownRegistration, shownTicket } from './reach.ts';
import { ownMode } from './references.ts';
import { registrationShape, ticketShape, type WholeRegistration, type WholeTicket } from './shapes.ts';

export interface TicketQuery extends Paging {
  status?: string;
  code?: string;
}

export async function listTickets(
  work: Work,
  event: EventRow,
  query: TicketQuery,
  filter: { attendee?: Id; registration?: Id },
): Promise<Page<Ticket>> {
  const { tx, org } = work;
  const list = byChange(
    ['tickets', event.id, query.status, query.code, filter.attendee, filter.registration],
    query,
    't',
  );
  const rows = await tx.all<{ id: Id; registration_id: Id; updated_at: string }>(sql`
    select t.id, t.registration_id, t.updated_at from tickets t
    where t.org_id = ${org} and t.event_id = ${event.id} and ${every([
      ownMode(work, 't'),
      work.caller.group !== null && ticketInReach(limitOf(work.caller), 't', eventGroup(event)),
      filters([
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.code !== undefined && sql`t.code = ${ticketCode(query.code)}`,
        filter.registration !== undefined && sql`t.registration_id = ${filter.registration}`,
        filter.attendee !== undefined &&
          sql`t.id in (select p.ticket_id from ticket_people p where p.org_id = ${org} and p.attendee_id = ${filter.attendee})`,
      ]),
      list.where,
    ])} ${list.order}`);
  const load = loaderFor(
    work,
    event,
    (row: (typeof rows)[number]) => row.registration_id,
    (showing, registration, row) =>
      shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === row.id)!),
  );
  return list.pageOfLoaded(rows, load);
}

export async function getTicket(work: Work, event: EventRow, found: { id: Id; registration_id: Id }): Promise<Ticket> {
  const { showing, byId } = await loadForCaller(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  return shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === found.id)!);
}

/**
 * Loads a ticket whose attendees are all in the caller's reach, with its registration unreduced: for mails and prints that go to
 * those attendees. `contact` is the registrant as far as the caller may see it.
 */
export async function loadWholeTicket(
  work: Work,
  event: EventRow,
  found: { id: Id; registration_id: Id },
): Promise<{
  ticket: WholeTicket;
  registration: WholeRegistration;
  contact: Registration['contact'];
  group: Id | null;
}> {
  const { showing, byId } = await loadForCaller(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  requireReach(showing, registration, 'ticket', found.id);
  return {
    ticket: ticketShape(showing, registration, registration.tickets.find((ticket) => ticket.id === found.id)!),
    registration: registrationShape(showing, registration),
    contact: shownRegistration(showing, registration).contact,
    group: commonGroup(event, registration, 'ticket', found.id),
  };
}
