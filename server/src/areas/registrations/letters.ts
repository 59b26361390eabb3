import { setImmediate as nextTurn } from 'node:timers/promises';
import { accentOf, DEFAULT_TERMINOLOGY, lineTotal, type RegisteredProduct } from '@turnout/contract';
import { type Id, timeOf, toUlid } from '../../common/ids.ts';
import { type Appointment, calendarOf } from '../../outside/calendar.ts';
import {
  MAX_ATTACHED,
  MAX_ROWS,
  type MailData,
  type MailKind,
  registrationLine,
  renderMail,
} from '../../outside/mail-templates/index.ts';
import {
  documentsOf,
  PrintedTooLong,
  qrPng,
  renderTicketsPdf,
  type TicketPrint,
} from '../../outside/ticket-pdf/index.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { Attachment, Rendered, RenderMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import { eventById } from '../events/index.ts';
import { appointmentsOf } from './appointments.ts';
import { linksOf } from './letter-links.ts';
import { copyFor, daysIn, printOf, productText, typeName } from './print.ts';
import type { Snapshot, SnapshotTicket } from './snapshot.ts';
import { type EventWorld, worldOf } from './world.ts';

/** Mails that bring tickets. */
const WITH_TICKETS: readonly MailKind[] = ['confirmation', 'attendee_ticket', 'ticket_reissued', 'place_received'];
/** Mails about cancelled attendees. */
const ABOUT_CANCELLED: readonly MailKind[] = ['cancelled', 'attendee_cancelled'];
/** Mails that remove what an earlier mail put into a calendar. */
const REMOVING_APPOINTMENTS: readonly MailKind[] = [...ABOUT_CANCELLED, 'registration_expired', 'place_handed_on'];

export interface LetterParts {
  links: Links;
  /** Whether a payment provider is set up. Then mails do not say how to pay in other ways. */
  online: boolean;
  /** Reads an organization's logo as PNG. Without it, mails show the name. */
  logoOf?: (org: Id, logo: Id) => Promise<Buffer | null>;
}
const LOGO = 'logo@turnout';

/**
 * Renders a mail about a registration, in the registrant's language (or else the event's) and with the organization's terminology.
 * Tickets are attached as PDF, always in the event's language: a ticket looks the same whoever prints it.
 */
export const letterRenderer =
  (parts: LetterParts): RenderMail =>
  async (tx, mail): Promise<Rendered | (() => Promise<Rendered>)> => {
    const snapshot = mail.data as Snapshot & { attendee?: Id; attendees?: Id[] };
    const { registration, tickets, attendee } = snapshot;
    const kind = mail.kind as MailKind;
    const event = await eventById(tx, mail.org_id, mail.event_id!);
    if (event === null) throw new Error('The event of the mail was deleted.');
    const world = await worldOf(tx, mail.org_id, event);
    // Several attendees of a registration who share an address get one mail.
    const several = snapshot.attendees ?? [];
    const [org, links, ...linksOfEach] = await Promise.all([
      tx.one<OrganizationLook>(sql`
      select name, terminology, accent, logo_id from organizations where id = ${mail.org_id}`),
      several.length > 0 ? {} : linksOf(tx, parts.links, event, mail),
      ...several.map((id) => linksOf(tx, parts.links, event, { ...mail, object_id: id })),
    ]);
    const linkOf = new Map(several.map((id, i) => [toUlid(id), linksOfEach[i]?.manage]));
    const hasLogo = parts.logoOf !== undefined && org.logo_id !== null;
    const organization = {
      name: org.name,
      terminology: { ...DEFAULT_TERMINOLOGY, ...org.terminology },
      accent: org.accent === null ? null : accentOf(org.accent).light,
      logo: hasLogo ? LOGO : null,
    };
    const mine = attendee === undefined ? null : toUlid(attendee);
    const ids = several.length > 0 ? several.map(toUlid) : mine === null ? null : [mine];
    const whose = registration.attendees.filter((one) => ids?.includes(one.id) ?? one.handed_on !== true);
    const attendees = whose.filter((one) => one.status !== 'cancelled' || ABOUT_CANCELLED.includes(kind));
    const own = tickets.map((ticket) => copyFor(ticket, whose)).filter((ticket) => ticket.attendees.length > 0);
    const withTickets = WITH_TICKETS.includes(kind) && own.length > 0;
    const data: MailData = {
      // Whoever had a place before is told neither who has it now nor the code of the new ticket.
      ...(kind === 'place_handed_on'
        ? mailData(world, snapshot, [], [], false)
        : mailData(world, snapshot, attendees, own, withTickets, linkOf)),
      organization,
      online: parts.online,
      payment_instructions: parts.online ? null : event.payment_instructions,
      links: withTickets ? links : withoutCalendar(links),
      recipient: { name: mail.recipient_name ?? '' },
    };
    const name = `${event.code}-${registration.code}`;
    const logo = async (): Promise<Attachment[]> => {
      const png = hasLogo ? await parts.logoOf!(mail.org_id, org.logo_id!) : null;
      return png === null
        ? []
        : [{ filename: 'logo.png', contentType: 'image/png', base64: png.toString('base64'), cid: LOGO }];
    };
    const calendar = (method: 'PUBLISH' | 'CANCEL'): Attachment[] => {
      const days = attendees.flatMap((one) => one.days);
      const appointments = appointmentsOf(world, mine ?? registration.code, days, registrationLine(data));
      return calendarFile(name, method, timeOf(mail.id), appointments);
    };
    if (!withTickets) {
      const had = REMOVING_APPOINTMENTS.includes(kind) && (registration.confirmed_at ?? null) !== null;
      const removed = had ? calendar('CANCEL') : [];
      return async () => ({ ...renderMail(kind, data), attachments: [...removed, ...(await logo())] });
    }
    const prints = own.slice(0, MAX_ATTACHED).map((ticket) => printOf(organization, world, registration, ticket));
    return async () => {
      const { files, attached } = await printTickets(name, prints, mail.org_id);
      return {
        ...renderMail(kind, { ...data, attached }),
        attachments: [
          ...files,
          ...calendar('PUBLISH'),
          ...(await picturesOf(own.slice(0, MAX_ROWS))),
          ...(await logo()),
        ],
      };
    };
  };

