import { ChangedQuery, ULID_PATTERN } from '@turnout/contract';
import type { Operation } from '../road/operation.ts';
import type { AnyReference } from '../road/reference.ts';
import { AN_ID, IN_THE_SANDBOX } from './examples.ts';
import type { Json, Schemas } from './schemas.ts';

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Yours to choose, new for every new request. A retry with the same key and body gets the first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '6f1c2c9e-4a55-4a3c-9d0a-0b8f3f0d7a11',
};
const SERVICE_CLIENT: Json = {
  name: 'X-Service-Client',
  in: 'header',
  required: false,
  description:
    'Only for apps of automation platforms: the name of the app, kept in the audit log. Needs the entitlement `client_apps`. Own integrations leave it out.',
  schema: { type: 'string', maxLength: 100 },
};

/** Shared by most lists; everything else in a query is an operation's own. */
const LISTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ChangedQuery).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** Parameters of operations; what several of them share becomes a component. */
export class Parameters {
  readonly #schemas: Schemas;
  readonly #components = new Map<string, Json>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  of(operation: Operation): Json[] {
    const path = Object.entries(operation.at).map(([name, reference]) => this.#path(name, reference));
    const required = new Set((operation.query as Json | undefined)?.required as string[] | undefined);
    const properties = ((operation.query as Json | undefined)?.properties ?? {}) as Json;
    const query = Object.entries(properties).map(([name, schema]) => this.#query(name, schema, required.has(name)));
    return [
      ...path,
      ...query,
      ...(operation.method === 'POST' ? [this.#share('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
      this.#share('X-Service-Client', SERVICE_CLIENT),
    ];
  }

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #share(key: string, parameter: Json): Json {
    this.#components.set(key, parameter);
    return { $ref: `#/components/parameters/${key}` };
  }

  #path(name: string, { kind, byCode }: AnyReference): Json {
    const words = kind.replaceAll('_', ' ');
    return this.#share(name === kind ? kind : `${kind}.${name}`, {
      name,
      in: 'path',
      required: true,
      description: byCode ? `Id or code of the ${words}.` : `Id of the ${words}.`,
      schema: byCode
        ? { type: 'string', minLength: 1, maxLength: 63, 'x-reference': kind }
        : { type: 'string', pattern: ULID_PATTERN, 'x-reference': kind },
      example: byCode ? (IN_THE_SANDBOX[kind] ?? 'main') : AN_ID,
    });
  }

  #query(name: string, schema: unknown, required: boolean): Json {
    const shared = LISTS[JSON.stringify(schema)];
    // Examples stay out: the reference page would send an example of a filter as the filter.
    const { description, examples: _, ...rest } = this.#schemas.publish(schema);
    const parameter = { name, in: 'query', ...(required && { required }), description, schema: rest };
    if (description === undefined) delete parameter.description;
    return shared === name ? this.#share(name, parameter) : parameter;
  }
}
