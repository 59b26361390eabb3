import type { Fault } from '../common/refusal.ts';
import { namedInPath } from '../openapi/parameters.ts';
import { type Json, Schemas } from '../openapi/schemas.ts';
import type { Operation } from '../road/operation.ts';

/** The rows of a list that an agent gets if it does not say how many it wants. */
export const ROWS = 20;

/** A field that every tool for a POST has beside those of its operation. */
export const IDEMPOTENCY_KEY = 'idempotency_key';
const KEY_SCHEMA: Json = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Leave it out, unless you may have to repeat this call: with the same value and arguments it is done once.',
};

/**
 * An options query beside a file repeats the fields of the JSON body, which is what an agent sends. What was removed from a list
 * (`include`) is for programs that keep a copy, and would only make the list of tools longer.
 */
function queryOf({ query, file }: Operation): Json | undefined {
  if (file !== undefined || query === undefined) return undefined;
  const { include: _, ...properties } = fieldsOf(query);
  return { ...(query as Json), properties };
}

const fieldsOf = (schema: unknown): Record<string, Json> =>
  ((schema as Json | undefined)?.properties ?? {}) as Record<string, Json>;

const requiredIn = (schema: unknown): string[] => ((schema as Json | undefined)?.required ?? []) as string[];

/**
 * The input of a tool: the names in the path, the query and the fields of the body, side by side in one object. A name that two of
 * them have would be ambiguous; no operation has one, and for one that had, no tool could be made.
 */
export function inputSchema(operation: Operation): Json {
  const schemas = new Schemas();
  const publish = (schema: Json): Json => plain(schemas.publish(schema, 'request'), schemas) as Json;
  const query = queryOf(operation);
  const properties: Record<string, Json> = {};
  const add = (name: string, schema: Json) => {
    if (name in properties) throw new Error(`${operation.id}: two of its inputs are called ${name}`);
    properties[name] = schema;
  };
  for (const [name, reference] of Object.entries(operation.at)) {
    const { description, schema } = namedInPath(reference);
    add(name, { ...(plain(schema, schemas) as Json), description });
  }
  for (const [name, schema] of Object.entries(fieldsOf(query))) add(name, ofQuery(name, publish(schema)));
  for (const [name, schema] of Object.entries(fieldsOf(operation.body))) add(name, publish(schema));
  if (operation.method === 'POST') add(IDEMPOTENCY_KEY, KEY_SCHEMA);
  const required = [...Object.keys(operation.at), ...requiredIn(query), ...requiredIn(operation.body)];
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

const ofQuery = (name: string, schema: Json): Json => (name === 'limit' ? { ...schema, default: ROWS } : schema);

/** Many clients do not follow references, so a schema is written out. None of ours contains itself. */
function plain(node: unknown, schemas: Schemas, depth = 0): unknown {
  if (depth > 40) throw new Error('a schema of a tool contains itself');
  if (Array.isArray(node)) return node.map((one) => plain(one, schemas, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Json;
  if (typeof $ref === 'string') {
    const meant = schemas.components[$ref.slice($ref.lastIndexOf('/') + 1)];
    return plain({ ...(meant as Json), ...rest }, schemas, depth + 1);
  }
  const isNames = (key: string) => key === 'properties' || key === 'patternProperties';
  return Object.fromEntries(
    Object.entries(rest).flatMap(([key, value]) => {
      if (key === 'examples' || key.startsWith('x-')) return [];
      if (!isNames(key)) return [[key, plain(value, schemas, depth + 1)]];
      const named = Object.entries(value as Json).map(([name, one]) => [name, plain(one, schemas, depth + 1)]);
      return [[key, Object.fromEntries(named)]];
    }),
  );
}

export interface CallInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  key: string | null;
  /** Distinguishes the call from others of the same operation, as its address does over HTTP. */
  address: string;
  faults: Fault[];
}

/**
 * Takes the arguments of a tool apart again. A name that the tool does not have goes where it is refused as an unknown field: to the
 * body, or to the query if there is no body.
 */
export function takeApart(operation: Operation, toolArguments: Readonly<Record<string, unknown>>): CallInput {
  const params: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const name of Object.keys(operation.at)) {
    const value = Object.hasOwn(toolArguments, name) ? toolArguments[name] : undefined;
    if (typeof value !== 'string') {
      faults.push({ path: name, message: value === undefined ? 'is required' : 'must be a text' });
    }
    params[name] = typeof value === 'string' ? value : '';
  }
  const inQuery = fieldsOf(queryOf(operation));
  // Without prototypes, because an argument may be called `__proto__`.
  const query: Record<string, unknown> = Object.create(null);
  const body: Record<string, unknown> = Object.create(null);
  let key: string | null = null;
  for (const [name, value] of Object.entries(toolArguments)) {
    if (Object.hasOwn(params, name)) continue;
    if (name === IDEMPOTENCY_KEY && operation.method === 'POST') key = keyIn(value, faults);
    else if (Object.hasOwn(inQuery, name) || operation.body === undefined) addToQuery(query, name, value);
    else body[name] = value;
  }
  if (Object.hasOwn(inQuery, 'limit')) query.limit ??= String(ROWS);
  return {
    params,
    query,
    body: operation.body === undefined ? undefined : body,
    key,
    address: JSON.stringify([operation.path, params, query]),
    faults,
  };
}

function keyIn(value: unknown, faults: Fault[]): string | null {
  if (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  if (value !== null) {
    faults.push({ path: IDEMPOTENCY_KEY, message: 'must be 1 to 255 visible ASCII characters without spaces' });
  }
  return null;
}

/** A query consists of texts. Null is how some models leave out what they need not say. */
function addToQuery(query: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) return;
  const text = (one: unknown) => (typeof one === 'number' || typeof one === 'boolean' ? String(one) : one);
  query[name] = Array.isArray(value) ? value.map(text) : text(value);
}
