import * as contract from '@turnout/contract';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;
/** What is sent may be closed; what is answered may grow. */
export type Direction = 'request' | 'response';

/**
 * Names that generators of clients have taken: `Error` is a class of most languages, and `<OperationId>Response` is what some of
 * them call the answer with its status and headers.
 */
const RENAMED: Readonly<Record<string, string>> = {
  ErrorBody: 'ErrorEnvelope',
  ScanBatchResponse: 'ScanBatchResults',
};

const named = Object.entries(contract as Record<string, unknown>)
  .filter((entry): entry is [string, TSchema] => entry[1] instanceof Object && '~kind' in entry[1])
  .map(([name, schema]) => [RENAMED[name] ?? name, schema] as const);
const byName = new Map<string, TSchema>(named);
const byInstance = new Map<unknown, string>(named.map(([name, schema]) => [schema, name]));
/** `Type.Optional` copies what it is given: a copy is known by its shape. The first name wins where two shapes are equal. */
const byShape = new Map<string, string>(named.toReversed().map(([name, schema]) => [JSON.stringify(schema), name]));

/** The name under which the contract exports this schema; a `$ref` stands in its place. */
export const nameOf = (schema: unknown): string | undefined =>
  byInstance.get(schema) ?? byShape.get(JSON.stringify(schema) ?? '');

/** What a schema is published as: `x-shape` names another where the server checks item by item what it takes. */
export const publicSchema = (schema: unknown): unknown => {
  const shape = (schema as Json | undefined)?.['x-shape'];
  return shape === undefined ? schema : byName.get(String(shape))!;
};

/** Formats that only our own validator knows, by the name that everybody's knows; null: there is none. */
const PUBLIC_FORMATS: Readonly<Record<string, string | null>> = {
  timestamp: 'date-time',
  'kept-timestamp': 'date-time',
  'kept-date': 'date',
  name: null,
  currency: null,
};

const OPEN = 'x-extensible-enum';

/** Turns schemas into what OpenAPI 3.1 publishes and keeps the components that were referred to. */
export class Schemas {
  readonly #components = new Map<string, Json>();
  readonly #answered: ReadonlySet<string>;

  /** `answered`: the components that answers hold. A request that holds one of them, closed, needs a name of its own. */
  constructor(answered: ReadonlySet<string> = new Set()) {
    this.#answered = answered;
  }

  /** The schema, or a `$ref` to it where the contract gives it a name. */
  publish(given: unknown, direction: Direction): Json {
    const schema = publicSchema(given);
    const name = nameOf(schema);
    if (name === undefined) return this.#shape(schema as Json, direction);
    const closed = direction === 'request' && this.#answered.has(name) && isClosed(schema);
    return this.#component(closed ? `${name}Input` : name, schema, direction);
  }

  /** The whole of a body or an answer: it always has a name, for generators make one up where it has none. */
  publishWhole(schema: unknown, direction: Direction, name: string): Json {
    if (nameOf(publicSchema(schema)) !== undefined) return this.publish(schema, direction);
    return this.#component(listName(schema) ?? name, schema, direction);
  }

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #component(name: string, schema: unknown, direction: Direction): Json {
    const known = this.#components.get(name);
    if (known === undefined) {
      this.#components.set(name, {}); // before its shape: a schema may lead back to itself
      this.#components.set(name, this.#shape(schema as Json, direction));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #shape(schema: Json, direction: Direction): Json {
    const nullable = this.#orNull(schema, direction);
    if (nullable !== null) return nullable;
    const published: Json = {};
    const each = (schemas: Json) =>
      Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, this.publish(one, direction)]));
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'format') {
        const format = PUBLIC_FORMATS[value as string];
        if (format !== null) published.format = format ?? value;
      } else if (key === 'properties') published.properties = each(value as Json);
      else if (key === 'patternProperties' && '^.*$' in (value as Json)) {
        published.additionalProperties = this.publish((value as Json)['^.*$'], direction); // how a record is usually spelled
      } else if (key === 'patternProperties') published.patternProperties = each(value as Json);
      else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) {
        published[key] = this.publish(value, direction);
      } else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
        published[key] = (value as unknown[]).map((branch) => this.publish(branch, direction));
      } else published[key] = structuredClone(value);
    }
    return openEnded(published, direction);
  }

  /** "X or null" as `type: [x, null]`, which readers and generators understand better than a union of two. */
  #orNull(schema: Json, direction: Direction): Json | null {
    const branches = schema.anyOf as Json[] | undefined;
    if (branches?.length !== 2 || branches[1]!.type !== 'null') return null;
    const { anyOf: _, ...beside } = schema;
    const published = this.publish(branches[0], direction);
    if (typeof published.type !== 'string') return { ...beside, anyOf: [published, { type: 'null' }] };
    return {
      ...published,
      ...beside,
      type: [published.type, 'null'],
      ...(Array.isArray(published.enum) && { enum: [...published.enum, null] }),
    };
  }
}

/**
 * A word in an answer is a plain string that lists the words known today. A generator that meets `enum` makes a client that fails
 * at the first new word, and of a union of `enum` and `string` most make a type that nobody can use; a plain string all of them
 * read, and those who know `x-extensible-enum` offer its words.
 */
function openEnded(published: Json, direction: Direction): Json {
  const { enum: closed, ...open } = published;
  const values = direction === 'response' && Array.isArray(closed) && closed.length > 1 ? closed : published[OPEN];
  if (published.type !== 'string' || !Array.isArray(values)) return published;
  const known = `Known values: ${values.map((value) => `\`${value}\``).join(', ')}. Others may be added.`;
  return {
    ...(direction === 'response' ? open : published),
    description: published.description === undefined ? known : `${published.description} ${known}`,
    [OPEN]: values,
  };
}

/** Whether a set of words is closed somewhere in it. */
const isClosed = (schema: unknown): boolean =>
  JSON.stringify(schema, (key, value) =>
    key === 'enum' && Array.isArray(value) && value.length > 1 ? 'CLOSED' : value,
  ).includes('"enum":"CLOSED"');

/** `EventList` of `{ data: [Event], page }`. */
function listName(schema: unknown): string | undefined {
  const properties = ((schema as Json).properties ?? {}) as Record<string, Json>;
  const fields = Object.keys(properties).filter((field) => field !== 'page');
  if (fields.length !== 1 || fields[0] !== 'data') return undefined;
  const item = nameOf(properties.data!.items);
  return item === undefined ? undefined : `${item}List`;
}
