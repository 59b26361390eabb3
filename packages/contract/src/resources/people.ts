import Type from 'typebox';
import {
  Body,
  Code,
  Currency,
  CurrencyInput,
  Email,
  Keyed,
  MAX_SUM,
  Money,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Sum,
  Text,
  Timestamp,
  Ulid,
} from '../formats.ts';
import { changedFields, newAttendeeFields, shownAttendeeFields, shownFields } from '../person-schemas.ts';
import { DiscountCodeInput } from './discount.ts';
import { BookedProduct, MAX_LINES, ProductChoice, RegisteredProduct } from './product.ts';
import { MAX_ATTENDEES } from './structure.ts';

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
const testMark = Type.Boolean({
  description: 'Made with a test key or in a test event. Not part of any live count, list or export.',
});

// ---- contact
export const Contact = Type.Object({
  id: Ulid('The contact.'),
  ...shownFields('contact'),
  group,
  test: testMark,
  erased_at: Nullable(Timestamp('When the personal data was erased.')),
  ...Stamps,
});
export type Contact = Type.Static<typeof Contact>;

const language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'The language of mails about this registration (BCP 47). Null: the event’s language.',
  examples: ['fr'],
});
export const ContactChange = Body(
  {
    ...changedFields('contact'),
    apply_to_registrations: Type.Optional(
      Type.Boolean({
        description:
          'Default false. If true, the change is also made in open registrations of this contact, as registrant or attendee, wherever they have the old values.',
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
    description: 'How many registrations were changed together with the contact.',
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
        'The code in the ticket’s QR code. Do not rely on its form. Null if the caller is limited to a group and the ticket also admits people of other groups.',
      examples: ['7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N'],
    }),
  ),
  status: OneOf(TICKET_STATUSES),
  event_id: Ulid('The event.'),
  registration_id: Ulid('The registration.'),
  attendees: Type.Array(TicketPerson),
  days: Type.Array(Type.String(), { description: 'Codes of the days that the ticket is for.' }),
  test: testMark,
  issued_at: Timestamp(),
  voided_at: Nullable(Timestamp()),
  void_reason: Nullable(Type.String()),
  replaced_by: Nullable(Type.String({ description: 'Id of the ticket that replaced it.' })),
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
      description: 'Codes or ids of days, to issue a ticket for only some of the attendee’s days.',
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
        'True: the new ticket is mailed to its attendees and the registrant. False: no mail is sent. Default: `send_emails` of the registration.',
    }),
  ),
});
export type TicketReissue = Type.Static<typeof TicketReissue>;
export const TicketReissued = Type.Object({
  ...Ticket.properties,
  told: Type.Boolean({ description: 'Whether the new ticket is being mailed to anybody.' }),
});
export type TicketReissued = Type.Static<typeof TicketReissued>;
export const TicketSend = Body({
  email: Type.Optional(Email('Send the ticket to this address instead. The attendee’s own address does not change.')),
});
export type TicketSend = Type.Static<typeof TicketSend>;
export const TicketSent = Type.Object({ sent_to: Type.String({ description: 'The e-mail address.' }) });

// ---- attendee
/** Codes of questions are shorter. Imports keep a column that answers no question under its heading, which may be this long. */
export const MAX_ANSWER_KEY = 220;
const MAX_ANSWERS = 200;
/** The most bytes that all answers of an attendee take together, as JSON. */
export const MAX_ANSWERS_BYTES = 100_000;

export const Answers = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The answers, by the code of the question.',
});
const aboutAnswers =
  'Attendees with these answers to filterable questions: each is the code of the question, a colon and the answer, as `diet:vegan` or `photo:true`; `diet:` finds those who have not answered. Several answers to one question are alternatives; answers to several questions must all be given. In a query, repeat the parameter.';
/** Filters attendees by their answers to filterable questions, in the query of a list as well as in a body. */
export const answersFilter = (where = '') =>
  Type.Array(Type.String({ minLength: 2, maxLength: 264, examples: ['diet:vegan'] }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: `${aboutAnswers}${where}`,
  });
