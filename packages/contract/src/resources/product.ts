import Type from 'typebox';
import { Body, Code, Count, Money, Name, Nullable, OneOf, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';
import { saleSpan } from './structure.ts';

// ---- product
export const PRODUCT_TAKERS = ['attendee', 'registration'] as const;
export type ProductTaker = (typeof PRODUCT_TAKERS)[number];
/** How many options a product has at most, such as the sizes of a T-shirt. */
export const MAX_OPTIONS = 50;
/** How many units of a product one taker has at most. */
export const MAX_UNITS = 100;
/** How many different products and options one taker has at most. */
export const MAX_LINES = 50;

const per = OneOf(PRODUCT_TAKERS, {
  description: '`attendee`: each person takes it for themselves. `registration`: it is taken once for all of them.',
});

export const Product = Type.Object({
  id: Ulid('The product.'),
  code: Code('Unique in the event, ignoring case.', 'workshop'),
  name: Type.String(),
  description: Nullable(Type.String()),
  price_minor: Money('The price of one unit, in the minor unit of the event’s currency. 0: free.'),
  options: Type.Array(
    Type.Object({
      code: Code('Unique in the product, ignoring case.', 'm'),
      name: Type.String(),
      capacity: Nullable(Type.Integer({ description: 'The most units of this option. Null: no limit of its own.' })),
    }),
    { description: 'What is chosen between, such as sizes. Empty: there is nothing to choose.' },
  ),
  capacity: Nullable(Type.Integer({ description: 'The most units of all options together. Null: no limit.' })),
  per,
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
  on_sale: Nullable(
    Type.Object(
      { from: Nullable(Timestamp()), until: Nullable(Timestamp()) },
      { description: 'When it can be taken: `from` inclusive, `until` exclusive. Null: always.' },
    ),
  ),
  visible: Type.Boolean({ description: 'Whether it is offered in the form and can be taken.' }),
  ...Stamps,
});
export type Product = Type.Static<typeof Product>;

const product = {
  description: Type.Optional(Nullable(Text(2000, { description: 'Shown under the name.' }))),
  price_minor: Type.Optional(Money('The price of one unit. Default 0: free.')),
  options: Type.Optional(
    Type.Array(
      Body({
        code: Type.Optional(Code('Default: made from the name.', 'm')),
        name: Name(100, { example: 'Medium' }),
        capacity: Type.Optional(Nullable(Count('The most units of this option. Null: no limit of its own.'))),
      }),
      {
        maxItems: MAX_OPTIONS,
        description:
          'What is chosen between. The list replaces the one before; an option is recognised by its code, and one that was taken cannot be left out.',
      },
    ),
  ),
  capacity: Type.Optional(Nullable(Count('The most units of all options together. Null: no limit.'))),
  max: Type.Optional(Count('The most units that one taker has, of all options together. Default 1.', 1, MAX_UNITS)),
  required: Type.Optional(Type.Boolean()),
  attendee_types: Type.Optional(
    Nullable(
      Type.Array(Ref('attendee_type'), {
        minItems: 1,
        maxItems: 200,
        description: 'The attendee types it is offered to. Null: all.',
      }),
    ),
  ),
  days: Type.Optional(
    Nullable(
      Type.Array(Ref('day'), {
        minItems: 1,
        maxItems: 366,
        description: 'It is offered to whoever comes on one of these days. Null: all.',
      }),
    ),
  ),
  on_sale: Type.Optional(
    Nullable(
      Body(saleSpan('on sale'), {
        description: 'When it can be taken. Null: always. Members may add it at any time.',
      }),
    ),
  ),
  visible: Type.Optional(Type.Boolean()),
};
export const ProductCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'workshop')),
  name: Name(200, { example: 'Bread workshop' }),
  per: Type.Optional(per),
  ...product,
});
export type ProductCreate = Type.Static<typeof ProductCreate>;
export const ProductChange = Body(
  {
    code: Type.Optional(Code()),
    name: Type.Optional(Name(200)),
    per: Type.Optional(
      OneOf(PRODUCT_TAKERS, { description: 'It can only be changed while nobody has taken the product.' }),
    ),
    ...product,
  },
  { minProperties: 1 },
);
export type ProductChange = Type.Static<typeof ProductChange>;

// ---- what is booked
/** A product that somebody takes. */
export const ProductChoice = Body({
  product: Ref('product'),
  option: Type.Optional(Code('Code of the option. Required if the product has options.', 'm')),
  quantity: Type.Optional(Count('How many units. Default 1.', 1, MAX_UNITS)),
});
export type ProductChoice = Type.Static<typeof ProductChoice>;

const booked = {
  product: Code('Code of the product.', 'workshop'),
  option: Nullable(Type.String({ description: 'Code of the option. Null if the product has none.' })),
  quantity: Type.Integer({ minimum: 1, examples: [1] }),
  price_minor: Money('The price of one unit that was agreed on.'),
  discount_minor: Money('What the code took off, of all units together.'),
};
/** What is booked, as a registration shows it: handing out does not change the registration. */
export const RegisteredProduct = Type.Object(booked);
export type RegisteredProduct = Type.Static<typeof RegisteredProduct>;
export const BookedProduct = Type.Object({
  ...booked,
  handed_out: Type.Integer({ minimum: 0, description: 'How many of the units were handed out.', examples: [0] }),
});
export type BookedProduct = Type.Static<typeof BookedProduct>;

// ---- shared limit
export const Quota = Type.Object({
  id: Ulid('The shared limit.'),
  code: Code('Unique in the event, ignoring case.', 'kitchen'),
  name: Type.String(),
  capacity: Type.Integer({ description: 'The most people and units together.' }),
  attendee_types: Nullable(
    Type.Array(Type.String(), { description: 'Codes of attendee types whose people are counted. Null: see `days`.' }),
  ),
  days: Nullable(
    Type.Array(Type.String(), {
      description:
        'Codes of days whose people are counted, once each. With `attendee_types`: those of these types on these days. People are not counted if both are null.',
    }),
  ),
  products: Nullable(Type.Array(Type.String(), { description: 'Codes of products whose units are counted.' })),
  ...Stamps,
});
export type Quota = Type.Static<typeof Quota>;
const quota = {
  attendee_types: Type.Optional(Nullable(Type.Array(Ref('attendee_type'), { minItems: 1, maxItems: 200 }))),
  days: Type.Optional(Nullable(Type.Array(Ref('day'), { minItems: 1, maxItems: 366 }))),
  products: Type.Optional(Nullable(Type.Array(Ref('product'), { minItems: 1, maxItems: 200 }))),
};
const quotaCapacity = (description: string) => Count(description);
export const QuotaCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'kitchen')),
  name: Name(200, { example: 'Seats in the kitchen' }),
  capacity: quotaCapacity('The most people and units together.'),
  ...quota,
});
export type QuotaCreate = Type.Static<typeof QuotaCreate>;
export const QuotaChange = Body(
  {
    code: Type.Optional(Code()),
    name: Type.Optional(Name(200)),
    capacity: Type.Optional(quotaCapacity('The most people and units together.')),
    ...quota,
  },
  { minProperties: 1 },
);
export type QuotaChange = Type.Static<typeof QuotaChange>;
