import * as contract from '@turnout/contract';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Two names of the contract read better in a document than in code. */
const RENAMED: Readonly<Record<string, string>> = { ErrorBody: 'Error' };

const named = Object.entries(contract as Record<string, unknown>)
  .filter((entry): entry is [string, TSchema] => entry[1] instanceof Object && '~kind' in entry[1])
  .map(([name, schema]) => [RENAMED[name] ?? name, schema] as const);
const byInstance = new Map<unknown, string>(named.map(([name, schema]) => [schema, name]));
/** `Type.Optional` copies what it is given: a copy is known by its shape. The first name wins where two shapes are equal. */
const byShape = new Map<string, string>(named.toReversed().map(([name, schema]) => [JSON.stringify(schema), name]));

/** The name under which the contract exports this schema; a `$ref` stands in its place. */
export const nameOf = (schema: unknown): string | undefined =>
  byInstance.get(schema) ?? byShape.get(JSON.stringify(schema) ?? '');

/** Formats that only our own validator knows, by the name that everybody's knows; null: there is none. */
const PUBLIC_FORMATS: Readonly<Record<string, string | null>> = {
  timestamp: 'date-time',
  'kept-timestamp': 'date-time',
  'kept-date': 'date',
  name: null,
  currency: null,
};

/** Turns schemas into what OpenAPI 3.1 publishes and keeps the components that were referred to. */
export class Schemas {
  readonly #components = new Map<string, Json>();

  /** The schema, or a `$ref` to it where the contract gives it a name. */
  publish(schema: unknown): Json {
    const name = nameOf(schema);
    if (name === undefined) return this.#shape(schema as Json);
    if (!this.#components.has(name)) {
      this.#components.set(name, {}); // before its shape: a schema may lead back to itself
      this.#components.set(name, this.#shape(schema as Json));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #shape(schema: Json): Json {
    const nullable = this.#orNull(schema);
    if (nullable !== null) return nullable;
    const published: Json = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'format') {
        const format = PUBLIC_FORMATS[value as string];
        if (format !== null) published.format = format ?? value;
      } else if (key === 'properties') published.properties = this.#each(value as Json);
      else if (key === 'patternProperties' && '^.*$' in (value as Json)) {
        published.additionalProperties = this.publish((value as Json)['^.*$']); // how a record is usually spelled
      } else if (key === 'patternProperties') published.patternProperties = this.#each(value as Json);
      else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) {
        published[key] = this.publish(value);
      } else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
        published[key] = (value as unknown[]).map((branch) => this.publish(branch));
      } else published[key] = structuredClone(value);
    }
    return published;
  }

  #each(schemas: Json): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.publish(schema)]));
  }

  /** "X or null" as `type: [x, null]`, which readers and generators understand better than a union of two. */
  #orNull(schema: Json): Json | null {
    const branches = schema.anyOf as Json[] | undefined;
    if (branches?.length !== 2 || branches[1]!.type !== 'null') return null;
    const { anyOf: _, ...beside } = schema;
    const published = this.publish(branches[0]);
    if (typeof published.type !== 'string') return { ...beside, anyOf: [published, { type: 'null' }] };
    return {
      ...published,
      ...beside,
      type: [published.type, 'null'],
      ...(Array.isArray(published.enum) && { enum: [...published.enum, null] }),
    };
  }
}
