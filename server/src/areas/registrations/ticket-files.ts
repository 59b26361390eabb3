import { renderTicketPdf, type TicketFormat } from '../../outside/ticket-pdf/index.ts';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { newId, toUuid } from '../../store/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { eventById } from '../events/index.ts';
import { printOf } from './print.ts';
import { wholeTicketOf } from './reading.ts';
import { type PersonRef, requireOwnMode } from './references.ts';
import { snapshotOf } from './snapshot.ts';
import { worldOf } from './world.ts';

export async function ticketPdf(work: Work, found: PersonRef, format: TicketFormat): Promise<() => Promise<Buffer>> {
  const event = (await eventById(work.tx, work.org, found.event_id)) ?? refuse('not_found');
  const world = await worldOf(work.tx, work.org, event);
  const { ticket, registration } = await wholeTicketOf(work, event, found);
  const print = printOf(work.caller.org, world, registration, ticket);
  return () => renderTicketPdf(print, format, work.org);
}

/** Sends a ticket again: to its person, or to the registrant where the person has no address. */
export async function sendTicket(work: Work, found: PersonRef): Promise<{ sent_to: string }> {
  const { tx, org } = work;
  requireOwnMode(work, found);
  const event = (await eventById(tx, org, found.event_id)) ?? refuse('not_found');
  const { ticket, registration, contact, group } = await wholeTicketOf(work, event, found);
  if (ticket.status === 'voided')
    refuse('invalid_state', { message: 'The ticket is void; reissue it to send a new one.' });
  if (ticket.test) refuse('invalid_state', { message: 'No mail is sent about test tickets.' });
  const [only, ...others] = ticket.attendees;
  const person = others.length === 0 ? registration.attendees.find((one) => one.id === only?.id) : undefined;
  // Its address is answered, so a registrant out of reach is written to by nobody of another group.
  const email = person?.email ?? contact.email;
  if (email === null) {
    return refuse('invalid_state', {
      message: 'Neither the person nor a registrant whom you may reach has an e-mail address.',
    });
  }
  const own = person !== undefined && person.email !== null;
  const name = own
    ? [person.first_name, person.last_name]
    : [registration.contact.first_name, registration.contact.last_name];
  const now = tx.clock.now();
  await insertRow(tx, 'mails', {
    org_id: org,
    id: newId(now),
    kind: own ? 'attendee_ticket' : 'confirmation',
    recipient: email,
    recipient_name: name.filter(Boolean).join(' '),
    subject: event.name,
    // A person's own mail holds nobody else's data: it is found, and emptied, by that person.
    data: JSON.stringify(
      own
        ? { ...snapshotOf({ ...registration, attendees: [person] }, [ticket]), attendee: toUuid(person.id) }
        : snapshotOf(registration, [ticket]),
    ),
    event_id: event.id,
    object_id: own ? toUuid(person.id) : found.registration_id,
    next_attempt_at: now,
    created_at: now,
  });
  work.changed({
    kind: 'ticket',
    id: found.id,
    event: event.id,
    group,
    objects: [
      { kind: 'registration', id: found.registration_id },
      ...ticket.attendees.map((one) => ({ kind: 'attendee', id: toUuid(one.id) })),
    ],
  });
  return { sent_to: email };
}
