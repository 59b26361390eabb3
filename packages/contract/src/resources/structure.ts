import Type from 'typebox';
import {
  Body,
  Code,
  Count,
  LocalDate,
  LocalDateInput,
  Money,
  Name,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Text,
  Timestamp,
  TimestampInput,
  Ulid,
} from '../formats.ts';
import { MAX_PRICES } from '../prices.ts';

// ---- day
export const Day = Type.Object({
  id: Ulid('The day.'),
  code: Code('Unique in the event, ignoring case.', 'd1'),
  name: Type.String(),
  date: LocalDate('Local date in the event’s time zone.'),
  opens_at: Timestamp('When the day opens. Unless set: local midnight at the beginning of `date`.'),
  closes_at: Timestamp('When the day closes. Unless set: local midnight at the end of `date`.'),
  capacity: Nullable(Type.Integer()),
  locked_at: Nullable(Timestamp('From this time on nobody is admitted on this day.')),
  ...Stamps,
});
export type Day = Type.Static<typeof Day>;

const dayTimes = {
  opens_at: Type.Optional(Nullable(TimestampInput('Null: local midnight at the beginning of `date`.'))),
  closes_at: Type.Optional(Nullable(TimestampInput('Null: local midnight at the end of `date`.'))),
  capacity: Type.Optional(Nullable(Count('The most attendees on this day. Null: no limit of its own.'))),
};
export const DayCreate = Body({
  code: Type.Optional(Code('Default: made from the name, or from the date if there is no name.', 'd1')),
  name: Type.Optional(Name(200, { description: 'Default: the date.' })),
  date: LocalDateInput(),
  ...dayTimes,
});
export type DayCreate = Type.Static<typeof DayCreate>;
export const DayChange = Body(
  {
    code: Type.Optional(Code()),
    name: Type.Optional(Name(200)),
    date: Type.Optional(LocalDateInput('Opening and closing times that were not set move with the date.')),
    ...dayTimes,
  },
  { minProperties: 1 },
);
export type DayChange = Type.Static<typeof DayChange>;
export const DayLock = Body({ at: Type.Optional(TimestampInput('Default: now.')) });
export type DayLock = Type.Static<typeof DayLock>;

// ---- attendee type
/** A registration has at most so many attendees. */
export const MAX_ATTENDEES = 200;
export const AttendeeType = Type.Object({
  id: Ulid('The attendee type.'),
  code: Code('Unique in the event, ignoring case.', 'adult'),
  name: Type.String(),
  description: Nullable(Type.String()),
  price_minor: Money('The regular price, in the minor unit of the event’s currency. 0: free.'),
  prices: Type.Array(
    Type.Object({
      name: Type.String(),
      from: Nullable(Timestamp('From this instant on. Null: from the beginning.')),
      until: Nullable(Timestamp('Up to, and without, this instant. Null: to the end.')),
      price_minor: Money(),
    }),
    {
      description:
        'Prices that hold for a while, such as an early bird’s. The first in the list that holds now is the price; if none does, `price_minor` is.',
    },
  ),
  current_price_minor: Money(
    'What it costs now. It changes with time, by `prices`; that is no change of the type and leaves `updated_at` as it is.',
  ),
  current_price_until: Nullable(Timestamp('When it will cost something else. Null: no change is planned.')),
  on_sale: Nullable(
    Type.Object(
      { from: Nullable(Timestamp()), until: Nullable(Timestamp()) },
      { description: 'When the type can be registered: `from` inclusive, `until` exclusive. Null: always.' },
    ),
  ),
  min_per_registration: Nullable(Type.Integer()),
  max_per_registration: Nullable(Type.Integer()),
  capacity: Nullable(Type.Integer()),
  days: Nullable(
    Type.Array(Type.String(), { description: 'Codes of the days that the type is offered for. Null: all days.' }),
  ),
  pass_days: Nullable(
    Type.Integer({ description: 'For a pass: it is valid on this many of its days, whichever they are.' }),
  ),
  approval: Type.Boolean(),
  visible: Type.Boolean({ description: 'Whether the type is offered in the form and can be registered.' }),
  ...Stamps,
});
export type AttendeeType = Type.Static<typeof AttendeeType>;