export const Attendee = Type.Object({
  id: Ulid('The attendee.'),
  registration_id: Ulid('The registration.'),
  event_id: Ulid('The event.'),
  contact_id: Nullable(Type.String()),
  attendee_type: Code('Code of the attendee type.', 'adult'),
  ...shownAttendeeFields,
  group,
  days: Type.Array(Type.String(), { description: 'Codes of the days.' }),
  answers: Answers,
  status: OneOf(REGISTRATION_STATUSES, {
    description: 'The status of the registration; `cancelled` if only this attendee was cancelled.',
  }),
  price_minor: Money('The price that was agreed on when the attendee registered.'),
  price_name: Nullable(Type.String({ description: 'The name of the price that held then. Null: the regular one.' })),
  discount_minor: Money('What a code took off the price.'),
  products: Type.Array(BookedProduct, { description: 'What the attendee has booked beside the ticket.' }),
  tickets: Type.Array(
    Type.Object({
      id: Type.String(),
      code: Nullable(
        Type.String({
          description: 'Null if the caller is limited to a group and the ticket also admits people of other groups.',
        }),
      ),
      status: OneOf(TICKET_STATUSES),
    }),
  ),
  checked_in: Type.Boolean({ description: 'Whether the attendee was admitted at an entry at least once.' }),
  test: testMark,
  ...Stamps,
});
export type Attendee = Type.Static<typeof Attendee>;

const attendeeFields = {
  group: Type.Optional(Nullable(Ref('group', 'Default: the registration’s group.'))),
  days: Type.Optional(
    Type.Array(Ref('day'), {
      minItems: 1,
      maxItems: 366,
      uniqueItems: true,
      description:
        'Codes or ids of days. Can be left out if there is only one choice, and for a pass: it then is for all of its days that are not over.',
    }),
  ),
  answers: Type.Optional(
    Keyed(MAX_ANSWER_KEY, Type.Unknown(), {
      maxProperties: MAX_ANSWERS,
      description: 'The answers, by the code of the question.',
    }),
  ),
};
const products = (description: string) =>
  Type.Optional(Type.Array(ProductChoice, { maxItems: MAX_LINES, description }));
const attendeeProducts = products('Products that each attendee takes for themselves.');
const changedProducts = (who: string) =>
  products(
    `All products that ${who} takes from now on: those that are not in the list are given back. What stays keeps its price.`,
  );
const pastDays = {
  past_days: Type.Optional(
    Type.Boolean({
      description:
        'Whether days that are over can be chosen, for late entries. Default false: after its `closes_at`, a day is refused with `day_not_available`. Days that an attendee has already are never refused.',
    }),
  ),
};
export const AttendeeInput = Body({
  attendee_type: Ref('attendee_type', 'Id or code of the attendee type.'),
  ...newAttendeeFields,
  ...attendeeFields,
  products: attendeeProducts,
});
export type AttendeeInput = Type.Static<typeof AttendeeInput>;
export const AttendeeCreate = Body({ ...AttendeeInput.properties, ...pastDays });
export type AttendeeCreate = Type.Static<typeof AttendeeCreate>;
export const AttendeeChange = Body(
  {
    attendee_type: Type.Optional(Ref('attendee_type')),
    ...changedFields('attendee'),
    ...attendeeFields,
    products: changedProducts('the attendee'),
    ...pastDays,
  },
  { minProperties: 1 },
);
export type AttendeeChange = Type.Static<typeof AttendeeChange>;

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
      '`refunded` once the whole amount was refunded; `failed` if the payment was never received or the payer’s bank took it back.',
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
    Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Default: what has not been refunded yet.' }),
  ),
  reason: Type.Optional(Text(500, { description: 'The reason. With `cancel` it is shown to the registrant.' })),
  reopen: Type.Optional(
    Type.Boolean({
      description:
        'If true, a confirmed registration that is no longer fully paid returns to `pending_payment`. Its tickets remain, but admit nobody until it is paid.',
    }),
  ),
  cancel: Type.Optional(
    Type.Boolean({ description: 'If true, the registration is also cancelled. Cannot be combined with `reopen`.' }),
  ),
});
export type PaymentRefund = Type.Static<typeof PaymentRefund>;

// ---- registration
/**
 * A scan changes the attendee but not the registration (docs/decisions/0024-what-a-scan-touches.md). So a registration does not show
 * what a scan changes.
 */
const { checked_in: _checkedIn, ...registered } = Attendee.properties;
export const RegisteredAttendee = Type.Object(
  {
    ...registered,
    products: Type.Array(RegisteredProduct, { description: 'What the attendee has booked beside the ticket.' }),
    updated_at: Timestamp(
      'When the registration last changed. Check-ins do not change it; the attendee itself has its own `updated_at`.',
    ),
  },
  { description: 'An attendee as part of a registration. Only the attendee itself shows whether it is checked in.' },
);
export type RegisteredAttendee = Type.Static<typeof RegisteredAttendee>;

