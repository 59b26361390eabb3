import Type from 'typebox';
import {
  Body,
  Code,
  Currency,
  CurrencyInput,
  Email,
  Keyed,
  LocalDateInput,
  MAX_SUM,
  Money,
  Name,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Sum,
  Text,
  Timestamp,
  Ulid,
} from '../formats.ts';

export const REGISTRATION_STATUSES = [
  'pending_approval',
  'waitlisted',
  'pending_payment',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
export const REGISTRATION_SOURCES = ['form', 'api', 'import', 'platform'] as const;
export type RegistrationSource = (typeof REGISTRATION_SOURCES)[number];
export const TICKET_STATUSES = ['valid', 'voided'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

const group = Nullable(Type.String({ description: 'Code of the group.' }));
const testMark = Type.Boolean({ description: 'Made with a test key: in no live count, list or export.' });

// ---- contact
export const Contact = Type.Object({
  id: Ulid('The contact.'),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  date_of_birth: Nullable(Type.String()),
  external_id: Nullable(Type.String({ description: 'The id that you know the person by.' })),
  group,
  test: testMark,
  erased_at: Nullable(Timestamp('When the personal data was erased.')),
  ...Stamps,
});
export type Contact = Type.Static<typeof Contact>;

const name = (example: string) => Name(200, { example });
const language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'Language of mails about this registration (BCP 47); null: the event’s.',
  examples: ['fr'],
});
const person = {
  email: Type.Optional(Nullable(Email())),
  phone: Type.Optional(Nullable(Text(50, { example: '+49 30 901820' }))),
  date_of_birth: Type.Optional(Nullable(LocalDateInput())),
  external_id: Type.Optional(Nullable(Text(200, { description: 'The id that you know the person by.' }))),
};
export const ContactChange = Body(
  {
    first_name: Type.Optional(Nullable(name('Ada'))),
    last_name: Type.Optional(Nullable(name('Lovelace'))),
    ...person,
    apply_to_registrations: Type.Optional(
      Type.Boolean({
        description:
          'Default false. True: open registrations of this contact, as registrant or attendee, get the changed values where they had the old ones.',
      }),
    ),
  },
  { minProperties: 1 },
);
export type ContactChange = Type.Static<typeof ContactChange>;
export const ContactChanged = Type.Object({
  ...Contact.properties,
  applied_to_registrations: Type.Integer({
    minimum: 0,
    description: 'How many registrations were changed with the contact.',
    examples: [0],
  }),
});
export type ContactChanged = Type.Static<typeof ContactChanged>;

// ---- ticket
const TicketPerson = Type.Object({
  id: Ulid('The attendee.'),
  first_name: Type.String(),
  last_name: Type.String(),
  attendee_type: Type.String({ description: 'Code of the attendee type.' }),
});
export const Ticket = Type.Object({
  id: Ulid('The ticket.'),
  code: Nullable(
    Type.String({
      description:
        'What the ticket shows as a QR code. Opaque. Null where the ticket also admits people out of the reach of a caller limited to a group.',
      examples: ['7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N'],
    }),
  ),
  status: OneOf(TICKET_STATUSES),
  event_id: Ulid('The event.'),
  registration_id: Ulid('The registration.'),
  attendees: Type.Array(TicketPerson),
  days: Type.Array(Type.String(), { description: 'Codes of the days it is for.' }),
  test: testMark,
  issued_at: Timestamp(),
  voided_at: Nullable(Timestamp()),
  void_reason: Nullable(Type.String()),
  replaced_by: Nullable(Type.String({ description: 'Id of the ticket that took its place.' })),
  ...Stamps,
});
export type Ticket = Type.Static<typeof Ticket>;
export const TicketIssue = Body({
  attendee: Type.String({ minLength: 1, maxLength: 63, 'x-reference': 'attendee', description: 'Id of the attendee.' }),
  days: Type.Optional(
    Type.Array(Ref('day'), {
      minItems: 1,
      maxItems: 366,
      uniqueItems: true,
      description: 'Only some of the person’s days.',
    }),
  ),
});
export type TicketIssue = Type.Static<typeof TicketIssue>;
export const TicketVoid = Body({ reason: Type.Optional(Text(200)) });
export type TicketVoid = Type.Static<typeof TicketVoid>;