/**
 * The tickets as PDF files, and how many tickets are in them. If printing takes too long, the mail goes without them and says so: trying
 * again would take as long, and the mail still brings the QR codes and the link to the registration.
 */
async function printTickets(
  name: string,
  tickets: readonly TicketPrint[],
  org: Id,
): Promise<{ files: Attachment[]; attached: number }> {
  const files: Attachment[] = [];
  let attached = 0;
  try {
    for (const [n, part] of documentsOf(tickets).entries()) {
      const filename = n === 0 ? `${name}.pdf` : `${name}-${n + 1}.pdf`;
      const pdf = await renderTicketsPdf(part, 'a4', org);
      files.push({ filename, contentType: 'application/pdf', base64: pdf.toString('base64') });
      attached += part.length;
    }
  } catch (error) {
    if (!(error instanceof PrintedTooLong)) throw error;
  }
  return { files, attached };
}

/** What the template shows of the registration: these attendees and these tickets. */
const mailData = (
  world: EventWorld,
  { registration, reason, language }: Snapshot,
  attendees: Snapshot['registration']['attendees'],
  tickets: readonly SnapshotTicket[],
  withTickets: boolean,
  linkOf: ReadonlyMap<string, string | undefined> = new Map(),
): Omit<MailData, 'organization' | 'recipient' | 'links'> => ({
  event: { ...world.event, language: language ?? world.event.language },
  registration,
  products: productLines(world, registration.products),
  people: attendees.map((one) => ({
    name: `${one.first_name} ${one.last_name}`,
    attendee_type: typeName(world, one.attendee_type),
    days: shownDays(world, one.days),
    price_minor: one.price_minor - (one.discount_minor ?? 0),
    products: productLines(world, one.products),
    manage: linkOf.get(one.id) ?? null,
  })),
  tickets: tickets.map((ticket) => ({
    code: ticket.code,
    people: ticket.attendees.map((one) => `${one.first_name} ${one.last_name}`),
    ...(withTickets && { qr: pictureOf(ticket) }),
  })),
  reason,
});

const productLines = (
  world: EventWorld,
  lines: readonly RegisteredProduct[] = [],
): { text: string; amount_minor: number }[] =>
  lines.map((line) => ({ text: productText(world, line), amount_minor: lineTotal(line) }));

interface OrganizationLook {
  name: string;
  terminology: Record<string, string>;
  accent: string | null;
  logo_id: Id | null;
}

const withoutCalendar = ({ manage }: MailData['links']): MailData['links'] => (manage === undefined ? {} : { manage });

/** The calendar file, if there is anything to put into a calendar. */
function calendarFile(
  name: string,
  method: 'PUBLISH' | 'CANCEL',
  at: Date,
  appointments: readonly Appointment[],
): Attachment[] {
  if (appointments.length === 0) return [];
  return [
    {
      filename: `${name}.ics`,
      contentType: `text/calendar; charset=utf-8; method=${method}`,
      base64: Buffer.from(calendarOf({ method, at, appointments })).toString('base64'),
    },
  ];
}

/** Days that the event no longer has are shown by their code. */
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

/** The QR codes of the tickets that the mail shows. One takes about a millisecond to draw, so other work gets a turn after each. */
async function picturesOf(tickets: readonly SnapshotTicket[]): Promise<Attachment[]> {
  const pictures: Attachment[] = [];
  for (const ticket of tickets) {
    const base64 = qrPng(ticket.code).toString('base64');
    pictures.push({ filename: `${ticket.id}.png`, contentType: 'image/png', base64, cid: pictureOf(ticket) });
    await nextTurn();
  }
  return pictures;
}
