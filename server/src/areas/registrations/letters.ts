import { setImmediate as others } from 'node:timers/promises';
import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import { calendarOf } from '../../outside/calendar.ts';
import {
  type MailData,
  type MailKind,
  MOST_ROWS,
  registrationLine,
  renderMail,
} from '../../outside/mail-templates/index.ts';
import { qrPng, renderTicketsPdf } from '../../outside/ticket-pdf/index.ts';
import type { Attachment, Rendered, RenderMail } from '../../road/mail.ts';
import { type Id, timeOf, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { eventById } from '../events/index.ts';
import { appointmentsOf } from './appointments.ts';
import { daysIn, printOf, typeName } from './print.ts';
import type { Snapshot, SnapshotTicket } from './snapshot.ts';
import { type EventWorld, worldOf } from './world.ts';

/** Mails with tickets in them. */
const WITH_TICKETS: readonly MailKind[] = ['confirmation', 'attendee_ticket', 'ticket_reissued'];
/** Mails that tell of people who are cancelled. */
const ABOUT_CANCELLED: readonly MailKind[] = ['cancelled', 'attendee_cancelled'];
/** Mails that take back what an earlier one put into a calendar. */
const REMOVING_APPOINTMENTS: readonly MailKind[] = [...ABOUT_CANCELLED, 'registration_expired'];

/**
 * Writes a registration's mail in its own language, else the event's, and in the organization's words. The tickets come along as
 * PDF, in the event's language: a ticket looks the same whoever prints it.
 */
export const renderLetter: RenderMail = async (tx, mail): Promise<Rendered> => {
  const { registration, tickets, reason, attendee, language } = mail.data as Snapshot & { attendee?: Id };
  const kind = mail.kind as MailKind;
  const event = await eventById(tx, mail.org_id, mail.event_id!);
  if (event === null) throw new Error('the event is gone');
  const world = await worldOf(tx, mail.org_id, event);
  const org = await tx.one<{ name: string; terminology: Record<string, string> }>(sql`
    select name, terminology from organizations where id = ${mail.org_id}`);
  const organization = { name: org.name, terminology: { ...DEFAULT_TERMINOLOGY, ...org.terminology } };
  const mine = attendee === undefined ? null : toUlid(attendee);
  const people = registration.attendees
    .filter((person) => person.status !== 'cancelled' || ABOUT_CANCELLED.includes(kind))
    .filter((person) => mine === null || person.id === mine);
  const own = tickets.filter((ticket) => mine === null || ticket.attendees.some((person) => person.id === mine));
  const withTickets = WITH_TICKETS.includes(kind) && own.length > 0;
  const data: MailData = {
    organization,
    event: { ...event, language: language ?? event.language },
    recipient: { name: mail.recipient_name ?? '' },
    registration,
    people: people.map((person) => ({
      name: `${person.first_name} ${person.last_name}`,
      attendee_type: typeName(world, person.attendee_type),
      days: shownDays(world, person.days),
      price_minor: person.price_minor,
    })),
    tickets: own.map((ticket) => ({
      code: ticket.code,
      people: ticket.attendees.map((person) => `${person.first_name} ${person.last_name}`),
      ...(withTickets && { qr: pictureOf(ticket) }),
    })),
    reason,
    links: {},
  };
  const letter = renderMail(kind, data);
  const name = `${event.code}-${registration.code}`;
  const calendar = (method: 'PUBLISH' | 'CANCEL'): Attachment[] => {
    const appointments = appointmentsOf(
      world,
      mine ?? registration.code,
      people.flatMap((person) => person.days),
      registrationLine(data),
    );
    if (appointments.length === 0) return [];
    const text = calendarOf({ method, at: timeOf(mail.id), appointments });
    return [
      {
        filename: `${name}.ics`,
        contentType: `text/calendar; charset=utf-8; method=${method}`,
        base64: Buffer.from(text).toString('base64'),
      },
    ];
  };
  if (!withTickets) {
    const had = REMOVING_APPOINTMENTS.includes(kind) && (registration.confirmed_at ?? null) !== null;
    return { ...letter, attachments: had ? calendar('CANCEL') : [] };
  }
  const prints = own.map((ticket) => printOf(organization, world, registration, ticket));
  return {
    ...letter,
    attachments: async () => [
      {
        filename: `${name}.pdf`,
        contentType: 'application/pdf',
        base64: (await renderTicketsPdf(prints, 'a4', mail.org_id)).toString('base64'),
      },
      ...calendar('PUBLISH'),
      ...(await picturesOf(own.slice(0, MOST_ROWS))),
    ],
  };
};

/** A day that the event has no more is still called something. */
const shownDays = (world: EventWorld, codes: readonly string[]): MailData['people'][number]['days'] => {
  const known = daysIn(world, codes);
  const names = new Set(known.map((day) => day.code));
  const gone = codes.filter((code) => !names.has(code));
  return [
    ...known.map(({ name, date, opens_at, closes_at }) => ({ name, date, opens_at, closes_at })),
    ...gone.map((name) => ({ name, date: null, opens_at: null, closes_at: null })),
  ];
};

const pictureOf = (ticket: SnapshotTicket): string => `${ticket.id}@turnout`;

/** As many as the mail shows. A code takes a millisecond; others get their turn between two of them. */
async function picturesOf(tickets: readonly SnapshotTicket[]): Promise<Attachment[]> {
  const pictures: Attachment[] = [];
  for (const ticket of tickets) {
    const base64 = qrPng(ticket.code).toString('base64');
    pictures.push({ filename: `${ticket.id}.png`, contentType: 'image/png', base64, cid: pictureOf(ticket) });
    await others();
  }
  return pictures;
}
