import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { accountOperations, operations } from '../server/src/areas/index.ts';
import { FORMATS } from '../server/src/road/request/formats.ts';

// Every part of a request has a limit that is checked before anything is done with it. This test reads the schemas for it.

interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  patternProperties?: unknown;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
}

/** Every part of a schema without a limit, with its place. `open` are the places that allow any JSON. */
function boundless(schema: Schema, path: string, open: readonly string[] = []): string[] {
  const within = (part: Schema, name: string) => boundless(part, `${path}/${name}`, open);
  const found: string[] = [];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => boundless(branch, path, open));
  if (schema.enum !== undefined) return [];
  switch (schema.type) {
    case 'string':
      if (schema.maxLength === undefined) found.push(`${path}: a text of any length`);
      if (schema.format !== undefined && FORMATS[schema.format] === undefined) found.push(`${path}: an unknown format`);
      return found;
    case 'array': {
      const { items } = schema;
      if (schema.maxItems === undefined) found.push(`${path}: a list of any length`);
      // With uniqueItems, Ajv compares every item with every other one, unless they are plain values.
      if (schema.uniqueItems && !['string', 'integer'].includes(items?.type ?? ''))
        found.push(`${path}: compared in pairs`);
      return [...found, ...(items === undefined ? [`${path}: any items`] : within(items, '0'))];
    }
    case 'object': {
      const { additionalProperties: more, properties = {} } = schema;
      if (schema.patternProperties !== undefined) found.push(`${path}: names by a pattern, which misses some`);
      if (more !== false && schema.maxProperties === undefined) found.push(`${path}: any number of fields`);
      if (more !== false && schema.propertyNames?.maxLength === undefined) found.push(`${path}: names of any length`);
      if (typeof more === 'object') found.push(...within(more, '*'));
      return [...found, ...Object.entries(properties).flatMap(([name, part]) => within(part, name))];
    }
    case undefined:
      return open.includes(path) ? [] : [`${path}: any JSON`];
    default:
      return [];
  }
}

/** The places that allow any JSON, and why they have a limit nevertheless. */
const OPEN = [
  // Each answer is checked against its question, and all of them together have a limit in bytes (registrations/answers.ts).
  'createRegistration/attendees/0/answers/*',
  'addAttendee/answers/*',
  'changeAttendee/answers/*',
  'changeOwnPlace/answers/*',
  'handOnPlace/answers/*',
  'startBulkAction/change/answers/*',
  // Each scan is validated by itself, so that an invalid one is refused alone (scanning/batch.ts).
  'scanBatch/scans/0',
];

const parts = [
  ...operations.flatMap(({ id, body, query }) => [body, query].map((schema) => ({ id, schema }))),
  ...accountOperations.map(({ id, body }) => ({ id, schema: body })),
].flatMap(({ id, schema }) => (schema === undefined ? [] : [{ id, schema: schema as Schema }]));

test('every text, list and object that an operation takes has a limit', () => {
  expect(parts.length).toBeGreaterThan(50);
  expect(parts.flatMap(({ id, schema }) => boundless(schema, id, OPEN))).toEqual([]);
});

describe('a part without a limit is found', () => {
  test.each([
    [Type.String(), ': a text of any length'],
    [Type.String({ format: 'colour', maxLength: 3 }), ': an unknown format'],
    [Type.Array(Type.Integer()), ': a list of any length'],
    [Type.Array(Type.Object({}), { maxItems: 3, uniqueItems: true }), ': compared in pairs'],
    [Type.Object({}), ': any number of fields'],
    [Type.Object({ a: Type.Union([Type.String(), Type.Null()]) }, { additionalProperties: false }), '/a: a text'],
    [Type.Record(Type.String({ maxLength: 3 }), Type.Integer(), { maxProperties: 3 }), ': names by a pattern'],
    [Type.Unknown(), ': any JSON'],
  ])('%j', (schema, fault) => {
    expect(boundless(schema as Schema, 'x').join()).toContain(`x${fault}`);
  });
});

test('times and dates that are stored lie in the years 1900 to 2200', () => {
  const wide = (schema: Schema, path: string): string[] => [
    ...(schema.format === 'timestamp' || schema.format === 'date' ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((branch) => wide(branch, path)),
    ...(schema.items === undefined ? [] : wide(schema.items, `${path}/0`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => wide(part, `${path}/${name}`)),
  ];
  const found = operations.flatMap(({ id, body }) => (body === undefined ? [] : wide(body as Schema, id)));
  expect(found).toEqual([
    'startBulkAction/filter/updated_since', // only compared with, never stored
    'scanTicket/scanned_at', // any time is accepted, because the clock of a scanner may be wrong
    'handOut/handed_out_at', // for the same reason
    // Only compared with, never stored.
    'replayWebhook/since',
    'replayWebhook/until',
    'createExport/filter/updated_since',
    'createExport/filter/from',
    'createExport/filter/to',
  ]);
});
