import Type from 'typebox';
import {
  Body,
  Count,
  Money,
  Name,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Sum,
  Text,
  Timestamp,
  TimestampInput,
  Ulid,
} from '../formats.ts';
import { MAX_ATTENDEES } from './structure.ts';

export const DISCOUNT_KINDS = ['percent', 'amount', 'price'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];
/** How codes are compared: capitals, without spaces and dashes. */
export const discountKey = (code: string): string => code.replace(/[\s-]+/g, '').toUpperCase();

/** How many discounts an event has at most. */
export const MAX_DISCOUNTS = 20_000;
/** How many codes one job makes at most. */
export const MAX_DISCOUNT_BATCH = 10_000;

const discountCode = (description: string) =>
  Type.String({
    // At least three letters and digits.
    pattern: '^[ -]*[A-Za-z0-9][ -]*[A-Za-z0-9][ -]*[A-Za-z0-9][A-Za-z0-9 -]*$',
    minLength: 3,
    maxLength: 64,
    description,
    examples: ['FRIENDS-25'],
  });
/** A code as somebody types it: anything that short, because what is no code is an unknown one. */
export const DiscountCodeInput = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'The code of a discount, as it was typed. Case, spaces and dashes do not matter.',
  examples: ['FRIENDS-25'],
});

const kind = OneOf(DISCOUNT_KINDS, {
  description:
    '`percent`: so much off. `amount`: so much off each ticket and unit. `price`: what each ticket and unit costs instead.',
});
const value = (description: string) => Money(description);
const aboutValue =
  'For `percent` 1 to 100; for `amount` and `price` in the minor unit of the event’s currency. Nothing becomes dearer, or cheaper than 0.';

export const Discount = Type.Object({
  id: Ulid('The discount.'),
  code: Type.String({
    description: 'What people type. Case, spaces and dashes do not matter.',
    examples: ['FRIENDS-25'],
  }),
  name: Type.String(),
  kind,
  value: value(aboutValue),
  attendee_types: Nullable(
    Type.Array(Type.String(), {
      description: 'Codes of the types whose tickets become cheaper. Null: all. Empty: none.',
    }),
  ),
  products: Nullable(
    Type.Array(Type.String(), { description: 'Codes of the products that become cheaper. Null: all. Empty: none.' }),
  ),
  reveals: Type.Array(Type.String(), { description: 'Codes of hidden types that can be registered with the code.' }),
  opens_at: Nullable(Timestamp('From this instant on. Null: from the beginning.')),
  closes_at: Nullable(Timestamp('Up to, and without, this instant. Null: to the end.')),
  max_people: Nullable(Type.Integer({ description: 'For how many people it can be used in all. Null: any number.' })),
  max_people_per_registration: Nullable(
    Type.Integer({ description: 'How many people of one registration it covers. Null: any number.' }),
  ),
  min_people: Nullable(
    Type.Integer({ description: 'How many people it has to cover in one registration at least. Null: one.' }),
  ),
  group: Nullable(Type.String({ description: 'Code of the group that people registered with it belong to.' })),
  note: Nullable(Type.String({ description: 'For the organizer only.' })),
  active: Type.Boolean(),
  used: Type.Integer({
    minimum: 0,
    description:
      'How many people it covers now: those of registrations that hold their places. Test registrations are left out.',
    examples: [0],
  }),
  given_minor: Sum('What it took off for them, in the minor unit of the event’s currency.'),
  ...Stamps,
});
export type Discount = Type.Static<typeof Discount>;

const people = (description: string, maximum: number) => Type.Optional(Nullable(Count(description, 1, maximum)));
const discount = {
  attendee_types: Type.Optional(
    Nullable(
      Type.Array(Ref('attendee_type'), {
        maxItems: 200,
        description: 'The types whose tickets become cheaper. Null, the default: all. Empty: none.',
      }),
    ),
  ),
  products: Type.Optional(
    Nullable(
      Type.Array(Ref('product'), {
        maxItems: 200,
        description: 'The products that become cheaper. Null: all. Empty, the default: none.',
      }),
    ),
  ),
  reveals: Type.Optional(
    Type.Array(Ref('attendee_type'), {
      maxItems: 200,
      description: 'Hidden types that can be registered with the code.',
    }),
  ),
  opens_at: Type.Optional(Nullable(TimestampInput('From this instant on. Null: from the beginning.'))),
  closes_at: Type.Optional(Nullable(TimestampInput('Up to, and without, this instant. Null: to the end.'))),
  max_people: people('For how many people it can be used in all. Null: any number.', 10_000_000),
  max_people_per_registration: people(
    'How many people of one registration it covers. Null: any number.',
    MAX_ATTENDEES,
  ),
  min_people: people('How many people it has to cover in one registration at least. Null: one.', MAX_ATTENDEES),
  group: Type.Optional(
    Nullable(
      Ref('group', 'The group that people registered with the code belong to, unless the caller names another.'),
    ),
  ),
  note: Type.Optional(Nullable(Text(2000, { description: 'For the organizer only.' }))),
  active: Type.Optional(Type.Boolean({ description: 'Default true. Inactive codes are refused.' })),
};
export const DiscountCreate = Body({
  code: discountCode('Unique in the event. Case, spaces and dashes do not matter. At least three letters and digits.'),
  name: Name(200, { example: 'Friends of the house' }),
  kind,
  value: value(aboutValue),
  ...discount,
});
export type DiscountCreate = Type.Static<typeof DiscountCreate>;
export const DiscountChange = Body(
  {
    code: Type.Optional(discountCode('It can only be changed while nobody has registered with it.')),
    name: Type.Optional(Name(200)),
    kind: Type.Optional(kind),
    value: Type.Optional(value(aboutValue)),
    ...discount,
  },
  { minProperties: 1 },
);
export type DiscountChange = Type.Static<typeof DiscountChange>;

const { code: _code, ...shared } = DiscountCreate.properties;
export const DiscountBatch = Body(
  {
    count: Count('How many codes are made.', 1, MAX_DISCOUNT_BATCH),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]*$',
        minLength: 1,
        maxLength: 20,
        description: 'What every code begins with.',
        examples: ['PRESS-'],
      }),
    ),
    ...shared,
  },
  {
    description:
      'Each code is a discount of its own with these values. A code ends in 10 letters and digits that nobody guesses.',
  },
);
export type DiscountBatch = Type.Static<typeof DiscountBatch>;
