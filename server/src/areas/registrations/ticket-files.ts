import type { RegisteredAttendee, Ticket, TicketSend } from '@turnout/contract';
import { type Id, toUuid } from '../../common/ids.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import { renderTicketPdf, type TicketFormat } from '../../outside/ticket-pdf/index.ts';
import { countMails } from '../../road/for-areas/mail-counts.ts';
import type { Change, Work } from '../../road/operation.ts';
import { eventById } from '../events/index.ts';
import { printOf } from './print.ts';
import { requireOwnMode, type TicketRef } from './references.ts';
import type { WholeTicket } from './shapes.ts';
import { snapshotOf } from './snapshot.ts';
import { type LoadedTicket, loadWholeTickets } from './ticket-lists.ts';
import { mailToAttendees, mailToRegistrant, queueTickets, type TicketMail } from './ticket-mails.ts';
import { worldOf } from './world.ts';

export async function ticketPdf(work: Work, found: TicketRef, format: TicketFormat): Promise<() => Promise<Buffer>> {
  const event = (await eventById(work.tx, work.org, found.event_id)) ?? refuse('not_found');
  const world = await worldOf(work.tx, work.org, event);
  const { take, registration } = await loadWholeTickets(work, event, found.registration_id);
  const { ticket } = take(found.id);
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

/** Loads the registration of tickets that are to be mailed. `take` finds one of them; `attendee` is its attendee, if it is for one only. */
async function loadForSending(work: Work, found: TicketRef) {
  requireOwnMode(work, found);
  const event = (await eventById(work.tx, work.org, found.event_id)) ?? refuse('not_found');
  const { take, registration, contact } = await loadWholeTickets(work, event, found.registration_id);
  const attendees = new Map(registration.attendees.map((one) => [one.id, one]));
  const takeForSending = (id: Id): LoadedTicket & { attendee: RegisteredAttendee | undefined } => {
    const taken = take(id);
    requireValid(taken.ticket);
    if (taken.ticket.test) refuse('invalid_state', { message: 'No e-mail is sent about test tickets.' });
    const [only, ...others] = taken.ticket.attendees;
    return { ...taken, attendee: others.length === 0 && only !== undefined ? attendees.get(only.id) : undefined };
  };
  return { event, registration, contact, take: takeForSending };
}

/** Sends a ticket to an address that the caller gave. The mail only names the ticket's attendees, and nobody else of the registration. */
async function sendToOtherAddress(work: Work, found: TicketRef, email: string): Promise<{ sent_to: string }> {
  const { event, registration, take } = await loadForSending(work, found);
  const { ticket, attendee, group } = take(found.id);
  const on = new Set(ticket.attendees.map((one) => one.id));
  const attendees = registration.attendees.filter((one) => on.has(one.id));
  const mail: TicketMail = {
    kind: 'attendee_ticket',
    to: email,
    name: attendee === undefined ? '' : `${attendee.first_name} ${attendee.last_name}`,
    data: {
      ...snapshotOf({ ...registration, attendees }, [ticket]),
      ...(attendee && { attendee: toUuid(attendee.id) }),
    },
    about: attendee === undefined ? found.registration_id : toUuid(attendee.id),
  };
  queueTickets(work, event, [mail]);
  work.changed({ kind: 'ticket', id: found.id, event: event.id, group });
  return { sent_to: email };
}

/** Sends a ticket to its attendee, or to the registrant if the attendee has no e-mail address. */
async function sendTicket(work: Work, found: TicketRef): Promise<{ sent_to: string }> {
  const [outcome] = await sendTogether([{ work, found }]);
  if (outcome instanceof Refusal) throw outcome;
  return outcome!;
}

/** What one address gets: tickets, and whose they are. Without `attendees`, it is the registrant, who gets them for others, too. */
interface Parcel {
  to: string;
  tickets: WholeTicket[];
  attendees: Set<RegisteredAttendee> | null;
}

/**
 * Sends tickets of one registration, for one caller: each to its attendee, or to the registrant if the attendee has no e-mail address.
 * Everybody gets one mail, however many of the tickets are theirs, because each mail to the registrant repeats the whole registration.
 * Each ticket is refused and audited by itself.
 */
export async function sendTogether(
  items: readonly { work: Work; found: TicketRef }[],
): Promise<({ sent_to: string } | Refusal)[]> {
  const [{ work, found }] = items as [{ work: Work; found: TicketRef }];
  const { event, registration, take, contact } = await loadForSending(work, found);
  // The answer contains the address, so a registrant out of the caller's reach is not written to.
  const registrant = contact().email;
  const parcels = new Map<string, Parcel>();
  const outcomes: ({ sent_to: string } | Refusal)[] = [];
  const turns = new Turns();
  for (const item of items) {
    try {
      const { ticket, attendee, group } = take(item.found.id);
      const to = attendee?.email ?? registrant ?? refuseUnreachable();
      const parcel = parcels.get(to.toLowerCase()) ?? { to, tickets: [], attendees: new Set() };
      parcels.set(to.toLowerCase(), parcel);
      parcel.tickets.push(ticket);
      if (attendee?.email == null) parcel.attendees = null;
      else parcel.attendees?.add(attendee);
      item.work.changed(sendingOf(item.found, ticket, group));
      outcomes.push({ sent_to: to });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push(error);
    }
    await turns.pause();
  }
  const mails: TicketMail[] = [];
  for (const parcel of parcels.values()) {
    const { to, tickets, attendees } = parcel;
    mails.push(
      attendees === null
        ? await mailToRegistrant(work, found.registration_id, registration, to, tickets)
        : mailToAttendees(registration, to, [...attendees], tickets),
    );
  }
  queueTickets(work, event, mails);
  return outcomes;
}

const refuseUnreachable = (): never =>
  refuse('invalid_state', {
    message:
      'Neither the attendee nor a registrant whom you can reach has an e-mail address. Send the ticket to another `email`.',
  });

const sendingOf = (found: TicketRef, ticket: WholeTicket, group: Id | null): Change => ({
  kind: 'ticket',
  id: found.id,
  event: found.event_id,
  group,
  objects: [
    { kind: 'registration', id: found.registration_id },
    ...ticket.attendees.map((one) => ({ kind: 'attendee', id: toUuid(one.id) })),
  ],
});
