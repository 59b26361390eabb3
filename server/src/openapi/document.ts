import { ErrorBody, minimumPlan, PLANS } from '@turnout/contract';
import type { TSchema } from 'typebox';
import type { Method, Operation, TakesFile } from '../road/operation.ts';
import { ABOUT } from './about.ts';
import { exampleOfAnswer, exampleOfBody, statusesOf } from './examples.ts';
import { PAIRING } from './pairing.ts';
import { Parameters } from './parameters.ts';
import { HEADERS, headersOf, RefusalResponses } from './refusals.ts';
import { type Json, Schemas } from './schemas.ts';
import { tagsOf } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

export interface Addresses {
  publicUrl: string;
  scannerUrl: string;
}

/** What the committed document says: an installation with nothing configured. */
export const DEFAULT_ADDRESSES: Addresses = {
  publicUrl: 'http://localhost:3000',
  scannerUrl: 'http://localhost:3000',
};

/** OpenAPI 3.1 of everything a key can call. Made of the declarations alone, so it cannot say what the router does not do. */
export function openapiDocument(operations: readonly Operation[], addresses: Addresses = DEFAULT_ADDRESSES): Json {
  const published = operations.filter(isPublished);
  const schemas = new Schemas(answeredBy(published));
  const parameters = new Parameters(schemas);
  const refusals = new RefusalResponses(() => schemas.publish(ErrorBody, 'response'));
  const servers = serversOf(addresses);
  const paths: Record<string, Json> = {};
  for (const operation of [...published, PAIRING].sort(inOrder)) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    const method = operation.method.toLowerCase();
    if (method in item) throw new Error(`${operation.id}: ${operation.method} ${operation.path} is declared twice`);
    item[method] = describe(operation, schemas, parameters, refusals, servers);
  }
  const webhooks = webhooksOf(schemas);
  const { examples, responses } = refusals.components;
  return {
    openapi: '3.1.0',
    'x-generated': 'From the declarations of the operations (npm run generate). Not edited by hand.',
    info: {
      title: 'Turnout API',
      version: 'v1',
      summary: 'Event registration, ticketing and check-in.',
      description: ABOUT,
      license: { name: 'GNU Affero General Public License v3.0 or later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [servers.api],
    security: [{ apiKey: [] }],
    tags: tagsOf(published),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        deviceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'What a scanner got when it was paired (`POST /devices/pair`). On the scanner host only.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'Your API key. Live keys begin with `svc_live_`, test keys with `svc_test_`.',
        },
      },
      schemas: schemas.components,
      parameters: parameters.components,
      headers: HEADERS,
      responses,
      examples,
    },
  };
}

/** The components that answers hold, webhooks included. */
function answeredBy(operations: readonly Operation[]): Set<string> {
  const answers = new Schemas();
  for (const { id, reply } of [...operations, PAIRING]) if (reply !== null) answers.publishWhole(reply, 'response', id);
  webhooksOf(answers);
  return new Set(Object.keys(answers.components));
}

/** Operations on the app's own mount only are no part of API v1, which takes keys. */
export const isPublished = (operation: Operation): boolean => (operation.hosts ?? ['api']).length > 0;

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * By path, so that declarations can move without a diff. A parameter comes before a word: of two paths that both fit
 * `/webhooks/deliveries/x`, the contract's own stands last, and it is the one that the lint's exception names.
 */
function inOrder(a: Operation, b: Operation): number {
  const key = (path: string) => path.replaceAll('/', ' ').replaceAll('{', '!');
  if (a.path !== b.path) return key(a.path) < key(b.path) ? -1 : 1;
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

/** Addresses are variables: an installation has its own, and a document that names localhost as a server is refused by lints. */
function serversOf({ publicUrl, scannerUrl }: Addresses): { api: Json; scanner: Json } {
  return {
    api: {
      url: '{base_url}',
      description: 'API',
      variables: { base_url: { default: `${publicUrl}/v1`, description: 'Address of the API, with its version.' } },
    },
    scanner: {
      url: '{scanner_url}/api/v1',
      description: 'Scanner host',
      variables: { scanner_url: { default: scannerUrl, description: 'Address of the scanner host.' } },
    },
  };
}

function describe(
  operation: Operation,
  schemas: Schemas,
  parameters: Parameters,
  refusals: RefusalResponses,
  servers: { api: Json; scanner: Json },
): Json {
  const hosts = operation.hosts ?? ['api'];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, needs(operation)].filter((part) => part !== undefined).join('\n\n'),
    ...(hosts.includes('scanner') && { servers: hosts.map((host) => servers[host]) }),
    ...securityOf(operation),
    parameters: parameters.of(operation),
    ...(operation.body !== undefined && { requestBody: bodyOf(operation, schemas) }),
    responses: {
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          {
            description: SUCCESS[status],
            headers: {
              ...headersOf(status, operation.method === 'POST'),
              ...(operation.etag !== undefined && { ETag: { $ref: '#/components/headers/ETag' } }),
            },
            ...answerOf(operation, status, schemas),
          },
        ]),
      ),
      ...(operation.etag !== undefined && { 304: notModified() }),
      ...(operation === PAIRING ? refusals.of(operation, operation.refusals) : refusals.of(operation)),
    },
    ...(operation !== PAIRING && { 'x-scope': operation.scope }),
    'x-entitlement': operation.entitlement,
    'x-member-permission': operation.member,
    ...(operation.device === true && { 'x-device': true }),
    ...(operation.audit !== undefined && { 'x-audit': operation.audit }),
  };
}

