import { EVENT_TYPES } from '@turnout/contract';
import { describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { isPublished, openapiDocument } from '../server/src/openapi/document.ts';
import { PAIRING } from '../server/src/openapi/pairing.ts';
import * as generators from './support/generators.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const fresh: Any = JSON.parse(JSON.stringify(openapiDocument(operations)));
const described = (path: string, method: string): Any => fresh.paths[path][method.toLowerCase()];
const { closedWords, sharedNames, unnamed, untyped, withoutExample, notFound, parametersOf } = generators;

describe('generators of clients can read the document', () => {
  test('enumerations in answers are open', () => expect(closedWords(fresh)).toEqual([]));
  test('no two components have the same name', () => expect(sharedNames(fresh)).toEqual([]));
  test('bodies, answers and lists have named schemas, and files have a schema', () =>
    expect(unnamed(fresh)).toEqual([]));
  test('every list says what its items are', () => expect(untyped(fresh)).toEqual([]));
  test('every body and answer has an example', () => expect(withoutExample(fresh)).toEqual([]));

  /** Keys are refused there, so no client of a key needs them. */
  const FOR_PEOPLE = [
    'POST /checkins/{check_in}/override',
    'POST /checkins/{check_in}/undo',
    'POST /events/{event}/hand-outs/{hand_out}/undo',
  ];
  test('operations of the scanner host that keys may call are found at the address of the API, too', () => {
    const missed = notFound(fresh).filter((line) => !FOR_PEOPLE.some((name) => line.startsWith(`${name}:`)));
    expect(missed).toEqual([]);
    expect(described('/events/{event}/scan/batch', 'POST').servers.map((one: Any) => one.url)).toEqual([
      '{base_url}',
      '{scanner_url}/api/v1',
    ]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: a document to be damaged
  test.each<[string, (document: any) => string[], (copy: any) => void]>([
    [
      'Event.status: its words are closed',
      closedWords,
      (copy) => (copy.components.schemas.Event.properties.status.enum = ['a', 'b']),
    ],
    [
      'schemas/Event and parameters/event have one name',
      sharedNames,
      (copy) => (copy.components.parameters.event = {}),
    ],
    [
      'schemas/Error is called like a class of many languages',
      sharedNames,
      (copy) => (copy.components.schemas.Error = {}),
    ],
    [
      'schemas/ScanBatchResponse and what is made of scanBatch have one name',
      sharedNames,
      (copy) => (copy.components.schemas.ScanBatchResponse = {}),
    ],
    [
      'GET /tickets/{ticket}/pdf, 200: application/pdf has no schema',
      unnamed,
      (copy) => delete copy.paths['/tickets/{ticket}/pdf'].get.responses[200].content['application/pdf'].schema,
    ],
    [
      'GET /events, 200: its schema has no name',
      unnamed,
      (copy) => (copy.paths['/events'].get.responses[200].content['application/json'].schema = { type: 'object' }),
    ],
    [
      'ScanBatch.scans: is a list of anything',
      untyped,
      (copy) => (copy.components.schemas.ScanBatch.properties.scans.items = {}),
    ],
    [
      'GET /me, 200: has no example',
      withoutExample,
      (copy) => delete copy.paths['/me'].get.responses[200].content['application/json'].example,
    ],
    [
      'POST /events/{event}/scan/batch: is on another address first',
      notFound,
      (copy) => copy.paths['/events/{event}/scan/batch'].post.servers.shift(),
    ],
  ])('seen failing: %s', (line, check, damage) => {
    const copy = structuredClone(fresh);
    damage(copy);
    expect(check(copy)).toContain(line);
  });
});

describe('what the contract says beyond the operations', () => {
  const published = operations.filter(isPublished);

  test('results and reasons of scans and check-ins list the known values', () => {
    const { ScanResponse, CheckIn } = fresh.components.schemas;
    const person = ScanResponse.properties.people.items;
    for (const { properties } of [ScanResponse, CheckIn, person]) {
      expect(properties.result.type).toBe('string');
      expect(properties.result['x-extensible-enum']).toEqual(
        expect.arrayContaining(['accepted', 'duplicate', 'zone_full']),
      );
      expect(properties.reason['x-extensible-enum']).toEqual(expect.arrayContaining(['limit', 'not_confirmed']));
      expect(properties.result.description).toContain('`accepted`');
    }
    expect(fresh.components.schemas.ScanBatch.properties.scans.items.$ref).toBe('#/components/schemas/BatchScan');
  });

  test('304, 426 and 431 are described with their headers wherever they can occur', () => {
    for (const operation of [...published, PAIRING]) {
      const { responses, parameters } = described(operation.path, operation.method);
      const names = parametersOf(fresh, { parameters }).map((one) => one.name);
      expect(Object.keys(responses), operation.id).toContain('431');
      const scanner = operation.hosts?.includes('scanner') ?? false;
      expect([names.includes('X-Scanner-Version'), '426' in responses], operation.id).toEqual([scanner, scanner]);
      const tagged = operation.etag !== undefined;
      expect([names.includes('If-None-Match'), '304' in responses], operation.id).toEqual([tagged, tagged]);
    }
    expect('304' in described('/events/{event}/scan/manifest', 'GET').responses).toBe(true);
  });

  test('pairing needs no credentials, a heartbeat a device, and scanning takes devices and keys', () => {
    expect(described('/devices/pair', 'POST').security).toEqual([]);
    expect(described('/devices/self/heartbeat', 'PUT').security).toEqual([{ deviceToken: [] }]);
    expect(described('/events/{event}/scan', 'POST').security).toEqual([{ apiKey: [] }, { deviceToken: [] }]);
    expect(described('/me', 'GET').security).toBeUndefined();
  });

  test('the 19 webhooks are described, each with its signature and envelope', () => {
    expect(Object.keys(fresh.webhooks)).toEqual([...EVENT_TYPES]);
    for (const [type, { post }] of Object.entries<Any>(fresh.webhooks)) {
      expect(post.parameters.map((one: Any) => [one.name, one.required])).toEqual([['Service-Signature', true]]);
      const { schema, example } = post.requestBody.content['application/json'];
      expect(schema.allOf[0].$ref).toBe('#/components/schemas/WebhookEnvelope');
      expect(example.type).toBe(type);
    }
  });
});
