import { describe, expect, test } from 'vitest';
import { losses } from './support/compatible.ts';

type Json = Record<string, unknown>;

/** The document of a small API with one of everything that can be lost. */
const document = () => ({
  servers: [{ url: '{base_url}' }],
  webhooks: {
    'event.created': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { data: { $ref: '#/components/schemas/Event' } } },
            },
          },
        },
      },
    },
  },
  paths: {
    '/events/{event}': {
      get: {
        operationId: 'getEvent',
        'x-scope': 'read',
        parameters: [
          { name: 'event', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'status', in: 'query', schema: { type: 'string', enum: ['draft', 'closed'] } },
        ],
        responses: {
          200: {
            headers: { 'X-Request-Id': {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
          },
          404: { content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
      post: {
        operationId: 'changeEvent',
        'x-scope': 'write',
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } },
        },
        responses: { 201: {}, 400: {} },
      },
    },
  },
  components: {
    schemas: {
      Event: {
        type: 'object',
        required: ['id', 'capacity'],
        properties: {
          id: { type: 'string' },
          status: { type: 'string', enum: ['draft', 'closed'] },
          kind: { type: 'string', 'x-extensible-enum': ['fair', 'race'] },
          capacity: { type: ['integer', 'null'] },
          venue: { type: 'object', properties: { name: { type: 'string' } } },
          days: { type: 'array', items: { type: 'object', properties: { code: { type: 'string' } } } },
          parent: { anyOf: [{ $ref: '#/components/schemas/Event' }, { type: 'null' }] },
          words: { type: 'object', additionalProperties: { type: 'string' } },
          result: { anyOf: [{ type: 'string' }, { type: 'object', properties: { code: { type: 'string' } } }] },
        },
      },
      Change: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 200 },
          kind: { type: 'string', enum: ['a', 'b'] },
          capacity: { type: ['integer', 'null'], minimum: 0 },
          code: { type: 'string', pattern: '^a' },
          at: { type: 'string' },
          on: { type: 'string', format: 'date' },
        },
      },
    },
  },
});
type Document = ReturnType<typeof document>;

// biome-ignore lint/suspicious/noExplicitAny: a document to be damaged
const after = (change: (copy: any) => void): string[] => {
  const copy = structuredClone(document());
  change(copy);
  return losses(document() as unknown as Json, copy);
};
const operation = (copy: Document) => copy.paths['/events/{event}'];

test('nothing is lost between a document and itself', () => {
  expect(after(() => {})).toEqual([]);
});

describe('what v1 may do', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document to be changed
  test.each<[string, (copy: any) => void]>([
    ['a new operation', (copy) => Object.assign(copy.paths, { '/new': { get: {} } })],
    ['a new field of an answer', (copy) => Object.assign(copy.components.schemas.Event.properties, { x: {} })],
    ['a new optional field of a body', (copy) => Object.assign(copy.components.schemas.Change.properties, { x: {} })],
    [
      'a new optional parameter',
      (copy) => operation(copy).get.parameters.push({ name: 'q', in: 'query', schema: {} } as never),
    ],
    ['a new value in an answer', (copy) => copy.components.schemas.Event.properties.status.enum.push('archived')],
    ['a new value in a request', (copy) => copy.components.schemas.Change.properties.kind.enum.push('c')],
    [
      'an enumeration in an answer that becomes open',
      (copy) =>
        Object.assign(copy.components.schemas.Event.properties, {
          status: { type: 'string', 'x-extensible-enum': ['draft', 'closed', 'archived'] },
        }),
    ],
    ['a new webhook', (copy) => Object.assign(copy.webhooks, { 'event.deleted': { post: {} } })],
    ['a new refusal', (copy) => Object.assign(operation(copy).get.responses, { 409: {} })],
    ['a refusal that no longer happens', (copy) => delete copy.paths['/events/{event}'].get.responses[404]],
    ['a field of a body that is no longer required', (copy) => copy.components.schemas.Change.required.pop()],
    [
      'a field of an answer that is never null any more',
      (copy) => Object.assign(copy.components.schemas.Event.properties.capacity, { type: 'integer' }),
    ],
    [
      'a limit of length that the format implies',
      (copy) => Object.assign(copy.components.schemas.Change.properties.on, { maxLength: 10 }),
    ],
    ['a longer text', (copy) => Object.assign(copy.components.schemas.Change.properties.name, { maxLength: 500 })],
    [
      'a component that is written inline',
      (copy) =>
        Object.assign(operation(copy).post.requestBody.content['application/json'], {
          schema: copy.components.schemas.Change,
        }),
    ],
    [
      'a nullable field spelled as a union',
      (copy) =>
        Object.assign(copy.components.schemas.Event.properties, {
          capacity: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        }),
    ],
  ])('%s', (_name, change) => expect(after(change)).toEqual([]));
});

