import Type, { type Static, type TSchema } from 'typebox';
import { FAULT_RULES } from './refusals.ts';

/** One word of a closed set. */
export const OneOf = <const V extends readonly string[]>(values: V, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });

/** One of the words that are known today, or one that is added later. Clients must not fail at a new one. */
export const Known = <const V extends readonly string[]>(values: V, options: Type.TSchemaOptions = {}) =>
  Type.String({ ...options, 'x-extensible-enum': [...values] });

/** The schema, or null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const ULID_PATTERN = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';
export const Ulid = (description: string) =>
  Type.String({ pattern: ULID_PATTERN, maxLength: 26, description, examples: ['01JCQ8Z7M4T3V9R1X5K2N6P8DA'] });

/** A code never looks like an id: 26 characters of the ULID alphabet are not a code. */
export const CODE_PATTERN = '^(?![0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$)[A-Za-z0-9][A-Za-z0-9_-]{0,62}$';
export const Code = (description = 'Unique among its siblings, ignoring case.', example = 'main') =>
  Type.String({ pattern: CODE_PATTERN, maxLength: 63, description, examples: [example] });

/**
 * The name of a person or a thing. The server's format `name` refuses names that consist only of spaces, zero-width and other
 * invisible characters, so that a list, a badge and a mail always have something to show.
 */
export const Name = (max: number, options: { description?: string; example?: string } = {}) =>
  Type.String({ ...Text(max, options), format: 'name' });

/** An object whose field names the caller chooses. None of them may be longer than `longestName`. */
export const Keyed = <T extends TSchema>(longestName: number, value: T, options: Type.TObjectOptions) =>
  Type.Unsafe<Record<string, Type.Static<T>>>({
    type: 'object',
    additionalProperties: value,
    propertyNames: { minLength: 1, maxLength: longestName },
    ...options,
  });

/** Free text. U+0000 and lone surrogates were refused before, as in every string of a body. */
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
/** Any instant whose year has four digits: for answers, filters and the time of a scan. */
export const Timestamp = (description?: string) => time('timestamp', description);
/** An instant that is stored: in the years 1900 to 2200. Outside them, calendars, clocks and databases disagree. */
export const TimestampInput = (description?: string) => time('kept-timestamp', description);

const date = (format: string, description?: string) =>
  Type.String({
    format,
    maxLength: 10,
    ...(description !== undefined && { description }),
    examples: ['2026-11-15'],
  });
export const LocalDate = (description?: string) => date('date', description);
/** A date that is stored: in the years 1900 to 2200. */
export const LocalDateInput = (description?: string) => date('kept-date', description);

export const Timezone = () =>
  Type.String({ format: 'timezone', maxLength: 64, description: 'IANA time zone.', examples: ['Europe/Berlin'] });
export const Language = (description: string) =>
  Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description, examples: ['en'] });
const currency = { pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217 currency.', examples: ['EUR'] };
export const Currency = () => Type.String(currency);
/** Only currencies that exist are accepted. */
export const CurrencyInput = () => Type.String({ ...currency, format: 'currency' });
export const Money = (description = "In the currency's minor unit.") =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description, examples: [2500] });
/** The highest sum of several amounts: enough for two hundred attendees at the highest price. */
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

/** What a reference can point to. A reference is an id or, if the object has one, its code. */
export const REFERENCE_KINDS = [
  'group',
  'event',
  'day',
  'attendee_type',
  'question',
  'product',
  'quota',
  'discount',
  'hand_out',
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
  'member',
  'invitation',
  'key',
  'tenant_host',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/**
 * A reference in a body or query. The access-matrix test finds it by the `x-reference` mark, and then tests it by id, by code and
 * with an object of another organization.
 */
export const Ref = (kind: ReferenceKind, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 63,
    'x-reference': kind,
    description: description ?? `Id or code of the ${kind.replaceAll('_', ' ').replace('check in', 'check-in')}.`,
    examples: ['main'],
  });

/** An object that another one belongs to, with what is needed to show it and to ask for it. */
export const Link = (what: string) =>
  Type.Object(
    { id: Type.String({ pattern: ULID_PATTERN }), code: Type.String() },
    { description: `The ${what} it belongs to.` },
  );

