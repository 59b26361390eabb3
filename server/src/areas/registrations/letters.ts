import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import { type MailData, type MailKind, renderMail } from '../../outside/mail-templates/index.ts';
import { renderTicketsPdf } from '../../outside/ticket-pdf/index.ts';
import type { Rendered, RenderMail } from '../../road/mail.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { eventById } from '../events/index.ts';
import { dayName, printOf, typeName } from './print.ts';
import type { Snapshot } from './snapshot.ts';
import { worldOf } from './world.ts';

/** Mails with tickets in them. */
const WITH_TICKETS: readonly MailKind[] = ['confirmation', 'attendee_ticket', 'ticket_reissued'];
/** Mails that tell of people who are cancelled. */
const OF_CANCELLED: readonly MailKind[] = ['cancelled', 'attendee_cancelled'];

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
  const people = registration.attendees.filter(
    (person) => person.status !== 'cancelled' || OF_CANCELLED.includes(kind),
  );
  const own = tickets.filter((ticket) => mine === null || ticket.attendees.some((person) => person.id === mine));
  const data: MailData = {
    organization,
    event: { ...event, language: language ?? event.language },
    recipient: { name: mail.recipient_name ?? '' },
    registration,
    people: people
      .filter((person) => mine === null || person.id === mine)
      .map((person) => ({
        name: `${person.first_name} ${person.last_name}`,
        attendee_type: typeName(world, person.attendee_type),
        days: person.days.map((day) => dayName(world, day)),
        price_minor: person.price_minor,
      })),
    tickets: own.map((ticket) => ({
      code: ticket.code,
      people: ticket.attendees.map((person) => `${person.first_name} ${person.last_name}`),
    })),
    reason,
    links: {},
  };
  const letter = renderMail(kind, data);
  if (!WITH_TICKETS.includes(kind) || own.length === 0) return { ...letter, attachments: [] };
  const prints = own.map((ticket) => printOf(organization, world, registration, ticket));
  return {
    ...letter,
    attachments: async () => [
      {
        filename: `${event.code}-${registration.code}.pdf`,
        contentType: 'application/pdf',
        base64: (await renderTicketsPdf(prints, 'a4', mail.org_id)).toString('base64'),
      },
    ],
  };
};
