import type { Ticket, TicketSend } from '@turnout/contract';
import type { MailKind } from '../../outside/mail-templates/index.ts';
import { renderTicketPdf, type TicketFormat } from '../../outside/ticket-pdf/index.ts';
import { countMails } from '../../road/mail-counts.ts';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, newId, toUlid, toUuid } from '../../store/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { type EventRow, eventById } from '../events/index.ts';
import { printOf } from './print.ts';
import { requireOwnMode, type TicketRef } from './references.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { loadWholeTicket } from './ticket-lists.ts';
import { worldOf } from './world.ts';

export async function ticketPdf(work: Work, found: TicketRef, format: TicketFormat): Promise<() => Promise<Buffer>> {
  const event = (await eventById(work.tx, work.org, found.event_id)) ?? refuse('not_found');
  const world = await worldOf(work.tx, work.org, event);
  const { ticket, registration } = await loadWholeTicket(work, event, found);
  requireValid(ticket);
  const print = printOf(work.caller.org, world, registration, ticket);
  return () => renderTicketPdf(print, format, work.org);
}

/** Refuses a voided ticket, because it admits nobody. If another one replaced it, the message names that one. */
function requireValid({ status, replaced_by, void_reason }: Ticket): void {
  if (status === 'valid') return;
  refuse('invalid_state', {
    message:
      replaced_by === null
        ? `The ticket was voided (${void_reason}) and admits nobody.`
        : `The ticket was voided and admits nobody. It was replaced by the ticket ${replaced_by}.`,
  });
}

/** Tickets an hour: enough for a busy help desk. To write to everybody, send a communication instead. */
export const TICKET_MAILS = { what: 'ticket', most: 1000, mails: 'tickets one by one' };
/** Tickets an hour to addresses that nobody registered with: enough to help people out, too few for writing to strangers. */
export const TICKET_MAILS_ELSEWHERE = { what: 'ticket_elsewhere', most: 100, mails: 'tickets to other addresses' };

/** Sends a ticket again and counts it, so that nobody can be flooded with mails. */
export async function sendOne(work: Work, found: TicketRef, { email }: TicketSend): Promise<{ sent_to: string }> {
  const sent = await (email === undefined ? sendTicket(work, found) : sendToOtherAddress(work, found, email.trim()));
  await countMails(work.tx, work.org, email === undefined ? TICKET_MAILS : TICKET_MAILS_ELSEWHERE, 1);
  return sent;
}

/** Loads a ticket that is to be mailed, with its registration. `attendee` is its attendee, if it is for one only. */
async function loadForSending(work: Work, found: TicketRef) {
  requireOwnMode(work, found);
  const event = (await eventById(work.tx, work.org, found.event_id)) ?? refuse('not_found');
  const whole = await loadWholeTicket(work, event, found);
  const { ticket, registration } = whole;
  requireValid(ticket);
  if (ticket.test) refuse('invalid_state', { message: 'No mail is sent about test tickets.' });
  const [only, ...others] = ticket.attendees;
  const attendee = others.length === 0 ? registration.attendees.find((one) => one.id === only?.id) : undefined;
  return { event, attendee, ...whole };
}

/** Sends a ticket to an address that the caller gave. The mail only names the ticket's attendees, and nobody else of the registration. */
async function sendToOtherAddress(work: Work, found: TicketRef, email: string): Promise<{ sent_to: string }> {
  const { event, ticket, registration, attendee, group } = await loadForSending(work, found);
  const on = new Set(ticket.attendees.map((one) => one.id));
  const attendees = registration.attendees.filter((one) => on.has(one.id));
  await queueTicket(work, event, {
    kind: 'attendee_ticket',
    to: email,
    name: attendee === undefined ? '' : `${attendee.first_name} ${attendee.last_name}`,
    data: {
      ...snapshotOf({ ...registration, attendees }, [ticket]),
      ...(attendee && { attendee: toUuid(attendee.id) }),
    },
    about: attendee === undefined ? found.registration_id : toUuid(attendee.id),
  });
  work.changed({ kind: 'ticket', id: found.id, event: event.id, group });
  return { sent_to: email };
}

/** Sends a ticket to its attendee, or to the registrant if the attendee has no e-mail address. */
export async function sendTicket(work: Work, found: TicketRef): Promise<{ sent_to: string }> {
  const { event, ticket, registration, attendee, contact, group } = await loadForSending(work, found);
  // The answer contains the address, so a registrant out of the caller's reach is not written to.
  const email = attendee?.email ?? contact.email;
  if (email === null) {
    return refuse('invalid_state', {
      message:
        'Neither the attendee nor a registrant whom you can reach has an e-mail address. Send the ticket to another `email`.',
    });
  }
  const own = attendee !== undefined && attendee.email !== null;
  const name = own
    ? [attendee.first_name, attendee.last_name]
    : [registration.contact.first_name, registration.contact.last_name];
  await queueTicket(work, event, {
    kind: own ? 'attendee_ticket' : 'confirmation',
    to: email,
    name: name.filter(Boolean).join(' '),
    // A mail to the attendee holds nobody else's data, so that erasing the attendee can find it and empty it as a whole.
    data: own
      ? { ...snapshotOf({ ...registration, attendees: [attendee] }, [ticket]), attendee: toUuid(attendee.id) }
      : snapshotOf(registration, [ticket], null, await handedOnIn(work, found.registration_id)),
    about: own ? toUuid(attendee.id) : found.registration_id,
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

/** The attendees of a registration whose place was handed on. The registrant's mails leave them out. */
async function handedOnIn({ tx, org }: Work, registration: Id): Promise<Set<string>> {
  const rows = await tx.all<{ id: Id }>(sql`
    select a.id from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.org_id = ${org} and a.registration_id = ${registration} and a.handed_on_at is not null
      and lower(a.email) is distinct from lower(r.email)`);
  return new Set(rows.map(({ id }) => toUlid(id)));
}

async function queueTicket(
  { tx, org, bulk }: Work,
  event: EventRow,
  mail: { kind: MailKind; to: string; name: string; data: Snapshot & { attendee?: Id }; about: Id },
): Promise<void> {
  const now = tx.clock.now();
  await insertRow(tx, 'mails', {
    org_id: org,
    id: newId(now),
    kind: mail.kind,
    recipient: mail.to,
    recipient_name: mail.name,
    subject: event.name,
    data: JSON.stringify(mail.data),
    event_id: event.id,
    object_id: mail.about,
    bulk: bulk === true,
    next_attempt_at: now,
    created_at: now,
  });
}
