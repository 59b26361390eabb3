import Type from 'typebox';
import { Body, Currency, LocalDate, Nullable, OneOf, Timestamp, TimestampInput } from '../formats.ts';
import { PAYMENT_METHODS, REGISTRATION_SOURCES } from './people.ts';

/** The most intervals that a report divides its time into. */
export const MAX_INTERVALS = 1000;
export const REPORT_INTERVALS = ['hour', 'day', 'week'] as const;
export type ReportInterval = (typeof REPORT_INTERVALS)[number];

const count = (description: string, example = 42) => Type.Integer({ minimum: 0, description, examples: [example] });
/** A sum over many registrations, in the currency's minor unit. */
const amount = (description: string) => Type.Integer({ minimum: 0, description, examples: [125_000] });
const code = (description: string, example: string) => Type.String({ description, examples: [example] });
const typeCode = code('Code of the attendee type.', 'adult');
const pointCode = code('Code of the check-in point.', 'main-gate');
const dayCode = code('Code of the day.', 'saturday');

const about = {
  test: Type.Boolean({
    description: 'True: test activity is counted. False: live activity. They are never mixed.',
    examples: [false],
  }),
  as_of: Timestamp('The time of the last change that is counted. If it is the same as before, nothing has changed.'),
  timezone: Type.String({
    description: 'The event’s time zone, in which hours, days and weeks begin.',
    examples: ['Europe/Berlin'],
  }),
};
const interval = {
  starts_at: Type.String({ ...Timestamp('When the interval begins.'), examples: ['2026-11-14T23:00:00Z'] }),
  ends_at: Type.String({
    ...Timestamp('When it ends, which is when the next one begins.'),
    examples: ['2026-11-15T23:00:00Z'],
  }),
};

const test = Type.Optional(
  Type.Boolean({
    description:
      'Whether test activity is counted, or live activity. Default: test activity with a test key and in a test event.',
  }),
);
const window = (of: string) => ({
  from: Type.Optional(TimestampInput(`Only ${of} at this time or later.`)),
  to: Type.Optional(TimestampInput(`Only ${of} before this time.`)),
});

// ---------------------------------------------------------------- registrations over time

export const RegistrationsReportQuery = Body({
  by: Type.Optional(
    OneOf(REPORT_INTERVALS, { default: 'day', description: 'How long an interval is. A week begins on Monday.' }),
  ),
  ...window('what happened'),
  test,
});

const people = {
  registered: count('Attendees who were added.'),
  confirmed: count('Attendees who were confirmed for the first time, whatever became of them afterwards.', 40),
  cancelled: count('Attendees who were cancelled, alone or with their registration.', 2),
};
const both = (of: string) => ({
  people: Type.Object(people, { description: `Attendees ${of}.` }),
  registrations: Type.Object(
    {
      registered: count('Registrations that were made.', 20),
      confirmed: count('Registrations that were confirmed for the first time, whatever became of them afterwards.', 19),
      cancelled: count('Registrations that were cancelled as a whole.', 1),
    },
    { description: `Registrations ${of}.` },
  ),
});

export const RegistrationsReport = Type.Object({
  ...about,
  by: OneOf(REPORT_INTERVALS),
  total: Type.Object(both('in all intervals together')),
  intervals: Type.Array(
    Type.Object({
      ...interval,
      ...both('in the interval'),
      sources: Type.Array(Type.Object({ source: OneOf(REGISTRATION_SOURCES), ...both('from this source') }), {
        description: 'Only sources with a number that is not 0.',
      }),
      attendee_types: Type.Array(Type.Object({ attendee_type: typeCode, people: Type.Object(people) }), {
        description: 'Only types with a number that is not 0.',
      }),
    }),
    { description: 'Without gaps: an interval in which nothing happened is there, too.' },
  ),
});
export type RegistrationsReport = Type.Static<typeof RegistrationsReport>;

// ---------------------------------------------------------------- attendance

export const AttendanceReportQuery = Body({
  from: Type.Optional(
    TimestampInput('The hours begin with the one that contains this time. Other numbers count everything.'),
  ),
  to: Type.Optional(TimestampInput('The hours end with the one before this time. Other numbers count everything.')),
  test,
});

