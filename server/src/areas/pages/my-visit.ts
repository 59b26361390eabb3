import type { Translate } from '@turnout/words';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toUlid, toUuid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { formatEventDates, formatInstant, type Moment } from '../../outside/locale.ts';
import { formatMoney } from '../../outside/money.ts';
import type { EventRow } from '../events/index.ts';
import { type AttendeeState, isHandedOn } from '../registrations/index.ts';
import { type OpenedLink, openLink } from './my-open.ts';
import { organizationOf, type PageParts, type PageRequest } from './parts.ts';
import { hrefOf, type Site, siteOf } from './site.ts';
import { requireFewVisits } from './visitor-limits.ts';

/** Somebody who has opened a link, and what their pages are drawn with. */
export interface Visit extends OpenedLink {
  site: Site;
  t: Translate<'my'>;
  now: Date;
  /** Whether a payment provider is set up. */
  online: boolean;
}

export type VisitHandler = (visit: Visit, request: PageRequest, reply: FastifyReply) => Promise<unknown>;

/** A handler that gets what the link in the address opens. The pages speak the language of the registrant's mails, or the chosen one. */
export const byLink =
  (parts: PageParts, handler: VisitHandler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const page = request as PageRequest;
    const organization = await organizationOf(parts, page);
    const opened = await openLink(parts, organization, page);
    const { registration, attendee, world } = opened;
    if (page.method === 'GET') await requireFewVisits(parts, (attendee ?? registration).id);
    const own = await siteOf(page, organization, registration.contact.language ?? world.event.language);
    // No other site may show these pages in a frame, where somebody could be led to click on what they do not see.
    const site = { ...own, embedded: false };
    const online = parts.outside.payments !== null && !registration.test;
    return handler({ ...opened, site, t: site.words.in('my'), now: parts.clock.now(), online }, page, reply);
  };

/** The address of a page below the link. */
export const within = ({ site, token }: Visit, path = '', query: Record<string, string> = {}): string =>
  hrefOf(site, `/my/${token}${path}`, query);

export const placePath = ({ id }: AttendeeState, action: string): string => `/people/${toUlid(id)}/${action}`;

/** The attendee that an address names, if the link opens it. */
export function placeIn({ registration, attendee }: Visit, { params }: PageRequest): AttendeeState {
  const id = /^[0-9A-Z]{26}$/.test(params.attendee!) ? toUuid(params.attendee!) : null;
  const found = registration.attendees.find((one) => one.id === id);
  if (found === undefined || (attendee !== null && attendee !== found)) return refuse('not_found');
  if (attendee === null && isHandedOn(registration, found)) return refuse('not_found');
  return found;
}

export const nameOf = ({ first_name, last_name }: Pick<AttendeeState, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim();

const momentOf = ({ site, world }: Visit): Moment => ({ language: site.language, timezone: world.event.timezone });

export const money = (visit: Visit, minor: number): string =>
  formatMoney(minor, visit.registration.currency, momentOf(visit));

export const instant = (visit: Visit, at: string): string => formatInstant(at, momentOf(visit));

/** When the event is, in its own time zone and with the name of that zone. Null if it has no date. */
export function whenOf(visit: Visit): string | null {
  const { event } = visit.world;
  const dates = formatEventDates({ ...event, ...momentOf(visit) });
  return dates === null ? null : `${dates} (${zoneOf(event, visit.site.language)})`;
}

function zoneOf({ timezone, starts_at, ends_at }: EventRow, language: string): string {
  const at = new Date(starts_at ?? ends_at!);
  const parts = new Intl.DateTimeFormat(language, { timeZone: timezone, timeZoneName: 'long' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}