export const TicketReissue = Body({
  send: Type.Optional(
    Type.Boolean({
      description:
        'True: the new ticket is sent to its people and the registrant. False: nobody is told. Left out: as `send_emails` of the registration says.',
    }),
  ),
});
export type TicketReissue = Type.Static<typeof TicketReissue>;
export const TicketReissued = Type.Object({
  ...Ticket.properties,
  told: Type.Boolean({ description: 'Whether the new ticket is on its way to anybody by mail.' }),
});
export type TicketReissued = Type.Static<typeof TicketReissued>;
export const TicketSend = Body({
  email: Type.Optional(Email('Send it here instead. Nothing is changed on the person.')),
});
export type TicketSend = Type.Static<typeof TicketSend>;
export const TicketSent = Type.Object({ sent_to: Type.String({ description: 'The e-mail address.' }) });

// ---- attendee
/** Question codes are shorter; imports keep what answers no question under its heading, or under the words it was asked in. */
export const MAX_ANSWER_KEY = 220;
const MAX_ANSWERS = 200;
/** All answers of one person together, as JSON. */
export const MAX_ANSWERS_BYTES = 100_000;

export const Answers = Type.Record(Type.String(), Type.Unknown(), { description: 'By question code.' });
export const Attendee = Type.Object({
  id: Ulid('The attendee.'),
  registration_id: Ulid('The registration.'),
  event_id: Ulid('The event.'),
  contact_id: Nullable(Type.String()),
  attendee_type: Code('Code of the attendee type.', 'adult'),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  date_of_birth: Nullable(Type.String()),
  external_id: Nullable(Type.String()),
  group,
  days: Type.Array(Type.String(), { description: 'Day codes.' }),
  answers: Answers,
  status: OneOf(REGISTRATION_STATUSES, { description: 'Of the registration, or `cancelled`.' }),
  price_minor: Money(),
  tickets: Type.Array(
    Type.Object({
      id: Type.String(),
      code: Nullable(
        Type.String({ description: 'Null where it also admits people out of reach of a caller limited to a group.' }),
      ),
      status: OneOf(TICKET_STATUSES),
    }),
  ),
  checked_in: Type.Boolean({ description: 'Admitted at an entry at least once.' }),
  test: testMark,
  ...Stamps,
});
export type Attendee = Type.Static<typeof Attendee>;

const attendeeFields = {
  ...person,
  group: Type.Optional(Nullable(Ref('group', 'Defaults to the registration’s.'))),
  days: Type.Optional(
    Type.Array(Ref('day'), {
      minItems: 1,
      maxItems: 366,
      uniqueItems: true,
      description: 'Day codes. May be left out where there is one choice, and for a pass.',
    }),
  ),
  answers: Type.Optional(
    Keyed(MAX_ANSWER_KEY, Type.Unknown(), { maxProperties: MAX_ANSWERS, description: 'By question code.' }),
  ),
};
export const AttendeeInput = Body({
  attendee_type: Ref('attendee_type', 'Attendee type code.'),
  first_name: name('Ada'),
  last_name: name('Lovelace'),
  ...attendeeFields,
});
export type AttendeeInput = Type.Static<typeof AttendeeInput>;
export const AttendeeChange = Body(
  {
    attendee_type: Type.Optional(Ref('attendee_type')),
    first_name: Type.Optional(name('Ada')),
    last_name: Type.Optional(name('Lovelace')),
    ...attendeeFields,
  },
  { minProperties: 1 },
);
export type AttendeeChange = Type.Static<typeof AttendeeChange>;

// ---- registration
/**
 * A scan touches its attendee and not the registration (docs/decisions/0024): what it changes is shown by the attendee alone.
 */
const { checked_in: _checkedIn, ...registered } = Attendee.properties;
export const RegisteredAttendee = Type.Object(
  { ...registered, updated_at: Timestamp('Of the registration: check-ins do not move it. The attendee has its own.') },
  { description: 'An attendee as its registration shows it. Whether it is checked in, the attendee says.' },
);
export type RegisteredAttendee = Type.Static<typeof RegisteredAttendee>;

