import type { PublicEvent as EventShape, PublicEvents } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { PageLinks } from '../../common/page-links.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import type { Listed } from './event-list.ts';
import type { ShownProduct, ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';
import { pagesOf } from './site.ts';

/** Anybody's site or app may read these, so every origin may; they hold nothing of a person. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
  'Cache-Control': 'public, max-age=5',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
} as const;

export const publicEvents = (
  organization: PublicOrganization,
  { events, next }: Listed,
  links: PageLinks,
): PublicEvents => ({
  organization: profileOf(organization, links),
  events: events.map((one) => eventJson(one, links)),
  next: next === null ? null : `${links.pages(pagesOf(organization))}/events.json?after=${next}`,
});

function profileOf(organization: PublicOrganization, links: PageLinks): PublicEvents['organization'] {
  const { org, logo_id } = organization;
  const pages = pagesOf(organization);
  return {
    code: org.code,
    name: org.name,
    url: links.pages(pages),
    logo: logo_id === null ? null : links.picture(pages, logo_id, 'logo'),
  };
}

/** Whether it is offered to any of the types that everybody sees. */
const isForAnybody = ({ attendee_type_ids: ids }: ShownProduct, types: readonly ShownType[]): boolean =>
  ids === null || types.some(({ id }) => ids.includes(id));

const codesOf = (all: readonly { id: Id; code: string }[], ids: readonly Id[] | null): string[] | null =>
  ids === null ? null : all.filter(({ id }) => ids.includes(id)).map(({ code }) => code);

export function eventJson({ event, days, types, products, left, state }: ShownEvent, links: PageLinks): EventShape {
  return {
    id: toUlid(event.id),
    code: event.code,
    name: event.name,
    url: links.eventPage(event, event),
    starts_at: event.starts_at,
    ends_at: event.ends_at,
    timezone: event.timezone,
    venue: event.venue,
    image: event.image_id === null ? null : links.picture(event, event.image_id, 'image'),
    currency: event.currency,
    registration: state,
    days: days.map((day) => ({
      code: day.code,
      name: day.name,
      date: day.date,
      availability: left.days.get(day.id)!,
    })),
    attendee_types: types.map((type) => ({
      code: type.code,
      name: type.name,
      description: type.description,
      price_minor: type.price_minor,
      current_price_minor: type.price.price_minor,
      current_price_until: type.price.until,
      availability: left.types.get(type.id)!,
    })),
    products: products
      .filter((product) => isForAnybody(product, types))
      .map((product) => ({
        code: product.code,
        name: product.name,
        description: product.description,
        price_minor: product.price_minor,
        per: product.per,
        max: product.max,
        required: product.required,
        attendee_types: codesOf(types, product.attendee_type_ids),
        days: codesOf(days, product.day_ids),
        options: product.options.map(({ id, code, name }) => ({ code, name, availability: left.units.get(id)!.state })),
        availability: left.units.get(product.id)!.state,
      })),
  };
}
