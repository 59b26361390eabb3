import { ChangedQuery, ULID_PATTERN } from '@turnout/contract';
import type { Operation } from '../road/operation.ts';
import type { AnyReference } from '../road/reference.ts';
import { AN_ID, IN_THE_SANDBOX } from './examples.ts';
import { PAIRING } from './pairing.ts';
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
const SCANNER_VERSION: Json = {
  name: 'X-Scanner-Version',
  in: 'header',
  required: false,
  description:
    'On the scanner host: the version of the scanner’s software, such as `1.4.0`; anything else is 400 there. Below the least that may scan (`min_sw_version` of the manifest) the answer is 426. Left out, nothing is asked.',
  schema: { type: 'string' },
  example: '1.4.0',
};
const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: '`ETag` of the answer you have. 304 without a body where nothing has changed since.',
  schema: { type: 'string' },
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

const pascal = (name: string): string => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

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
      ...(operation.method === 'POST' ? [this.#share('IdempotencyKey', IDEMPOTENCY_KEY)] : []),
      ...(operation.etag === undefined ? [] : [this.#share('IfNoneMatch', IF_NONE_MATCH)]),
      ...(operation.hosts?.includes('scanner') ? [this.#share('ScannerVersion', SCANNER_VERSION)] : []),
      ...(operation === PAIRING ? [] : [this.#share('ServiceClient', SERVICE_CLIENT)]),
    ];
  }

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** `EventParameter`: generators put parameters and schemas into one room, where there is an `Event` already. */
  #share(name: string, parameter: Json): Json {
    const key = `${name}Parameter`;
    this.#components.set(key, parameter);
    return { $ref: `#/components/parameters/${key}` };
  }

  #path(name: string, { kind, byCode }: AnyReference): Json {
    const words = kind.replaceAll('_', ' ');
    return this.#share(name === kind ? pascal(kind) : pascal(`${kind}_${name}`), {
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
    const { description, examples: _, ...rest } = this.#schemas.publish(schema, 'request');
    const parameter = { name, in: 'query', ...(required && { required }), description, schema: rest };
    if (description === undefined) delete parameter.description;
    return shared === name ? this.#share(pascal(name), parameter) : parameter;
  }
}