const attended = {
  expected: count('Attendees who are confirmed.', 120),
  came: count('Attendees who were admitted at an entry, also those who are not expected (any more).', 112),
  no_shows: count(
    'Those expected who were not admitted at an entry, and cannot come any more because the day, or all of their days, are over.',
    9,
  ),
  still_expected: count(
    'Those expected who were not admitted yet and whose day, or one of their days, is not over.',
    0,
  ),
};
const passes = {
  admissions: count('How often somebody was admitted at an entry.', 130),
  exits: count('How often somebody left through an exit.', 60),
};
const inside = count('People inside the venue: those whose last pass of their day was an entry.', 70);

export const AttendanceReport = Type.Object({
  ...about,
  total: Type.Object({ ...attended, ...passes }),
  days: Type.Array(
    Type.Object({
      day: dayCode,
      ...attended,
      ...passes,
      inside,
      attendee_types: Type.Array(Type.Object({ attendee_type: typeCode, ...attended }), {
        description: 'Only types with a number that is not 0.',
      }),
    }),
  ),
  attendee_types: Type.Array(Type.Object({ attendee_type: typeCode, ...attended }), {
    description: 'On any day. Whoever came on two days came once.',
  }),
  check_in_points: Type.Array(
    Type.Object({
      check_in_point: pointCode,
      kind: Type.String({ examples: ['entry'] }),
      admissions: count('How often somebody was admitted here. At an exit: how often somebody left.', 130),
      people: count('How many different attendees these were.', 112),
      refusals: count('How often somebody was refused here.', 7),
    }),
  ),
  hours: Type.Array(
    Type.Object({
      ...interval,
      ...passes,
      inside: count(
        'People inside the venue at the end of the hour. A day is not counted any more once it has closed.',
        70,
      ),
      check_in_points: Type.Array(
        Type.Object({ check_in_point: pointCode, admissions: count('Admissions here.', 30) }),
        {
          description: 'Only points with a number that is not 0.',
        },
      ),
    }),
    {
      description:
        'By the time of the scan, without gaps. Scans outside of these hours are counted in all other numbers.',
    },
  ),
});
export type AttendanceReport = Type.Static<typeof AttendanceReport>;

// ---------------------------------------------------------------- refusals

export const RefusalsReportQuery = Body({ ...window('scans'), test });

const refused = {
  refusals: count('How often somebody was refused.', 7),
  overridden: count('How many of these refusals a member overrode.', 1),
};
const reason = Nullable(code('Why, as in the scan’s answer.', 'day_not_on_ticket'));
const reasons = Type.Array(Type.Object({ reason, refusals: refused.refusals }));

export const RefusalsReport = Type.Object({
  ...about,
  total: Type.Object(refused),
  results: Type.Array(Type.Object({ result: code('The result of the scan.', 'wrong_day'), ...refused })),
  reasons: Type.Array(Type.Object({ result: code('The result of the scan.', 'wrong_day'), reason, ...refused }), {
    description: 'The most frequent first.',
  }),
  check_in_points: Type.Array(Type.Object({ check_in_point: pointCode, ...refused, reasons })),
  hours: Type.Array(Type.Object({ ...interval, refusals: refused.refusals, reasons }), {
    description: 'By the time of the scan, without gaps.',
  }),
});
export type RefusalsReport = Type.Static<typeof RefusalsReport>;

// ---------------------------------------------------------------- money

export const MoneyReportQuery = Body({ ...window('payments that were recorded'), test });

const received = {
  payments: count('How many payments were received.', 12),
  received_minor: amount('What was received.'),
  refunded_minor: amount('What was refunded of it until now.'),
  charged_back_minor: amount('What the payers’ banks took back of it until now.'),
  net_minor: amount('What is left of it: received, less refunded and charged back.'),
};

