import * as contract from '@turnout/contract';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;
/** In a request, a set of words is closed. In a response, words may be added in the future. */
export type Direction = 'request' | 'response';

/**
 * Names that would clash with those of client generators: `Error` is a class in most languages, and some generators use
 * `<OperationId>Response` for the answer with its status and headers.
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
/** `Type.Optional` makes a copy, which is recognized by its shape. If two schemas have the same shape, the first name wins. */
const byShape = new Map<string, string>(named.toReversed().map(([name, schema]) => [JSON.stringify(schema), name]));

/** The name under which the contract exports this schema, if it does. The document then refers to it by `$ref`. */
export const nameOf = (schema: unknown): string | undefined =>
  byInstance.get(schema) ?? byShape.get(JSON.stringify(schema) ?? '');

/** The schema to publish. If the server checks the items of a body one by one, `x-shape` names the schema that describes them. */
export const publicSchema = (schema: unknown): unknown => {
  const shape = (schema as Json | undefined)?.['x-shape'];
  return shape === undefined ? schema : byName.get(String(shape))!;
};

/** Formats that only our validator knows, and the standard format to publish instead; null if there is none. */
const PUBLIC_FORMATS: Readonly<Record<string, string | null>> = {
  timestamp: 'date-time',
  'kept-timestamp': 'date-time',
  'kept-date': 'date',
  name: null,
  currency: null,
};

const OPEN = 'x-extensible-enum';

/** Turns our schemas into those of OpenAPI 3.1, and keeps the components that they refer to. */
export class Schemas {
  readonly #components = new Map<string, Json>();
  readonly #answered: ReadonlySet<string>;

  /**
   * `answered`: the components that occur in answers. If a request contains one of them with a closed set of words, its schema
   * differs and needs a name of its own.
   */
  constructor(answered: ReadonlySet<string> = new Set()) {
    this.#answered = answered;
  }

  /** The schema, or a `$ref` if the contract has a name for it. */
  publish(given: unknown, direction: Direction): Json {
    const schema = publicSchema(given);
    const name = nameOf(schema);
    if (name === undefined) return this.#shape(schema as Json, direction);
    const closed = direction === 'request' && this.#answered.has(name) && isClosed(schema);
    return this.#component(closed ? `${name}Input` : name, schema, direction);
  }

  /** The schema of a whole body or answer. It always gets a name, because generators would otherwise invent one. */
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
      this.#components.set(name, {}); // set before its content is known, because a schema may refer to itself
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
        published.additionalProperties = this.publish((value as Json)['^.*$'], direction); // the usual way to write a record
      } else if (key === 'patternProperties') published.patternProperties = each(value as Json);
      else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) {
        published[key] = this.publish(value, direction);
      } else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
        published[key] = (value as unknown[]).map((branch) => this.publish(branch, direction));
      } else published[key] = structuredClone(value);
    }
    return openEnded(published, direction);
  }

  /** "X or null" as `type: [x, null]`, which people and generators understand better than a union. */
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
 * A set of words in an answer is published as a plain string with a list of the words known today. From `enum`, generators make
 * clients that fail at the first new word; from a union of `enum` and `string`, most make a type that nobody can use. A plain
 * string works with all of them, and those that know `x-extensible-enum` offer its words.
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

/** Whether the schema contains a closed set of words. */
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