export const PageInfo = Type.Object({
  next_cursor: Nullable(
    Type.String({ description: 'Send it back as `cursor` to get the next page. Null on the last page.' }),
  ),
  has_more: Type.Boolean(),
});
export const Page = <T extends TSchema>(item: T) => Type.Object({ data: Type.Array(item), page: PageInfo });

/** What is left of an object that a list showed before: `include=removed`. */
export const Removed = Type.Object({
  id: Ulid('The id of an object that the list does not show any more.'),
  removed: Type.Literal(true),
  updated_at: Timestamp('When it was removed. Always has six decimals.'),
});
export type Removed = Static<typeof Removed>;

/** A page of a list ends early, with `has_more: true`, before its items are larger than this together. */
export const PAGE_BYTES = 2_000_000;
/** What one registration may have at most: tickets, and places on days (people times days). */
export const MAX_TICKETS = 5000;
export const MAX_PERSON_DAYS = 20_000;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: PAGE_DEFAULT,
      description:
        'The most entries that a page has. A page ends earlier, with `has_more: true`, before its entries are larger than 2 MB together; it always has at least one.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 2000, description: '`page.next_cursor` of the page before, from the same list.' }),
  ),
};
export const ChangedQuery = {
  ...PageQuery,
  updated_since: Type.Optional(
    Timestamp(
      'Only what changed at or after this instant. Keep the newest `updated_at` that you have seen and ask again with it. No change is lost.',
    ),
  ),
  order: Type.Optional(
    OneOf(['newest'], {
      description:
        'By last change, newest first. Without it: oldest first. Leave it out to follow changes: with `newest`, whatever changes while you go through the pages moves to the first page, which you have already read.',
    }),
  ),
  include: Type.Optional(
    OneOf(['removed'], {
      description:
        '`removed`: what was deleted, or has left the group that the key is limited to, comes once more as `{ id, removed: true, updated_at }`, whatever the filters. Kept for a year. Not with `search`, nor with an `order` other than `newest`.',
    }),
  ),
};
/** For lists of people, which can also be ordered by name. */
export const PeopleQuery = {
  ...ChangedQuery,
  order: Type.Optional(
    OneOf(['newest', 'name'], {
      description:
        '`newest`: by last change, newest first. `name`: by last name, then first name. Without it: by last change, oldest first; with `search`, by the name or value that matched.',
    }),
  ),
};

/** A body with these fields. Any other field is an error; none is silently dropped. */
export const Body = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const Stamps = {
  created_at: Timestamp(),
  updated_at: Timestamp('Grows with every change. Always has six decimals.'),
};

export const FaultDetail = Type.Object({
  path: Type.String({ description: 'The place of the fault in the body, the query or the headers.' }),
  message: Type.String({ description: 'What is wrong, for people.' }),
  rule: Type.Optional(
    Type.String({
      description: `The rule that was broken, where it is a common one: ${FAULT_RULES.map((rule) => `\`${rule}\``).join(', ')}. More may be added.`,
    }),
  ),
  limit: Type.Optional(
    Type.Number({ description: 'The number that the rule is about, such as the most characters of `too_long`.' }),
  ),
});
export const ErrorBody = Type.Object({
  error: Type.Object(
    {
      code: Type.String({
        description: 'Let your program decide by this. Treat a code that you do not know as a refusal.',
      }),
      message: Type.String({ description: 'What is wrong, for people.' }),
      details: Type.Optional(Type.Array(FaultDetail)),
      request_id: Type.String(),
      key: Type.Optional(Type.String({ description: 'entitlement_required: the entitlement that is missing.' })),
      upgrade_plan: Type.Optional(
        Type.String({ description: 'entitlement_required: the cheapest plan that includes it.' }),
      ),
      read_only_since: Type.Optional(
        Type.String({ description: 'instance_read_only: since when the installation is read-only.' }),
      ),
      validity: Type.Optional(Type.String({ description: 'license_not_valid: expired, missing or does_not_verify.' })),
    },
    { description: 'New fields may be added.' },
  ),
});
