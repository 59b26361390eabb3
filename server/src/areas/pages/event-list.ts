import type { Id } from '../../common/ids.ts';
import { toUlid, toUuid } from '../../common/ids.ts';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import { leftOf, registrationState } from './availability.ts';
import { stateTag } from './event-parts.ts';
import type { PageParts } from './parts.ts';
import { type After, listPublic, readPublic } from './queries.ts';
import { readTogether, type ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Page, type Site } from './site.ts';
import { whenOf } from './when.ts';

export const PAGE = 100;

/** One page of the public list, and where the next one begins. */
export interface Listed {
  events: ShownEvent[];
  next: string | null;
}

export async function listShown(
  parts: PageParts,
  organization: PublicOrganization,
  after: After | null,
): Promise<Listed> {
  return readTogether(parts, organization, async (tx) => {
    const rows = await listPublic(tx, organization.org.id, after, PAGE + 1);
    const found = await readPublic(tx, organization.org.id, rows.slice(0, PAGE));
    const last = rows[PAGE - 1];
    const now = tx.clock.now();
    return {
      events: found.map((one) => ({
        ...one,
        left: leftOf(one, organization.plan.limits.attendees_per_event, now),
        state: registrationState(one, now),
        cover: null,
        preview: false,
        hasCodes: false,
        discount: null,
      })),
      next: rows.length > PAGE && last !== undefined ? cursorOf(last) : null,
    };
  });
}

/** A place in the list as it stands in an address. It names nothing that is not in the list. */
const cursorOf = ({ begins_at, id }: { begins_at: string; id: Id }): string =>
  Buffer.from(`${begins_at} ${toUlid(id)}`).toString('base64url');

/** Null if the address has no place in it, or one that was made up. */
export function afterOf(cursor: unknown): After | null {
  if (typeof cursor !== 'string' || cursor.length > 200) return null;
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z) ([0-7][0-9A-HJKMNP-TV-Z]{25})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  );
  if (match === null || !isMoment(match[1]!)) return null;
  return { begins_at: match[1]!, id: toUuid(match[2]!) };
}

/** JavaScript takes 30 February for a day in March and knows a year 0. PostgreSQL refuses both. */
const isMoment = (text: string): boolean =>
  !text.startsWith('0000') &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length));

export function listPage(site: Site, { events, next }: Listed, after: After | null): Page {
  const { t } = site;
  const title = t('eventsOf', { name: site.organization.org.name });
  const empty = html`<p class="notice">${t('noEvents')}</p>`;
  const rows = html`<ul class="rows">${join(events.map((one) => row(site, one)))}</ul>`;
  const more =
    next === null
      ? ''
      : html`<div class="actions"><a class="button quiet" rel="next" href="${hrefOf(site, '/', { after: next })}">${t('moreEvents')}</a></div>`;
  return {
    title,
    content: html`<h1>${title}</h1>${events.length === 0 ? empty : rows}${more}`,
    ...(after !== null && { noindex: true }),
  };
}

function row(site: Site, shown: ShownEvent): Html {
  const { event } = shown;
  const venue = event.venue === null ? '' : html`<br><span class="soft">${event.venue}</span>`;
  const when = whenOf(site, event);
  return html`<li><div><a href="${hrefOf(site, eventPath(event))}"><b dir="auto">${event.name}</b></a>${when === null ? '' : html`<br>${when}`}${venue}</div>${stateTag(site, shown)}</li>`;
}
