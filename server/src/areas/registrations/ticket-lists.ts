import { ticketCode } from '@turnout/checkin';
import type { Registration, Ticket } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, type Paging } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { every, filters, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, limitOf, ticketInReach } from '../groups/index.ts';
import { loaderFor, loadForCaller, type Page } from './load-for-caller.ts';
import { byId as partsById } from './parts.ts';
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
  const loader = loaderFor(
    work,
    event,
    (row: (typeof rows)[number]) => row.registration_id,
    (showing, registration, row) =>
      shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === row.id)!),
  );
  const shown = sql`exists (select from tickets t where t.org_id = x.org_id and t.id = x.object_id
    and ${ticketInReach(limitOf(work.caller), 't', eventGroup(event))} offset 0)`;
  return list.pageOfLoaded(await withRemoved(work, list, { list: 'tickets', event: event.id, shown }, rows), loader);
}

export async function getTicket(work: Work, event: EventRow, found: { id: Id; registration_id: Id }): Promise<Ticket> {
  const { showing, byId } = await loadForCaller(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  return shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === found.id)!);
}

/** A ticket whose attendees are all in the caller's reach. `group` is theirs, if they have one in common. */
export interface LoadedTicket {
  ticket: WholeTicket;
  group: Id | null;
}

/**
 * Loads a registration once, to take tickets from it whose attendees are all in the caller's reach. The registration is unreduced: for
 * mails and prints that go to those attendees. `contact` is the registrant as far as the caller may see it.
 */
export async function loadWholeTickets(
  work: Work,
  event: EventRow,
  id: Id,
): Promise<{
  take(ticket: Id): LoadedTicket;
  registration: WholeRegistration;
  contact(): Registration['contact'];
}> {
  const { showing, byId } = await loadForCaller(work, event, [id]);
  const registration = byId.get(id) ?? refuse('not_found');
  return {
    take: (ticket) => {
      requireReach(showing, registration, 'ticket', ticket);
      const state = partsById(registration.tickets).get(ticket) ?? refuse('not_found');
      return {
        ticket: ticketShape(showing, registration, state),
        group: commonGroup(event, registration, 'ticket', ticket),
      };
    },
    registration: registrationShape(showing, registration),
    contact: () => shownRegistration(showing, registration).contact,
  };
}