export const Registration = Type.Object({
  id: Ulid('The registration.'),
  code: Type.String({ description: 'A short code for people to refer to.', examples: ['K7M2XQ9R4T'] }),
  event_id: Ulid('The event.'),
  status: OneOf(REGISTRATION_STATUSES),
  source: OneOf(REGISTRATION_SOURCES),
  test: testMark,
  group,
  contact: Type.Object({
    id: Nullable(
      Type.String({
        description:
          'All fields of the registrant are null if the caller is limited to a group and may not see the registrant.',
      }),
    ),
    ...shownFields('registrant'),
    language: Nullable(
      Type.String({
        description: 'The language of mails about this registration (BCP 47). Null: the event’s language.',
        examples: ['fr'],
      }),
    ),
  }),
  attendees: Type.Array(RegisteredAttendee),
  products: Type.Array(BookedProduct, {
    description:
      'What was booked for the registration as a whole. Empty if the caller is limited to a group and the registration has attendees of other groups.',
  }),
  discount_code: Nullable(
    Type.String({
      description: 'The code of the discount that was registered with. Null without one, and if `total_minor` is null.',
    }),
  ),
  discount_minor: Nullable(Sum('What the code took off in all. Null if `total_minor` is null.')),
  total_minor: Nullable(
    Sum(
      'What all attendees and products cost, less the discount. Null if the caller is limited to a group and the registration has attendees of other groups.',
    ),
  ),
  paid_minor: Nullable(
    Sum('What was paid, less what was refunded or taken back by the payer’s bank. Null if `total_minor` is null.'),
  ),
  balance_minor: Nullable(
    Type.Integer({
      minimum: -MAX_SUM,
      maximum: MAX_SUM,
      description:
        '`total_minor` less `paid_minor`: positive if something is due, negative if something is in credit. A registration that is waitlisted, declined, cancelled or expired owes nothing, so everything that was paid for it is in credit. Null if `total_minor` is null.',
      examples: [0],
    }),
  ),
  currency: Currency(),
  send_emails: Type.Boolean({ description: 'Whether mails about this registration are sent.' }),
  payment_due_at: Nullable(Timestamp('When the registration expires unless it is paid.')),
  confirmed_at: Nullable(Timestamp()),
  cancelled_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Registration = Type.Static<typeof Registration>;

export const RegistrationCreate = Body({
  attendees: Type.Array(AttendeeInput, { minItems: 1, maxItems: MAX_ATTENDEES }),
  contact: Type.Optional(
    Body({
      ...changedFields('registrant'),
      language: Type.Optional(Nullable(language)),
    }),
  ),
  group: Type.Optional(Nullable(Ref('group', 'Default: the key’s group, else the event’s.'))),
  send_emails: Type.Optional(
    Type.Boolean({ description: 'Whether mails about this registration are sent. Default true.' }),
  ),
  products: products('Products that are taken once for the registration as a whole.'),
  discount_code: Type.Optional(DiscountCodeInput),
  ...pastDays,
  expected_total_minor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SUM,
      description:
        'The total that the person was shown. If the prices add up to something else by now, the call is refused with `price_changed` and nothing is booked.',
    }),
  ),
  payment: Type.Optional(
    Body(
      {
        amount_minor: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Default: what is due.' }),
        ),
        ...Type.Pick(PaymentCreate, ['currency', 'method', 'reference']).properties,
      },
      {
        description:
          'A payment that was received together with the registration, as at a desk. If it covers the total, the registration is confirmed at once, unless it needs approval. If nothing is due and no amount is given, no payment is recorded. Members also need the permission `money.record`.',
      },
    ),
  ),
});
export type RegistrationCreate = Type.Static<typeof RegistrationCreate>;
export const RegistrationChange = Body(
  {
    contact: Type.Optional(
      Body(
        {
          ...changedFields('registrant'),
          language: Type.Optional(Nullable(language)),
        },
        { minProperties: 1, description: 'Only the fields that are sent change; null clears a field.' },
      ),
    ),
    products: changedProducts('the registration'),
    send_emails: Type.Optional(
      Type.Boolean({ description: 'Whether mails about this registration are sent from now on.' }),
    ),
  },
  { minProperties: 1 },
);
export type RegistrationChange = Type.Static<typeof RegistrationChange>;
export const BALANCES = ['due', 'credit'] as const;
export type Balance = (typeof BALANCES)[number];
export const Reason = Body({
  reason: Type.Optional(Text(500, { description: 'The reason, which is shown to the registrant.' })),
});
export type Reason = Type.Static<typeof Reason>;