// claim: v1-loses-nothing
describe('what v1 never does, each seen failing', () => {
  const body = 'POST /events/{event}, body';
  const answer = 'GET /events/{event}, 200';
  // biome-ignore lint/suspicious/noExplicitAny: a document to be damaged
  test.each<[string, (copy: any) => void]>([
    ['GET /events/{event}: the operation is gone', (copy) => delete copy.paths['/events/{event}'].get],
    ['POST /events/{event}: the operation is gone', (copy) => delete copy.paths['/events/{event}']],
    [
      'GET /events/{event}: its operationId changed from getEvent to readEvent',
      (copy) => Object.assign(operation(copy).get, { operationId: 'readEvent' }),
    ],
    [
      'GET /events/{event}: the scope it needs changed from read to admin',
      (copy) => Object.assign(operation(copy).get, { 'x-scope': 'admin' }),
    ],
    [
      'GET /events/{event}: is no longer on {base_url}',
      (copy) => Object.assign(operation(copy).get, { servers: [{ url: '{scanner_url}' }] }),
    ],
    ['GET /events/{event}: query parameter status is gone', (copy) => operation(copy).get.parameters.pop()],
    [
      'GET /events/{event}: query parameter status became required',
      (copy) => Object.assign(operation(copy).get.parameters[1]!, { required: true }),
    ],
    [
      'GET /events/{event}: query parameter q became required',
      (copy) => operation(copy).get.parameters.push({ name: 'q', in: 'query', required: true, schema: {} } as never),
    ],
    [
      'GET /events/{event}, query parameter status: the value "draft" is gone',
      (copy) => copy.paths['/events/{event}'].get.parameters[1].schema.enum.shift(),
    ],
    ['GET /events/{event}: the answer 200 is gone', (copy) => delete copy.paths['/events/{event}'].get.responses[200]],
    [
      'GET /events/{event}: 200: the header X-Request-Id is gone',
      (copy) => Object.assign(operation(copy).get.responses[200], { headers: {} }),
    ],
    [
      `${answer}: application/json is gone`,
      (copy) => Object.assign(operation(copy).get.responses[200], { content: { 'text/csv': {} } }),
    ],
    [`${answer}: the field status is gone`, (copy) => delete copy.components.schemas.Event.properties.status],
    [
      `${answer}.venue: the field name is gone`,
      (copy) => delete copy.components.schemas.Event.properties.venue.properties.name,
    ],
    [
      `${answer}.days[]: the field code is gone`,
      (copy) => delete copy.components.schemas.Event.properties.days.items.properties.code,
    ],
    [`${answer}: the field id may be left out now`, (copy) => copy.components.schemas.Event.required.shift()],
    [
      `${answer}.status: the value "draft" is gone`,
      (copy) => copy.components.schemas.Event.properties.status.enum.shift(),
    ],
    [
      `${answer}.kind: the value "fair" is gone`,
      (copy) => copy.components.schemas.Event.properties.kind['x-extensible-enum'].shift(),
    ],
    ['webhook event.created: is gone', (copy) => delete copy.webhooks['event.created']],
    [
      'webhook event.created.data: the field venue is gone',
      (copy) => delete copy.components.schemas.Event.properties.venue,
    ],
    [
      `${answer}.id: the type changed from string to integer`,
      (copy) => Object.assign(copy.components.schemas.Event.properties.id, { type: 'integer' }),
    ],
    [
      `${answer}.id: the type changed from string to string or null`,
      (copy) => Object.assign(copy.components.schemas.Event.properties.id, { type: ['string', 'null'] }),
    ],
    [
      `${answer}.words.*: the type changed from string to object`,
      (copy) => Object.assign(copy.components.schemas.Event.properties.words.additionalProperties, { type: 'object' }),
    ],
    [
      `${answer}.result (anyOf 2): the field code is gone`,
      (copy) => delete copy.components.schemas.Event.properties.result.anyOf[1].properties.code,
    ],
    [`${body}: the field kind is gone`, (copy) => delete copy.components.schemas.Change.properties.kind],
    [`${body}: the field kind became required`, (copy) => copy.components.schemas.Change.required.push('kind')],
    [`${body}.kind: the value "a" is gone`, (copy) => copy.components.schemas.Change.properties.kind.enum.shift()],
    [
      `${body}.at: takes only some values now`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.at, { enum: ['now'] }),
    ],
    [
      `${body}.at: the format changed from none to date-time`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.at, { format: 'date-time' }),
    ],
    [
      `${body}.capacity: the type changed from integer or null to integer`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.capacity, { type: 'integer' }),
    ],
    [
      `${body}.capacity: minimum became 1 (was 0)`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.capacity, { minimum: 1 }),
    ],
    [
      `${body}.name: maxLength became 100 (was 200)`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.name, { maxLength: 100 }),
    ],
    [
      `${body}.at: maxLength became 10 (was none)`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.at, { maxLength: 10 }),
    ],
    [
      `${body}.on: maxLength became 9 (was none)`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.on, { maxLength: 9 }),
    ],
    [
      `${body}.code: the pattern changed`,
      (copy) => Object.assign(copy.components.schemas.Change.properties.code, { pattern: '^b' }),
    ],
    [
      'POST /events/{event}: the body became required',
      (copy) => Object.assign(operation(copy).post.requestBody, { required: true }),
    ],
  ])('%s', (line, change) => expect(after(change)).toContain(line));
});
