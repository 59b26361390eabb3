import { RESOURCES } from './resources.ts';
import { type Json, nameOf } from './schemas.ts';

export const AN_ID = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
/** Objects of the sandbox, so that what is copied from the document works at once. */
export const IN_THE_SANDBOX: Readonly<Record<string, string>> = {
  group: 'clubs',
  event: 'lakeside-fair',
  day: 'fri',
  attendee_type: 'adult',
  question: 'diet',
  check_in_point: 'main-gate',
};

/**
 * An example of what a schema describes: the hand-written one where there is one, else made from the schema and, where that
 * says little, the name of the field.
 */
export function exampleOf(schema: unknown, field = ''): unknown {
  const name = nameOf(schema);
  if (name !== undefined && name in RESOURCES) return RESOURCES[name];
  const node = schema as Json;
  if (node['x-reference'] !== undefined) return IN_THE_SANDBOX[String(node['x-reference'])] ?? AN_ID;
  if (Array.isArray(node.examples)) return node.examples[0];
  if ('const' in node) return node.const;
  if ('default' in node) return node.default;
  if (Array.isArray(node.enum)) return node.enum[0];
  const branches = (node.anyOf ?? node.oneOf) as unknown[] | undefined;
  if (branches !== undefined) return exampleOf(branches[0], field);
  if (Array.isArray(node.allOf)) return Object.assign({}, ...node.allOf.map((part) => exampleOf(part)));
  switch (Array.isArray(node.type) ? node.type[0] : node.type) {
    case 'object':
      return ofObject(node);
    case 'array':
      return Array.from({ length: Math.max(1, Number(node.minItems ?? 0)) }, () => exampleOf(node.items, field));
    case 'integer':
    case 'number':
      return Number(node.minimum ?? Math.min(1, Number(node.maximum ?? 1)));
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return ofString(node, field);
    default:
      return {};
  }
}

/** An answer shows every field; a body (it takes no others) only what it needs. */
function ofObject(node: Json): Json {
  const properties = Object.entries((node.properties ?? {}) as Json);
  const required = (node.required ?? []) as string[];
  const body = node.additionalProperties === false;
  const shown = body ? properties.filter(([name]) => required.includes(name)) : properties;
  const least = Number(node.minProperties ?? 0);
  const chosen = shown.length >= least ? shown : properties.slice(0, least);
  return Object.fromEntries(chosen.map(([name, schema]) => [name, exampleOf(schema, name)]));
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '0d9c4b4e-5f0f-4a63-8f3e-1b6f0f6b8f5a',
  uri: 'https://hooks.example.org/turnout',
  'date-time': '2026-11-15T09:30:00Z',
  timestamp: '2026-11-15T09:30:00Z',
  date: '2026-11-15',
  email: 'ada@example.org',
  timezone: 'Europe/Berlin',
};

/** What fields of these names usually hold. */
const USUAL: Readonly<Record<string, string>> = {
  ...IN_THE_SANDBOX,
  days: 'fri',
  attendee_types: 'adult',
  groups: 'clubs',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 901820',
  date_of_birth: '1990-12-10',
  name: 'Lakeside Fair',
  code: 'main',
  url: 'https://hooks.example.org/turnout',
};

function ofString(node: Json, field: string): string {
  const known = FORMATS[String(node.format)];
  if (known !== undefined) return known;
  if (/\{25\}\$$/.test(String(node.pattern)) || /^id$|_id$/.test(field)) return AN_ID;
  if (node.pattern === undefined && USUAL[field] !== undefined) return USUAL[field];
  return 'text'.padEnd(Number(node.minLength ?? 0), '.').slice(0, Number(node.maxLength ?? 1000));
}
