import { ChangedQuery, ULID_PATTERN } from '@turnout/contract';
import type { Operation } from '../road/operation.ts';
import type { AnyReference } from '../road/request/reference.ts';
import { AN_ID, IN_THE_SANDBOX } from './examples.ts';
import { PAIRING } from './pairing.ts';
import type { Json, Schemas } from './schemas.ts';

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A value that you choose, a new one for every new request. A retry with the same key and body within 24 hours gets the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '6f1c2c9e-4a55-4a3c-9d0a-0b8f3f0d7a11',
};
const SCANNER_VERSION: Json = {
  name: 'X-Scanner-Version',
  in: 'header',
  required: false,
  description:
    'The version of the scanner’s software, such as `1.4.0`. Read on the scanner host only: a value that is not a version gets 400, and a version below `min_sw_version` of the manifest gets 426. Without the header, the version is not checked.',
  schema: { type: 'string' },
  example: '1.4.0',
};
export const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the answer that you have. If nothing has changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
};
const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the object as you have read it: its `updated_at` in quotation marks. If it was changed since, nothing is done, and the answer is 412 `changed_meanwhile` with the present `ETag`.',
  schema: { type: 'string' },
  example: '"2026-11-12T16:45:10.123000Z"',
};
const SERVICE_CLIENT: Json = {
  name: 'X-Service-Client',
  in: 'header',
  required: false,
  description:
    'Only for apps of automation platforms: the name of the app, for the audit log. Needs the entitlement `client_apps`. Leave it out in your own integration.',
  schema: { type: 'string', maxLength: 100 },
};

/** Query parameters that most lists share and that therefore become components. */
const LISTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ChangedQuery).map(([name, schema]) => [JSON.stringify(schema), name]),
);

const pascal = (name: string): string => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** How an object in a path is named. */
export function namedInPath({ kind, byCode }: AnyReference): { description: string; schema: Json } {
  const words = kind.replaceAll('_', ' ').replace('check in', 'check-in');
  return {
    description: byCode ? `Id or code of the ${words}.` : `Id of the ${words}.`,
    schema: byCode
      ? { type: 'string', minLength: 1, maxLength: 63, 'x-reference': kind }
      : { type: 'string', pattern: ULID_PATTERN, 'x-reference': kind },
  };
}

/** The parameters of operations. Those that several operations share become components. */
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
      ...(operation.shownBy === undefined ? [] : [this.#share('IfMatch', IF_MATCH)]),
      ...(operation.hosts?.includes('scanner') ? [this.#share('ScannerVersion', SCANNER_VERSION)] : []),
      ...(operation === PAIRING ? [] : [this.#share('ServiceClient', SERVICE_CLIENT)]),
    ];
  }

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Names end with `Parameter`, because generators use one namespace for parameters and schemas, which has an `Event` already. */
  #share(name: string, parameter: Json): Json {
    const key = `${name}Parameter`;
    this.#components.set(key, parameter);
    return { $ref: `#/components/parameters/${key}` };
  }

  #path(name: string, reference: AnyReference): Json {
    const { kind, byCode } = reference;
    return this.#share(name === kind ? pascal(kind) : pascal(`${kind}_${name}`), {
      name,
      in: 'path',
      required: true,
      ...namedInPath(reference),
      example: byCode ? (IN_THE_SANDBOX[kind] ?? 'main') : AN_ID,
    });
  }

  #query(name: string, schema: unknown, required: boolean): Json {
    const shared = LISTS[JSON.stringify(schema)];
    // Without examples, because the reference page would send the example of a filter as the filter.
    const { description, examples: _, ...rest } = this.#schemas.publish(schema, 'request');
    const parameter = { name, in: 'query', ...(required && { required }), description, schema: rest };
    if (description === undefined) delete parameter.description;
    return shared === name ? this.#share(pascal(name), parameter) : parameter;
  }
}