export const Registration = Type.Object({
  id: Ulid('The registration.'),
  code: Type.String({ description: 'Short reference for people.', examples: ['K7M2XQ9R4T'] }),
  event_id: Ulid('The event.'),
  status: OneOf(REGISTRATION_STATUSES),
  source: OneOf(REGISTRATION_SOURCES),
  test: testMark,
  group,
  contact: Type.Object({
    id: Nullable(Type.String({ description: 'All of the registrant is null where out of reach.' })),
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    language: Nullable(
      Type.String({ description: 'Of mails about this registration (BCP 47); null: the event’s.', examples: ['fr'] }),
    ),
  }),
  attendees: Type.Array(RegisteredAttendee),
  total_minor: Nullable(Sum('Null where people of it are out of the reach of a caller limited to a group.')),
  paid_minor: Nullable(
    Sum('What came in less what was refunded or taken back by the payer’s bank. Null as `total_minor` is.'),
  ),
  balance_minor: Nullable(
    Type.Integer({
      minimum: -MAX_SUM,
      maximum: MAX_SUM,
      description:
        'What is due (above 0) or in credit (below 0): `total_minor` less `paid_minor`. One that waits, or is declined, cancelled or expired, owes nothing, so all that was paid for it is in credit. Null as `total_minor` is.',
      examples: [0],
    }),
  ),
  currency: Currency(),
  send_emails: Type.Boolean({ description: 'False: no mail goes out about this registration.' }),
  payment_due_at: Nullable(Timestamp('When it expires unless it is paid.')),
  confirmed_at: Nullable(Timestamp()),
  cancelled_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Registration = Type.Static<typeof Registration>;

export const MAX_ATTENDEES = 200;
export const RegistrationCreate = Body({
  attendees: Type.Array(AttendeeInput, { minItems: 1, maxItems: MAX_ATTENDEES }),
  contact: Type.Optional(
    Body({
      first_name: Type.Optional(name('Ada')),
      last_name: Type.Optional(name('Lovelace')),
      email: Type.Optional(Nullable(Email())),
      phone: Type.Optional(Nullable(Text(50))),
      language: Type.Optional(Nullable(language)),
    }),
  ),
  group: Type.Optional(Nullable(Ref('group', 'Defaults to the key’s group, else to the event’s.'))),
  send_emails: Type.Optional(Type.Boolean({ description: 'Default true. False: no mail about this registration.' })),
});
export type RegistrationCreate = Type.Static<typeof RegistrationCreate>;
export const RegistrationChange = Body(
  {
    contact: Type.Optional(
      Body(
        {
          first_name: Type.Optional(name('Ada')),
          last_name: Type.Optional(name('Lovelace')),
          email: Type.Optional(Nullable(Email())),
          phone: Type.Optional(Nullable(Text(50, { example: '+49 30 901820' }))),
          language: Type.Optional(Nullable(language)),
        },
        { minProperties: 1, description: 'Only what is named changes; null clears.' },
      ),
    ),
    send_emails: Type.Optional(Type.Boolean({ description: 'False: no mail about this registration from now on.' })),
  },
  { minProperties: 1 },
);
export type RegistrationChange = Type.Static<typeof RegistrationChange>;
export const BALANCES = ['due', 'credit'] as const;
export type Balance = (typeof BALANCES)[number];
export const Reason = Body({ reason: Type.Optional(Text(500, { description: 'Told to the registrant.' })) });
export type Reason = Type.Static<typeof Reason>;

// ---- payment
export const PAYMENT_STATUSES = ['received', 'refunded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
export const PAYMENT_METHODS = ['cash', 'transfer', 'card', 'online', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export const Payment = Type.Object({
  id: Ulid('The payment.'),
  registration_id: Ulid('The registration.'),
  event_id: Ulid('The event.'),
  amount_minor: Money(),
  currency: Currency(),
  method: OneOf(PAYMENT_METHODS),
  reference: Nullable(Type.String()),
  status: OneOf(PAYMENT_STATUSES, {
    description:
      '`refunded` once all of it was given back, `failed` where it never came or the payer’s bank took it back.',
  }),
  refunded_minor: Money(),
  charged_back_minor: Money('What the payer’s bank took back (a charge-back).'),
  test: testMark,
  ...Stamps,
});
export type Payment = Type.Static<typeof Payment>;
export const PaymentCreate = Body({
  amount_minor: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  currency: Type.Optional(CurrencyInput()),
  method: OneOf(PAYMENT_METHODS.filter((method) => method !== 'online')),
  reference: Type.Optional(Nullable(Text(200, { example: 'Bank statement 14/2026' }))),
  status: Type.Optional(OneOf(['received', 'failed'], { description: 'Default `received`.' })),
});
export type PaymentCreate = Type.Static<typeof PaymentCreate>;
export const PaymentRefund = Body({
  amount_minor: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Default: what is left of it.' }),
  ),
  reason: Type.Optional(Text(500, { description: 'With `cancel`, told to the registrant.' })),
  reopen: Type.Optional(
    Type.Boolean({
      description:
        'True: a confirmed registration that is not covered any more returns to `pending_payment`. Its tickets stay but don’t admit until it is paid.',
    }),
  ),
  cancel: Type.Optional(
    Type.Boolean({ description: 'True: the registration is cancelled as well. Not together with `reopen`.' }),
  ),
});
export type PaymentRefund = Type.Static<typeof PaymentRefund>;
