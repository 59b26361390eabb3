import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { FORMATS } from '../server/src/road/formats.ts';

// What a caller sends is bounded in every part before anything is done with it. The schemas say so, and this reads them.

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

/** Whatever may be said without end, each with its place. `open` are the places where any JSON may stand. */
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
      // Ajv compares every item with every other unless they are plain.
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

/** Where any JSON may stand, and why it is bounded all the same. */
const OPEN = [
  // Each answer is held against its question; all of them together are bounded in bytes (registrations/answers.ts).
  'createRegistration/attendees/0/answers/*',
  'addAttendee/answers/*',
  'changeAttendee/answers/*',
  'startBulkAction/change/answers/*',
  // Each scan is held against its own schema, so that a broken one is its own fault (scanning/batch.ts).
  'scanBatch/scans/0',
];

const parts = operations.flatMap((operation) =>
  [operation.body, operation.query].flatMap((schema) =>
    schema === undefined ? [] : [{ id: operation.id, schema: schema as Schema }],
  ),
);

test('every text, list and record that an operation takes is bounded', () => {
  expect(parts.length).toBeGreaterThan(50);
  expect(parts.flatMap(({ id, schema }) => boundless(schema, id, OPEN))).toEqual([]);
});

describe('what is not bounded is found', () => {
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

test('times and dates that are kept lie in the years 1900 to 2200', () => {
  const wide = (schema: Schema, path: string): string[] => [
    ...(schema.format === 'timestamp' || schema.format === 'date' ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((branch) => wide(branch, path)),
    ...(schema.items === undefined ? [] : wide(schema.items, `${path}/0`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => wide(part, `${path}/${name}`)),
  ];
  const found = operations.flatMap(({ id, body }) => (body === undefined ? [] : wide(body as Schema, id)));
  expect(found).toEqual([
    'startBulkAction/filter/updated_since', // compared with, never kept
    'scanTicket/scanned_at', // any instant is taken; the door's clock may be anywhere
    // Compared with, never kept.
    'replayWebhook/since',
    'replayWebhook/until',
    'createExport/filter/updated_since',
    'createExport/filter/from',
    'createExport/filter/to',
  ]);
});