/** When something holds or is sold: `from` inclusive, `until` exclusive. */
export const saleSpan = (of: string) => ({
  from: Type.Optional(Nullable(TimestampInput(`From this instant on. Null: ${of} from the beginning.`))),
  until: Type.Optional(Nullable(TimestampInput(`Up to, and without, this instant. Null: ${of} to the end.`))),
});
const attendeeType = {
  description: Type.Optional(Nullable(Text(2000, { description: 'Shown under the name.' }))),
  price_minor: Type.Optional(Money('The regular price. Default 0: free.')),
  prices: Type.Optional(
    Type.Array(Body({ name: Name(100, { example: 'Early bird' }), ...saleSpan('it holds'), price_minor: Money() }), {
      maxItems: MAX_PRICES,
      description:
        'Prices that hold for a while. The first in the list that holds is the price; if none does, `price_minor` is. The list replaces the one before.',
    }),
  ),
  on_sale: Type.Optional(
    Nullable(
      Body(saleSpan('on sale'), {
        description: 'When the type can be registered. Null: always. Members may use it at any time.',
      }),
    ),
  ),
  min_per_registration: Type.Optional(
    Nullable(Count('The fewest people of this type in a registration that has any. Null: one.', 1, MAX_ATTENDEES)),
  ),
  max_per_registration: Type.Optional(
    Nullable(Count('The most people of this type in a registration. Null: no limit of its own.', 1, MAX_ATTENDEES)),
  ),
  capacity: Type.Optional(Nullable(Count('The most attendees of this type. Null: no limit of its own.'))),
  days: Type.Optional(
    Nullable(
      Type.Array(Ref('day'), {
        minItems: 1,
        maxItems: 366,
        description: 'The days that the type is offered for. Null: all days.',
      }),
    ),
  ),
  pass_days: Type.Optional(
    Nullable(
      Count(
        'For a pass: it is valid on this many of its days, whichever they are. Null: valid on the days that were chosen.',
        1,
        366,
      ),
    ),
  ),
  approval: Type.Optional(Type.Boolean()),
  visible: Type.Optional(Type.Boolean()),
};
export const AttendeeTypeCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'adult')),
  name: Name(200, { example: 'Adult' }),
  ...attendeeType,
});
export type AttendeeTypeCreate = Type.Static<typeof AttendeeTypeCreate>;
export const AttendeeTypeChange = Body(
  { code: Type.Optional(Code()), name: Type.Optional(Name(200)), ...attendeeType },
  { minProperties: 1 },
);
export type AttendeeTypeChange = Type.Static<typeof AttendeeTypeChange>;

// ---- question
export const QUESTION_KINDS = [
  'text',
  'long_text',
  'number',
  'email',
  'phone',
  'date',
  'yes_no',
  'choice',
  'choices',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];
/** The kinds of questions by whose answers people can be filtered. */
export const FILTERABLE_KINDS: readonly QuestionKind[] = ['yes_no', 'choice', 'choices'];
/** How many questions of an event can be filterable. */
export const MAX_FILTERABLE_QUESTIONS = 10;
const kind = OneOf(QUESTION_KINDS, {
  description: 'The answer to a `choice` is one of `options`; to `choices`, any number of them.',
});

export const Question = Type.Object({
  id: Ulid('The question.'),
  code: Code('Unique in the event, ignoring case. Answers are stored under it.', 'diet'),
  label: Type.String(),
  kind,
  required: Type.Boolean(),
  options: Nullable(Type.Array(Type.String())),
  attendee_types: Nullable(
    Type.Array(Type.String(), { description: 'Codes of the attendee types that are asked. Null: all.' }),
  ),
  filterable: Type.Boolean({
    description: 'Whether attendees can be filtered by their answers, with `answers` of the list of attendees.',
  }),
  ...Stamps,
});
export type Question = Type.Static<typeof Question>;

