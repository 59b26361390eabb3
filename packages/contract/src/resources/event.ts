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
  description:
    '`per_person`: one ticket per attendee. `per_day`: one per attendee and day. `shared`: one for all attendees of a registration.',
});
const language = Language('The language of mails and tickets (BCP 47).');

const registration = {
  opens_at: Nullable(TimestampInput('Null: as soon as the event is published.')),
  closes_at: Nullable(TimestampInput('Null: until the event closes.')),
  approval: Type.Boolean({ description: 'Whether each registration waits for the approval of an organizer.' }),
  waitlist: Type.Boolean({
    description: 'Whether registrations for a full event, type or day are waitlisted instead of refused.',
  }),
  max_people: Nullable(Count('The most attendees in one registration.', 1, 1000)),
  unique_email: Type.Boolean({ description: 'Whether an e-mail address can be registered only once.' }),
  payment_hours: Count('Hours until an unpaid registration expires.', 1, 8760),
  checkout_minutes: Count(
    'Minutes for which the form first holds places that can be paid online. Opening the payment page holds them until it ends. `payment_hours` applies once the registrant’s address is proven.',
    5,
    1440,
  ),
  confirm_hours: Count(
    'Hours for which the form first holds places that cannot be paid online. `payment_hours` applies once the registrant’s address is proven.',
    1,
    720,
  ),
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
  checkout_minutes: 30,
  confirm_hours: 24,
};

/** Each answer is on every scanner of the event, so there are few. */
export const MAX_DOOR_QUESTIONS = 3;
const door = {
  name_search: Type.Boolean({
    description: 'Whether scanners may find people by name and check them in without a code.',
  }),
  kiosk: Type.Boolean({ description: 'Whether scanners may be left to visitors, who check themselves in.' }),
  questions: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: MAX_DOOR_QUESTIONS,
    uniqueItems: true,
    description: `Codes of up to ${MAX_DOOR_QUESTIONS} questions whose answers scanners show beside a name, to tell people apart. A code that no question has shows nothing.`,
  }),
};
export const DoorRules = Type.Object(door, { description: 'What scanners may do besides reading codes.' });
export type DoorRules = Type.Static<typeof DoorRules>;
export const DEFAULT_DOOR_RULES: DoorRules = { name_search: false, kiosk: false, questions: [] };

const until = (what: string) => Nullable(TimestampInput(`Until when ${what} Null: not allowed.`));
const selfService = {
  change_until: until('people may change their names and answers by their link.'),
  cancel_until: until('people may cancel by their link. Nothing is refunded by that.'),
  transfer_until: until('people may hand their place to somebody else by their link.'),
  products_until: until(
    'people may change what they have booked beside the ticket by their link. Nothing is refunded by that.',
  ),
};
export const SelfService = Type.Object(selfService, {
  description: 'What registrants and attendees may do by themselves on the registration pages.',
});
export type SelfService = Type.Static<typeof SelfService>;
export const DEFAULT_SELF_SERVICE: SelfService = {
  change_until: null,
  cancel_until: null,
  transfer_until: null,
  products_until: null,
};

/** Addresses below an organization's pages that are no event (apps.md, tenant hosts). */
export const RESERVED_EVENT_CODES = ['events', 'my', 'assets', 'embed', 'robots', 'favicon'] as const;
export const isReservedEventCode = (code: string): boolean =>
  (RESERVED_EVENT_CODES as readonly string[]).includes(code.toLowerCase());

const aboutListed =
  'Whether the event is in the public list of the organization’s events while it is published. Its own page is there either way.';
const aboutInstructions =
  'How to pay without a payment provider, such as the bank account. Shown and mailed with the registration’s code, which is the reference of the transfer.';

export const Event = Type.Object({
  id: Ulid('The event.'),
  code: Code('Unique in the organization, ignoring case.', 'summer-fair'),
  name: Type.String(),
  status,
  test: Type.Boolean({
    description:
      'Whether this is a test event, in which everything is a test: also what is registered and scanned with a live key. A live key lists the check-ins of a test event with `test=true`.',
  }),
  group: Nullable(
    Type.String({ description: 'Code of the group that the event belongs to. Null: the whole organization.' }),
  ),
  timezone: Timezone(),
  starts_at: Nullable(Timestamp('As set for the event; otherwise, when the first of its days opens.')),
  ends_at: Nullable(Timestamp('As set for the event; otherwise, when the last of its days closes.')),
  venue: Nullable(Type.String()),
  currency: Currency(),
  capacity: Nullable(Type.Integer({ description: 'The most attendees. Null: only the plan’s limit.' })),
  ticketing,
  language,
  terms: Nullable(Type.String({ description: 'Text that is printed on the ticket.' })),
  description: Nullable(Type.String({ description: 'What the event is about, in Markdown.' })),
  image: Nullable(Type.String({ description: 'Address of the event’s picture.' })),
  listed: Type.Boolean({ description: aboutListed }),
  public_url: Type.String({ description: 'Address of the event’s registration page.' }),
  payment_instructions: Nullable(Type.String({ description: aboutInstructions })),
  registration: RegistrationRules,
  self_service: SelfService,
  door: DoorRules,
  ...Stamps,
});
export type Event = Type.Static<typeof Event>;

const changeable = {
  timezone: Type.Optional(Timezone()),
  starts_at: Type.Optional(Nullable(TimestampInput('Null: when the first of its days opens.'))),
  ends_at: Type.Optional(Nullable(TimestampInput('Null: when the last of its days closes.'))),
  venue: Type.Optional(Nullable(Text(500))),
  currency: Type.Optional(CurrencyInput()),
  capacity: Type.Optional(Nullable(Count('The most attendees. Null: only the plan’s limit.'))),
  ticketing: Type.Optional(ticketing),
  language: Type.Optional(language),
  terms: Type.Optional(Nullable(Text(5000))),
  description: Type.Optional(Nullable(Text(20_000, { description: 'What the event is about, in Markdown.' }))),
  listed: Type.Optional(Type.Boolean({ description: `${aboutListed} Default true.` })),
  payment_instructions: Type.Optional(Nullable(Text(2000, { description: aboutInstructions }))),
  registration: Type.Optional(
    Body({
      opens_at: Type.Optional(registration.opens_at),
      closes_at: Type.Optional(registration.closes_at),
      approval: Type.Optional(registration.approval),
      waitlist: Type.Optional(registration.waitlist),
      max_people: Type.Optional(registration.max_people),
      unique_email: Type.Optional(registration.unique_email),
      payment_hours: Type.Optional(registration.payment_hours),
      checkout_minutes: Type.Optional(registration.checkout_minutes),
      confirm_hours: Type.Optional(registration.confirm_hours),
    }),
  ),
  self_service: Type.Optional(
    Body({
      change_until: Type.Optional(selfService.change_until),
      cancel_until: Type.Optional(selfService.cancel_until),
      transfer_until: Type.Optional(selfService.transfer_until),
      products_until: Type.Optional(selfService.products_until),
    }),
  ),
  door: Type.Optional(Body(Type.Partial(Type.Object(door)).properties)),
};

export const EventCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'summer-fair')),
  name: Name(200, { example: 'Summer Fair' }),
  test: Type.Optional(
    Type.Boolean({ description: 'Whether it is a test event. Always true with a test key. Cannot be changed later.' }),
  ),
  group: Type.Optional(Nullable(Ref('group', 'Default: the group that the key is limited to, if any.'))),
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
