import Type, { type TSchema } from 'typebox';

/** One of a closed set of words. */
export const OneOf = <const V extends readonly string[]>(values: V, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });

/** One of the words that are known, or one that is added later: clients must not fail at it. */
export const Known = <const V extends readonly string[]>(values: V, options: Type.TSchemaOptions = {}) =>
  Type.String({ ...options, 'x-extensible-enum': [...values] });

/** `null` beside a schema, without a second way to spell it. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const ULID_PATTERN = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';
export const Ulid = (description: string) =>
  Type.String({ pattern: ULID_PATTERN, maxLength: 26, description, examples: ['01JCQ8Z7M4T3V9R1X5K2N6P8DA'] });

/** Codes never look like an id: 26 characters of the ULID alphabet would be ambiguous. */
export const CODE_PATTERN = '^(?![0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$)[A-Za-z0-9][A-Za-z0-9_-]{0,62}$';
export const Code = (description = 'Unique among its siblings, ignoring case.', example = 'main') =>
  Type.String({ pattern: CODE_PATTERN, maxLength: 63, description, examples: [example] });

/**
 * What a person or a thing is called. Spaces, zero-width and other characters that nobody sees are no name (the server's format
 * `name`), so a list, a badge and a mail always have something to show.
 */
export const Name = (max: number, options: { description?: string; example?: string } = {}) =>
  Type.String({ ...Text(max, options), format: 'name' });

/** By names that the caller chooses: so many at most, and none longer than this. */
export const Keyed = <T extends TSchema>(longestName: number, value: T, options: Type.TObjectOptions) =>
  Type.Unsafe<Record<string, Type.Static<T>>>({
    type: 'object',
    additionalProperties: value,
    propertyNames: { minLength: 1, maxLength: longestName },
    ...options,
  });

/** Free text. U+0000 and lone surrogates are refused for every string of a body before this is asked. */
export const Text = (max: number, options: { description?: string; min?: number; example?: string } = {}) =>
  Type.String({
    minLength: options.min ?? 1,
    maxLength: max,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.example !== undefined && { examples: [options.example] }),
  });

const time = (format: string, description?: string) =>
  Type.String({
    format,
    maxLength: 40,
    ...(description !== undefined && { description }),
    examples: ['2026-11-15T09:30:00Z'],
  });
/** Any instant whose year has four digits: in answers, in filters, and when something was scanned. */
export const Timestamp = (description?: string) => time('timestamp', description);
/** One that is kept: in the years 1900 to 2200. Beyond them calendars, clocks and databases disagree. */
export const TimestampInput = (description?: string) => time('kept-timestamp', description);

const date = (format: string, description?: string) =>
  Type.String({
    format,
    maxLength: 10,
    ...(description !== undefined && { description }),
    examples: ['2026-11-15'],
  });
export const LocalDate = (description?: string) => date('date', description);
/** One that is kept: in the years 1900 to 2200. */
export const LocalDateInput = (description?: string) => date('kept-date', description);

export const Timezone = () =>
  Type.String({ format: 'timezone', maxLength: 64, description: 'IANA time zone.', examples: ['Europe/Berlin'] });
export const Language = (description: string) =>
  Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description, examples: ['en'] });
const currency = { pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217 currency.', examples: ['EUR'] };
export const Currency = () => Type.String(currency);
/** One that exists. */
export const CurrencyInput = () => Type.String({ ...currency, format: 'currency' });
export const Money = (description = "In the currency's minor unit.") =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description, examples: [2500] });
/** Of several amounts: two hundred people at the highest price, and what was paid for them. */
export const MAX_SUM = 1_000_000_000_000_000;
export const Sum = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_SUM, description, examples: [2500] });
export const Count = (description: string, minimum = 1, maximum = 10_000_000) =>
  Type.Integer({ minimum, maximum, description });
export const Email = (description?: string) =>
  Type.String({
    format: 'email',
    maxLength: 254,
    ...(description !== undefined && { description }),
    examples: ['ada@example.org'],
  });

/** What a reference can point to. A reference takes an id or, where the object has one, its code. */
export const REFERENCE_KINDS = [
  'group',
  'event',
  'day',
  'attendee_type',
  'question',
  'check_in_point',
  'check_in',
  'contact',
  'registration',
  'attendee',
  'ticket',
  'payment',
  'communication',
  'device',
  'job',
  'platform_connection',
  'webhook_endpoint',
  'webhook_delivery',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/**
 * A reference in a body or query. The `x-reference` mark is what the access-matrix test walks:
 * marking a field is enough to have it tested by id, by code and with another organization's object.
 */
export const Ref = (kind: ReferenceKind, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 63,
    'x-reference': kind,
    description: description ?? `Id or code of the ${kind.replaceAll('_', ' ')}.`,
    examples: ['main'],
  });

/** An object embedded where another refers to it: enough to show and to follow. */
export const Link = (what: string) =>
  Type.Object(
    { id: Type.String({ pattern: ULID_PATTERN }), code: Type.String() },
    { description: `The ${what} it belongs to.` },
  );

export const PageInfo = Type.Object({
  next_cursor: Nullable(Type.String({ description: 'Send it back as `cursor` to go on.' })),
  has_more: Type.Boolean(),
});
export const Page = <T extends TSchema>(item: T) => Type.Object({ data: Type.Array(item), page: PageInfo });

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'How many at most.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: 'From `page.next_cursor` of the same list.' })),
};
export const ChangedQuery = {
  ...PageQuery,
  updated_since: Type.Optional(
    Timestamp(
      'Only what changed at or after this instant. Keep the newest `updated_at` you saw and ask again: nothing is lost.',
    ),
  ),
  order: Type.Optional(
    OneOf(['newest'], {
      description:
        'By last change, newest first; without it, oldest first. What changes while you page comes to the front, where you have been: to follow changes, leave it out.',
    }),
  ),
};
/** Of people: they are also listed by name. */
export const PeopleQuery = {
  ...ChangedQuery,
  order: Type.Optional(
    OneOf(['newest', 'name'], {
      description:
        '`newest`: by last change, newest first. `name`: by last name, then first name. Without it: by last change, oldest first, or with `search` by what matched.',
    }),
  ),
};

/** A body that names its fields: anything else is a fault, nothing is dropped. */
export const Body = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const Stamps = {
  created_at: Timestamp(),
  updated_at: Timestamp('Six decimals; grows with every change.'),
};

export const FaultDetail = Type.Object({
  path: Type.String({ description: 'Where in the body, in the query or among the headers.' }),
  message: Type.String({ description: 'For people.' }),
});
export const ErrorBody = Type.Object({
  error: Type.Object(
    {
      code: Type.String({ description: 'Decide from this. An unknown code is a refusal.' }),
      message: Type.String({ description: 'For people.' }),
      details: Type.Optional(Type.Array(FaultDetail)),
      request_id: Type.String(),
      key: Type.Optional(Type.String({ description: 'entitlement_required: the entitlement that is missing.' })),
      upgrade_plan: Type.Optional(Type.String({ description: 'entitlement_required: the plan that has it.' })),
      read_only_since: Type.Optional(Type.String({ description: 'instance_read_only: since when.' })),
      validity: Type.Optional(Type.String({ description: 'license_not_valid: expired, missing or does_not_verify.' })),
    },
    { description: 'New fields may appear.' },
  ),
});