const question = {
  required: Type.Optional(Type.Boolean()),
  options: Type.Optional(
    Nullable(
      Type.Array(Name(200), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'What can be chosen, for `choice` and `choices`.',
      }),
    ),
  ),
  attendee_types: Type.Optional(Nullable(Type.Array(Ref('attendee_type'), { minItems: 1, maxItems: 200 }))),
  filterable: Type.Optional(
    Type.Boolean({
      description: `Whether attendees can be filtered by their answers. Only for ${FILTERABLE_KINDS.map((one) => `\`${one}\``).join(', ')}, and for at most ${MAX_FILTERABLE_QUESTIONS} questions of an event. Default false.`,
    }),
  ),
};
export const QuestionCreate = Body({
  code: Type.Optional(Code('Default: made from the label.', 'diet')),
  label: Name(500, { example: 'Any dietary needs?' }),
  kind,
  ...question,
});
export type QuestionCreate = Type.Static<typeof QuestionCreate>;
export const QuestionChange = Body(
  { code: Type.Optional(Code()), label: Type.Optional(Name(500)), kind: Type.Optional(kind), ...question },
  { minProperties: 1 },
);
export type QuestionChange = Type.Static<typeof QuestionChange>;

// ---- check-in point
export const POINT_KINDS = ['entry', 'pre_check', 'zone', 'exit'] as const;
export type PointKind = (typeof POINT_KINDS)[number];
export const POINT_LIMITS = ['once_per_day', 'once', 'once_until_exit', 'unlimited'] as const;
export type PointLimit = (typeof POINT_LIMITS)[number];
export const POINT_REQUIRES = ['pre_check', 'entry'] as const;

const pointKind = OneOf(POINT_KINDS);
const limit = OneOf(POINT_LIMITS, {
  description:
    'How often a person is admitted. Default: `once_per_day` at entries and pre-checks, `unlimited` at zones and exits.',
});
const requires = Nullable(OneOf(POINT_REQUIRES));
const minutes = (description: string) => Type.Integer({ minimum: 0, maximum: 10_080, description });
const seconds = Type.Integer({ minimum: 0, maximum: 604_800 });

export const Policy = Type.Object(
  {
    attendee_types: Nullable(
      Type.Array(Type.String(), { description: 'Codes of the attendee types that are admitted. Null: all.' }),
    ),
    groups: Nullable(
      Type.Array(Type.String(), {
        description: 'Codes of the groups that are admitted, with the groups below them. Null: all.',
      }),
    ),
    days: Nullable(
      Type.Array(Type.String(), { description: 'Codes of the days on which the point admits. Null: all.' }),
    ),
    products: Nullable(
      Type.Array(Type.String(), {
        description:
          'Codes of products: who has booked one of them is admitted, for themselves or with the registration. Null: everybody.',
      }),
    ),
    opens_minutes_before: minutes('How many minutes before the day opens the point admits.'),
    closes_minutes_after: minutes('How many minutes after the day closes the point still admits.'),
    limit,
    cooldown_seconds: seconds,
    requires,
    capacity: Nullable(Type.Integer({ description: 'For zones: the most people inside at a time.' })),
    leaves: Nullable(
      Type.String({ description: 'For exits: code of the zone that one leaves. Null: the venue and every zone.' }),
    ),
  },
  { description: 'Who is admitted at the point, when and how often.' },
);
export type Policy = Type.Static<typeof Policy>;

const policyInput = Body({
  attendee_types: Type.Optional(Nullable(Type.Array(Ref('attendee_type'), { minItems: 1, maxItems: 200 }))),
  groups: Type.Optional(Nullable(Type.Array(Ref('group'), { minItems: 1, maxItems: 1000 }))),
  days: Type.Optional(Nullable(Type.Array(Ref('day'), { minItems: 1, maxItems: 366 }))),
  products: Type.Optional(Nullable(Type.Array(Ref('product'), { minItems: 1, maxItems: 200 }))),
  opens_minutes_before: Type.Optional(minutes('How many minutes before the day opens the point admits.')),
  closes_minutes_after: Type.Optional(minutes('How many minutes after the day closes the point still admits.')),
  limit: Type.Optional(limit),
  cooldown_seconds: Type.Optional(seconds),
  requires: Type.Optional(requires),
  capacity: Type.Optional(Nullable(Count('For zones: the most people inside at a time.'))),
  leaves: Type.Optional(Nullable(Ref('check_in_point', 'For exits: the zone that one leaves.'))),
});
export type PolicyInput = Type.Static<typeof policyInput>;

export const CheckInPoint = Type.Object({
  id: Ulid('The check-in point.'),
  code: Code('Unique in the event, ignoring case.', 'gate'),
  name: Type.String(),
  kind: pointKind,
  policy: Policy,
  ...Stamps,
});
export type CheckInPoint = Type.Static<typeof CheckInPoint>;
export const CheckInPointCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'gate')),
  name: Name(200, { example: 'Main gate' }),
  kind: pointKind,
  policy: Type.Optional(policyInput),
});
export type CheckInPointCreate = Type.Static<typeof CheckInPointCreate>;
export const CheckInPointChange = Body(
  {
    code: Type.Optional(Code()),
    name: Type.Optional(Name(200)),
    policy: Type.Optional(policyInput),
  },
  { minProperties: 1 },
);
export type CheckInPointChange = Type.Static<typeof CheckInPointChange>;
