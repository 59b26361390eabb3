import Type from 'typebox';
import { Code, Currency, LocalDate, Money, Nullable, OneOf, Timestamp, Timezone, Ulid } from '../formats.ts';
import { PRODUCT_TAKERS } from './product.ts';

/** What anybody may know of an organization's events: no number of people, and no person. */
export const PUBLIC_AVAILABILITIES = ['available', 'few', 'waitlist', 'sold_out'] as const;
export type PublicAvailability = (typeof PUBLIC_AVAILABILITIES)[number];
export const PUBLIC_REGISTRATIONS = ['open', 'not_yet', 'closed'] as const;
export type PublicRegistration = (typeof PUBLIC_REGISTRATIONS)[number];

const availability = OneOf(PUBLIC_AVAILABILITIES, {
  description: '`few`: fewer than ten places, or less than a tenth of all of them.',
});

export const PublicEvent = Type.Object({
  id: Ulid('The event.'),
  code: Code('Unique in the organization, ignoring case.', 'summer-fair'),
  name: Type.String(),
  url: Type.String({ description: 'Address of the event’s page.' }),
  starts_at: Nullable(Timestamp()),
  ends_at: Nullable(Timestamp()),
  timezone: Timezone(),
  venue: Nullable(Type.String()),
  image: Nullable(Type.String({ description: 'Address of the event’s picture.' })),
  currency: Currency(),
  registration: OneOf(PUBLIC_REGISTRATIONS, { description: 'Whether one can register now.' }),
  days: Type.Array(Type.Object({ code: Code(undefined, 'd1'), name: Type.String(), date: LocalDate(), availability })),
  attendee_types: Type.Array(
    Type.Object({
      code: Code(undefined, 'adult'),
      name: Type.String(),
      description: Nullable(Type.String()),
      price_minor: Money('The regular price.'),
      current_price_minor: Money('What it costs now.'),
      current_price_until: Nullable(Timestamp('When it will cost something else. Null: no change is planned.')),
      availability,
    }),
    { description: 'Those that are offered. A type that is not on sale now is `sold_out`.' },
  ),
  products: Type.Array(
    Type.Object({
      code: Code(undefined, 'workshop'),
      name: Type.String(),
      description: Nullable(Type.String()),
      price_minor: Money('What one unit costs.'),
      per: OneOf(PRODUCT_TAKERS, {
        description: '`attendee`: each person takes it. `registration`: it is taken once for all of them.',
      }),
      max: Type.Integer({ description: 'The most units that one taker has, of all options together.' }),
      required: Type.Boolean({ description: 'Whether everybody to whom it is offered has to take it.' }),
      attendee_types: Nullable(
        Type.Array(Type.String(), { description: 'Codes of the attendee types it is offered to. Null: all.' }),
      ),
      days: Nullable(
        Type.Array(Type.String(), {
          description: 'Codes of the days; it is offered to whoever comes on one of them. Null: all.',
        }),
      ),
      options: Type.Array(Type.Object({ code: Code(undefined, 'm'), name: Type.String(), availability })),
      availability,
    }),
    { description: 'What can be booked beside the ticket now.' },
  ),
});
export type PublicEvent = Type.Static<typeof PublicEvent>;

export const PublicOrganizationProfile = Type.Object({
  code: Code('The organization’s code.', 'acme'),
  name: Type.String(),
  url: Type.String({ description: 'Address of the list of its events.' }),
  logo: Nullable(Type.String({ description: 'Address of the organization’s logo.' })),
});

export const PublicEvents = Type.Object({
  organization: PublicOrganizationProfile,
  events: Type.Array(PublicEvent),
  next: Nullable(Type.String({ description: 'Address of the next page. Null: this is the last one.' })),
});
export type PublicEvents = Type.Static<typeof PublicEvents>;
