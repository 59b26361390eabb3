import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE } from '../../clock.ts';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { calendarOf } from '../../outside/calendar.ts';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import { documentsOf, qrSvg, renderTicketsPdf, TICKETS_PER_DOCUMENT } from '../../outside/ticket-pdf/index.ts';
import { takeOf } from '../../road/for-areas/tries.ts';
import { transaction } from '../../store/tx.ts';
import {
  type AttendeeState,
  appointmentsOf,
  copyFor,
  dayCodes,
  ownPlaces,
  printOf,
  productShapes,
  type TicketState,
  ticketShape,
} from '../registrations/index.ts';
import { nameOf, type Visit, type VisitHandler, within } from './my-visit.ts';
import type { PageParts } from './parts.ts';

/** How many QR codes one page shows. The PDF files have all of them. */
const MAX_SHOWN_TICKETS = 40;
/** How many PDFs one link makes in ten minutes. Each takes the printing thread up to a second. */
const MAX_PDFS = 20;

/** Whose places the link opens. One that was handed on is its new holder's alone. */
export const placesOf = ({ registration, attendee }: Visit): AttendeeState[] =>
  attendee === null ? ownPlaces(registration) : [attendee];

/** The tickets that admit somebody whose place the link opens. An event that is archived is over, and admits nobody. */
export function validTickets(visit: Visit): TicketState[] {
  const { registration, world } = visit;
  if (registration.status !== 'confirmed' || world.event.status === 'archived') return [];
  const own = new Set(placesOf(visit).map(({ id }) => id));
  return registration.tickets.filter(
    ({ status, attendee_ids }) => status === 'valid' && attendee_ids.some((id) => own.has(id)),
  );
}

export async function drawTickets(visit: Visit): Promise<Html> {
  const { site, registration } = visit;
  const t = site.words.in('my');
  const tickets = validTickets(visit);
  if (tickets.length === 0) return html``;
  const names = new Map(placesOf(visit).map((one) => [one.id, nameOf(one)]));
  const drawn: Html[] = [];
  for (const { code, attendee_ids } of tickets.slice(0, MAX_SHOWN_TICKETS)) {
    const people = attendee_ids.flatMap((id) => names.get(id) ?? []).join(', ');
    const letters = (code.match(/.{1,4}/g) ?? []).join(' ');
    drawn.push(
      html`<section class="ticket" aria-label="${people}"><strong>${people}</strong>${qrSvg(code, t('qr'))}<span class="code">${letters}</span></section>`,
    );
    await nextTurn(); // a code takes up to a millisecond when it is drawn for the first time, and a tenth of that afterwards
  }
  const left = tickets.length - MAX_SHOWN_TICKETS;
  const more = left > 0 ? html`<p class="soft">${t('moreTickets', { count: left })}</p>` : '';
  const calendar =
    registration.status === 'confirmed' && appointmentsIn(visit).length > 0
      ? html`<a class="button quiet" href="${within(visit, '/calendar.ics')}">${t('calendar')}</a>`
      : '';
  return html`<h2>${t('tickets')}</h2>${join(drawn)}${more}<div class="actions">${join(pdfLinks(visit, tickets.length))}${calendar}</div>`;
}

/** One link, or if one document cannot hold all tickets, a link to each document with the numbers of its tickets. */
function pdfLinks(visit: Visit, count: number): Html[] {
  const t = visit.site.words.in('my');
  if (count <= TICKETS_PER_DOCUMENT) {
    return [html`<a class="button quiet" href="${within(visit, '/tickets.pdf')}">${t('pdf')}</a>`];
  }
  return Array.from({ length: Math.ceil(count / TICKETS_PER_DOCUMENT) }, (_, n) => {
    const [from, to] = [n * TICKETS_PER_DOCUMENT + 1, Math.min(count, (n + 1) * TICKETS_PER_DOCUMENT)];
    return html`<a class="button quiet" href="${within(visit, `/tickets.pdf?part=${n + 1}`)}">${t('pdf')}: ${from}–${to}</a>`;
  });
}

/** The tickets as PDF; of many, those of the part that the address names. */
export const ticketsPdf =
  (parts: PageParts): VisitHandler =>
  async (visit, request, reply) => {
    const { site, world, registration, attendee } = visit;
    const part = Number((request.query as { part?: unknown }).part ?? 1);
    const tickets = documentsOf(validTickets(visit))[part - 1] ?? refuse('not_found');
    const { org } = site.organization;
    await requireTurn(parts, `tickets of ${attendee?.id ?? registration.id}`, MAX_PDFS);
    const shaping = { world, groups: new Map() };
    const people = placesOf(visit).map(({ id, day_ids }) => ({ id: toUlid(id), days: dayCodes(shaping, day_ids) }));
    const attendees = placesOf(visit).map(({ id, products }) => ({
      id: toUlid(id),
      products: productShapes(shaping, products),
    }));
    const prints = tickets.map((ticket) =>
      printOf(
        org,
        world,
        { code: registration.code, attendees },
        copyFor(ticketShape(shaping, registration, ticket), people),
      ),
    );
    const pdf = await renderTicketsPdf(prints, 'a4', org.id);
    return sendFile(
      reply,
      'application/pdf',
      `${world.event.code}-${registration.code}${part === 1 ? '' : `-${part}`}.pdf`,
      pdf,
    );
  };

/** The days for a calendar, as the mail with the tickets brings them. */
export const calendarFile: VisitHandler = async (visit, _request, reply) => {
  const { registration, world } = visit;
  const appointments = registration.status === 'confirmed' ? appointmentsIn(visit) : [];
  if (appointments.length === 0) return refuse('not_found');
  const file = calendarOf({ method: 'PUBLISH', at: visit.now, appointments });
  return sendFile(reply, 'text/calendar; charset=utf-8', `${world.event.code}-${registration.code}.ics`, file);
};

function appointmentsIn(visit: Visit) {
  const { site, world, registration, attendee } = visit;
  const coming = placesOf(visit).filter(({ cancelled }) => !cancelled);
  const days = new Set(coming.flatMap(({ day_ids }) => day_ids));
  const codes = world.dayOrder.filter((id) => days.has(id)).map((id) => world.days.get(id)!.code);
  if (coming.length === 0) return [];
  const noun = site.words.noun('registration');
  const line = `${noun[0]!.toLocaleUpperCase()}${noun.slice(1)}: ${registration.code}`;
  return appointmentsOf(world, attendee === null ? registration.code : toUlid(attendee.id), codes, line);
}

function sendFile(reply: Parameters<VisitHandler>[2], type: string, name: string, content: Buffer | string) {
  return reply
    .headers({
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    })
    .send(content);
}

/** Counts one use of something, and refuses it if there were too many in the given time, which is ten minutes unless it says another. */
export async function requireTurn(
  { pool, clock, secrets }: Pick<PageParts, 'pool' | 'clock' | 'secrets'>,
  of: string,
  most: number,
  per = 10 * MINUTE,
): Promise<void> {
  const wait = await transaction(pool, clock, { role: 'system' }, (tx) => takeOf(tx, secrets, { of, most, per }));
  if (wait > 0) refuse('rate_limited', { headers: { 'Retry-After': String(Math.ceil(wait / 1000)) } });
}
