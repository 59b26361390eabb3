import { ErrorBody, minimumPlan, PLANS } from '@turnout/contract';
import type { TSchema } from 'typebox';
import type { Method, Operation, TakesFile } from '../road/operation.ts';
import { ABOUT } from './about.ts';
import { clientName } from './client-names.ts';
import { exampleOfAnswer, exampleOfBody, statusesOf } from './examples.ts';
import { PAIRING } from './pairing.ts';
import { Parameters } from './parameters.ts';
import { PUBLIC_TAG, publicDocuments } from './public-documents.ts';
import { HEADERS, headersOf, RefusalResponses } from './refusals.ts';
import { addSamples } from './samples.ts';
import { type Json, Schemas } from './schemas.ts';
import { tagsOf } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

export interface Addresses {
  publicUrl: string;
  scannerUrl: string;
}

/** The addresses in the committed document: those of an installation with nothing configured. */
export const DEFAULT_ADDRESSES: Addresses = {
  publicUrl: 'http://localhost:3000',
  scannerUrl: 'http://localhost:3000',
};

/**
 * The OpenAPI 3.1 document of everything that keys and devices can call. It is made from the declarations alone, so it cannot
 * describe what the router does not do.
 */
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
  Object.assign(paths, publicDocuments(schemas, addresses.publicUrl));
  const webhooks = webhooksOf(schemas);
  const { examples, responses } = refusals.components;
  const document: Json = {
    openapi: '3.1.0',
    'x-generated': 'Generated from the declarations of the operations by `npm run generate`. Do not edit.',
    info: {
      title: 'Turnout API',
      version: 'v1',
      summary: 'Event registration, ticketing and check-in.',
      description: ABOUT,
      license: { name: 'GNU Affero General Public License v3.0 or later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [servers.api],
    security: [{ apiKey: [] }],
    tags: tagsOf([...published.map(({ tag }) => tag), PUBLIC_TAG]),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        deviceToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token that a scanner received when it was paired (`POST /devices/pair`). Works on the scanner host only.',
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
  addSamples(document, addresses.publicUrl);
  return document;
}

/** The names of the components that answers and webhooks contain. */
function answeredBy(operations: readonly Operation[]): Set<string> {
  const answers = new Schemas();
  for (const { id, reply } of [...operations, PAIRING]) if (reply !== null) answers.publishWhole(reply, 'response', id);
  webhooksOf(answers);
  return new Set(Object.keys(answers.components));
}

/** Operations that only the admin app can call are not part of API v1. */
export const isPublished = (operation: Operation): boolean => (operation.hosts ?? ['api']).length > 0;

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Sorts by path, so that moving a declaration does not change the document. A parameter comes before a word: two paths fit
 * `/webhooks/deliveries/x`, and the contract's own, which the exception for the lint names, must be the last of them.
 */
function inOrder(a: Operation, b: Operation): number {
  const key = (path: string) => path.replaceAll('/', ' ').replaceAll('{', '!');
  if (a.path !== b.path) return key(a.path) < key(b.path) ? -1 : 1;
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

/** The addresses are variables, because every installation has its own and linters refuse a document with localhost as a server. */
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
    ...((operation.body !== undefined || operation.file !== undefined) && { requestBody: bodyOf(operation, schemas) }),
    responses: {
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          {
            description: SUCCESS[status],
            headers: {
              ...headersOf(status, operation.method === 'POST'),
              ...(operation.etag !== undefined && { ETag: { $ref: '#/components/headers/ETag' } }),
              ...(operation.tagged === true && { ETag: { $ref: '#/components/headers/ObjectTag' } }),
            },
            ...answerOf(operation, status, schemas),
          },
        ]),
      ),
      ...(operation.etag !== undefined && { 304: notModified() }),
      ...(operation === PAIRING ? refusals.of(operation, operation.refusals) : refusals.of(operation)),
    },
    'x-client-name': clientName(operation.id),
    ...(operation !== PAIRING && { 'x-scope': operation.scope }),
    'x-entitlement': operation.entitlement,
    'x-member-permission': operation.member,
    ...(operation.device === true && { 'x-device': true }),
    ...(operation.audit !== undefined && { 'x-audit': operation.audit }),
  };
}

/** Most operations take a key. Paired scanners have a token instead, and pairing itself needs neither. */
function securityOf(operation: Operation): Json {
  if (operation === PAIRING) return { security: [] };
  if (operation.onlyDevices === true) return { security: [{ deviceToken: [] }] };
  return operation.device === true ? { security: [{ apiKey: [] }, { deviceToken: [] }] } : {};
}

const notModified = (): Json => ({
  description: 'Nothing has changed since the answer whose `ETag` was sent as `If-None-Match`. There is no body.',
  headers: { ...headersOf(304, false), ETag: { $ref: '#/components/headers/ETag' } },
});

const capital = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

/** A file is described twice: by `format` for generators that know OpenAPI 3.0, and by `contentMediaType` for those that know 3.1. */
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
  202: 'Accepted. The work continues in the background.',
  204: 'Deleted.',
};

/** If a body requires no field, it may be left out; the road then takes `{}`. */
function bodyOf(operation: Operation, schemas: Schemas): Json {
  const { id, body, file, query } = operation;
  if (body === undefined) return { required: true, content: filesOf(file!, query, schemas) };
  const { required, minProperties } = body as Json;
  const schema = schemas.publishWhole(body, 'request', `${capital(id)}Body`);
  const json = { 'application/json': { schema, example: exampleOfBody(operation) } };
  return {
    required: (Array.isArray(required) && required.length > 0) || Number(minProperties ?? 0) > 0,
    content: { ...json, ...(file !== undefined && filesOf(file, query, schemas)) },
  };
}

/** A file can be sent as the body, with its options in the query, or as a part of a form that also has the options. */
function filesOf({ field, mediaTypes }: TakesFile, query: TSchema | undefined, schemas: Schemas): Json {
  // Whoever reads OpenAPI 3.0 knows bytes by `format`.
  const binary = { format: 'binary' };
  const about = field === null ? 'The file.' : 'The file. Its options are query parameters.';
  const options = ((query as Json | undefined)?.properties ?? {}) as Json;
  const fields = Object.entries(options).map(([name, schema]) => [name, schemas.publish(schema, 'request')]);
  return {
    ...Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: { type: 'string', ...binary, description: about } }]),
    ),
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            ...binary,
            ...(mediaTypes.length === 1 && { contentMediaType: mediaTypes[0] }),
            description: 'The file.',
          },
          ...Object.fromEntries(fields),
        },
        required: ['file'],
      },
      ...(mediaTypes.length > 1 && { encoding: { file: { contentType: mediaTypes.join(', ') } } }),
    },
  };
}

/** Says in words what the `x-` fields say. */
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
    return `For paired scanners: needs a device token. A key gets \`not_found\`.${where}`;
  if (keysRefused !== undefined) return `Not available to keys, which get \`${keysRefused}\`.${where}`;
  const plan = entitlement === null ? undefined : PLANS.find((one) => one.code === minimumPlan(entitlement));
  const bought = plan === undefined ? '' : ` and a plan with \`${entitlement}\` (${plan.name})`;
  const wide = operation.organizationWide === true ? ' The key must not be limited to a group.' : '';
  return `Needs the scope \`${scope}\`${bought}.${wide}${where}`;
}