/** Keys are the rule; scanners that were paired have a token of their own, and what pairs them has nothing yet. */
function securityOf(operation: Operation): Json {
  if (operation === PAIRING) return { security: [] };
  if (operation.onlyDevices === true) return { security: [{ deviceToken: [] }] };
  return operation.device === true ? { security: [{ apiKey: [] }, { deviceToken: [] }] } : {};
}

const notModified = (): Json => ({
  description: 'Nothing has changed since the answer that `If-None-Match` names. No body.',
  headers: { ...headersOf(304, false), ETag: { $ref: '#/components/headers/ETag' } },
});

const capital = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

/** A file is bytes: `format` for generators that read it from 3.0, `contentMediaType` for those that know 3.1. */
function answerOf(operation: Operation, status: number, schemas: Schemas): Json {
  const { id, reply, produces } = operation;
  if (produces !== undefined) {
    return { content: { [produces]: { schema: { type: 'string', format: 'binary', contentMediaType: produces } } } };
  }
  if (reply === null) return {};
  const schema = schemas.publishWhole(reply, 'response', `${capital(id)}Answer`);
  return { content: { 'application/json': { schema, example: exampleOfAnswer(operation, status) } } };
}

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it goes on in the background.',
  204: 'Deleted.',
};

/** A body of which nothing is required may be left out: the road takes `{}` then. */
function bodyOf(operation: Operation, schemas: Schemas): Json {
  const { id, body, file, query } = operation;
  const { required, minProperties } = body as Json;
  const schema = schemas.publishWhole(body, 'request', `${capital(id)}Body`);
  const json = { 'application/json': { schema, example: exampleOfBody(operation) } };
  return {
    required: (Array.isArray(required) && required.length > 0) || Number(minProperties ?? 0) > 0,
    content: { ...json, ...(file !== undefined && filesOf(file, query, schemas)) },
  };
}

/** The file as the body, with its options in the query; or as a part of a form that has the options, too. */
function filesOf({ mediaType }: TakesFile, query: TSchema | undefined, schemas: Schemas): Json {
  const options = ((query as Json | undefined)?.properties ?? {}) as Json;
  const fields = Object.entries(options).map(([name, schema]) => [name, schemas.publish(schema, 'request')]);
  return {
    [mediaType]: { schema: { type: 'string', description: 'The file; its options are query parameters.' } },
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: { type: 'string', contentMediaType: mediaType, description: 'The file.' },
          ...Object.fromEntries(fields),
        },
        required: ['file'],
      },
    },
  };
}

/** In words what the `x-` fields say, for those who read. */
function needs(operation: Operation): string {
  const { entitlement, scope, keysRefused } = operation;
  const hosts = operation.hosts ?? ['api'];
  const where = !hosts.includes('scanner')
    ? ''
    : hosts.includes('api')
      ? ' Also on the scanner host.'
      : ' On the scanner host only.';
  if (operation === PAIRING) return `Needs no key.${where}`;
  if (operation.onlyDevices === true)
    return `For paired scanners: needs a device token. Keys get \`not_found\`.${where}`;
  if (keysRefused !== undefined) return `Not for keys: they get \`${keysRefused}\`.${where}`;
  const plan = entitlement === null ? undefined : PLANS.find((one) => one.code === minimumPlan(entitlement));
  const bought = plan === undefined ? '' : ` and a plan with \`${entitlement}\` (${plan.name})`;
  const wide = operation.organizationWide === true ? ' The key must not be limited to a group.' : '';
  return `Needs the scope \`${scope}\`${bought}.${wide}${where}`;
}