export const MoneyReport = Type.Object({
  ...about,
  currencies: Type.Array(
    Type.Object({
      currency: Currency(),
      due_minor: amount('What registrations that hold places still have to pay, at this time.'),
      credit_minor: amount(
        'What registrations have paid more than they have to, at this time. Cancelled ones have to pay nothing.',
      ),
      ...received,
      methods: Type.Array(Type.Object({ method: OneOf(PAYMENT_METHODS), ...received })),
      attendee_types: Type.Array(
        Type.Object({
          attendee_type: typeCode,
          people: count('Attendees whose registration holds places and costs something.', 120),
          charged_minor: amount('Their prices, with the products that they have booked, less the discount.'),
          paid_minor: amount('What is paid of it, at this time.'),
          due_minor: amount('What is still to be paid of it, at this time.'),
        }),
        {
          description:
            'What was paid for a registration counts towards its attendees in their order, each up to what they cost, and then towards what was booked for the registration as a whole, which is in none of these numbers. `from` and `to` do not apply.',
        },
      ),
      days: Type.Array(
        Type.Object({
          date: LocalDate('The date on which payments were recorded, in the event’s time zone.'),
          ...received,
        }),
        {
          description:
            'Only dates with a payment. What was refunded or charged back later is subtracted from the date on which the payment was recorded.',
        },
      ),
    }),
    { description: 'By currency. Counts only registrations of which the caller may see every attendee.' },
  ),
});
export type MoneyReport = Type.Static<typeof MoneyReport>;

// ---------------------------------------------------------------- sales

/** How many codes the report names. The others are summed up. */
export const MAX_SALES_CODES = 100;
/** How many prices of one attendee type the report names. */
export const MAX_SALES_PRICES = 50;

export const SalesReportQuery = Body({ ...window('people and registrations that were registered'), test });

const sold = {
  price_minor: amount('What they cost without a discount.'),
  discount_minor: amount('What discounts took off.'),
  total_minor: amount('What is left of it: the price less the discount.'),
};
const ticketsSold = { people: count('Attendees whose registration holds places.', 120), ...sold };
const unitsSold = {
  units: count('Units that are booked.', 64),
  handed_out: count('How many of them were handed out.', 12),
  left: Nullable(
    count(
      'How many units are left of the capacity. Null without a capacity, and for a caller limited to a group to which the event does not belong. `from` and `to` do not apply.',
      36,
    ),
  ),
  ...sold,
};
const codeUses = {
  registrations: count('Registrations with the code that hold places.', 30),
  people: count('How often the code is used: once for each person whom it covers.', 42),
  discount_minor: amount('What the code took off.'),
};

export const SalesReport = Type.Object({
  ...about,
  currencies: Type.Array(
    Type.Object({
      currency: Currency(),
      people: ticketsSold.people,
      units: unitsSold.units,
      ...sold,
      attendee_types: Type.Array(
        Type.Object({
          attendee_type: typeCode,
          ...ticketsSold,
          prices: Type.Array(
            Type.Object({
              name: Nullable(
                code('The name of the price that held when they registered. Null: the regular one.', 'Early bird'),
              ),
              ...ticketsSold,
            }),
            {
              description: `By the name of the price: at most the ${MAX_SALES_PRICES} with the most people, which come first.`,
            },
          ),
        }),
        { description: 'The tickets, without products. Only types with people.' },
      ),
      products: Type.Array(
        Type.Object({
          product: code('Code of the product.', 'shirt'),
          ...unitsSold,
          options: Type.Array(Type.Object({ option: code('Code of the option.', 'm'), ...unitsSold })),
        }),
        { description: 'All products of the event, also those that nobody has booked yet.' },
      ),
      codes: Type.Array(Type.Object({ code: code('The code of the discount.', 'FRIENDS-25'), ...codeUses }), {
        description: `The ${MAX_SALES_CODES} codes that are used most, which come first. A caller limited to a group sees those of registrations of which it sees every attendee.`,
      }),
      other_codes: Nullable(
        Type.Object(
          { codes: count('How many further codes are used.', 7), ...codeUses },
          { description: 'All other codes together. Null if there are none.' },
        ),
      ),
    }),
    { description: 'By currency.' },
  ),
});
export type SalesReport = Type.Static<typeof SalesReport>;
