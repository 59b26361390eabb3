import Type from 'typebox';
import {
  Body,
  Code,
  Count,
  Currency,
  CurrencyInput,
  Language,
  Name,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Text,
  Timestamp,
  TimestampInput,
  Timezone,
  Ulid,
} from '../formats.ts';

export const EVENT_STATUSES = ['draft', 'published', 'closed', 'archived'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
export const TICKETINGS = ['per_person', 'per_day', 'shared'] as const;
export type Ticketing = (typeof TICKETINGS)[number];

const status = OneOf(EVENT_STATUSES);
const ticketing = OneOf(TICKETINGS, {
  description: 'One ticket a person, one a person and day, or one for everybody of a registration.',
});
const language = Language('Language of mails and tickets (BCP 47).');

const registration = {
  opens_at: Nullable(TimestampInput('Null: as soon as the event is published.')),
  closes_at: Nullable(TimestampInput('Null: until the event closes.')),
  approval: Type.Boolean({ description: 'Each registration waits for an organizer’s approval.' }),
  waitlist: Type.Boolean({ description: 'A full event, type or day waitlists instead of refusing.' }),
  max_people: Nullable(Count('Most people of one registration.', 1, 1000)),
  unique_email: Type.Boolean({ description: 'An e-mail address registers once.' }),
  payment_hours: Count('Hours until an unpaid registration expires.', 1, 8760),
};
export const RegistrationRules = Type.Object(registration);
export type RegistrationRules = Type.Static<typeof RegistrationRules>;
export const DEFAULT_REGISTRATION_RULES: RegistrationRules = {
  opens_at: null,
  closes_at: null,
  approval: false,
  waitlist: false,
  max_people: null,
  unique_email: false,
  payment_hours: 72,
};

export const Event = Type.Object({
  id: Ulid('The event.'),
  code: Code('Unique in the organization, ignoring case.', 'summer-fair'),
  name: Type.String(),
  status,
  test: Type.Boolean({ description: 'Made with a test key, or for tests.' }),
  group: Nullable(Type.String({ description: 'Code of its group; null: of the whole organization.' })),
  timezone: Timezone(),
  starts_at: Nullable(Timestamp('As it was set, else when the first of its days opens.')),
  ends_at: Nullable(Timestamp('As it was set, else when the last of its days closes.')),
  venue: Nullable(Type.String()),
  currency: Currency(),
  capacity: Nullable(Type.Integer({ description: 'Most people; null: no limit but the plan’s.' })),
  ticketing,
  language,
  terms: Nullable(Type.String({ description: 'Printed on the ticket.' })),
  registration: RegistrationRules,
  ...Stamps,
});
export type Event = Type.Static<typeof Event>;

const changeable = {
  timezone: Type.Optional(Timezone()),
  starts_at: Type.Optional(Nullable(TimestampInput('Null: as its days say.'))),
  ends_at: Type.Optional(Nullable(TimestampInput('Null: as its days say.'))),
  venue: Type.Optional(Nullable(Text(500))),
  currency: Type.Optional(CurrencyInput()),
  capacity: Type.Optional(Nullable(Count('Most people; null: no limit but the plan’s.'))),
  ticketing: Type.Optional(ticketing),
  language: Type.Optional(language),
  terms: Type.Optional(Nullable(Text(5000))),
  registration: Type.Optional(
    Body({
      opens_at: Type.Optional(registration.opens_at),
      closes_at: Type.Optional(registration.closes_at),
      approval: Type.Optional(registration.approval),
      waitlist: Type.Optional(registration.waitlist),
      max_people: Type.Optional(registration.max_people),
      unique_email: Type.Optional(registration.unique_email),
      payment_hours: Type.Optional(registration.payment_hours),
    }),
  ),
};

export const EventCreate = Body({
  code: Type.Optional(Code('Made from the name when left out.', 'summer-fair')),
  name: Name(200, { example: 'Summer Fair' }),
  test: Type.Optional(
    Type.Boolean({ description: 'A test event. Always true with a test key; fixed once the event is made.' }),
  ),
  group: Type.Optional(Nullable(Ref('group', 'Defaults to the key’s own group.'))),
  ...changeable,
});
export type EventCreate = Type.Static<typeof EventCreate>;

export const EventChange = Body(
  {
    code: Type.Optional(Code()),
    name: Type.Optional(Name(200)),
    group: Type.Optional(Nullable(Ref('group'))),
    ...changeable,
  },
  { minProperties: 1 },
);
export type EventChange = Type.Static<typeof EventChange>;
