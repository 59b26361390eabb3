import type { Operation } from '../road/operation.ts';
import { ANSWERS, BODIES } from './by-operation.ts';
import { RESOURCES } from './resources.ts';
import { type Json, nameOf, publicSchema } from './schemas.ts';

export const AN_ID = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
/** Codes of objects in the sandbox, so that an example copied from the document works there. */
export const IN_THE_SANDBOX: Readonly<Record<string, string>> = {
  group: 'clubs',
  event: 'lakeside-fair',
  day: 'day1',
  attendee_type: 'adult',
  product: 'workshop',
  quota: 'kitchen',
  discount: 'FRIENDS-25',
  question: 'diet',
  check_in_point: 'main-gate',
};

/** Called for a field for which there is no written example and no meaningful one can be made from its schema. */
type OnMissing = (where: string) => void;

/** An example of the body. The sandbox accepts it as it is (test/openapi-examples.test.ts). */
export const exampleOfBody = (operation: Operation, missing?: OnMissing): unknown =>
  exampleOf(operation.body, '', missing, '', BODIES[operation.id]);

/** An example of the answer. */
export const exampleOfAnswer = (operation: Operation, status: number, missing?: OnMissing): unknown =>
  exampleOf(operation.reply, '', missing, '', ANSWERS[`${operation.id} ${status}`] ?? ANSWERS[operation.id]);

/** The statuses of success. An operation that may continue as a job also has 202. */
export const statusesOf = ({ status, continuesInBackground }: Operation): number[] => [
  status ?? 200,
  ...(continuesInBackground === undefined ? [] : [202]),
];

/** The places in an operation's examples that have only a meaningless filler. */
export function emptyExamples(operation: Operation): string[] {
  const found: string[] = [];
  if (operation.body !== undefined) exampleOfBody(operation, (at) => found.push(`${operation.id}, body${at}`));
  for (const status of operation.reply === null ? [] : statusesOf(operation)) {
    exampleOfAnswer(operation, status, (at) => found.push(`${operation.id}, ${status}${at}`));
  }
  return found;
}

/**
 * An example for a schema: the hand-written one if there is one. Fields that it leaves out are made from the schema or, if that says
 * little, from the name of the field.
 */
function exampleOf(given: unknown, field: string, missing: OnMissing | undefined, at = '', own?: Json): unknown {
  const schema = publicSchema(given);
  const name = nameOf(schema);
  const written = own ?? (name === undefined ? undefined : RESOURCES[name]);
  if (written !== undefined) return complete(schema, written, missing, at);
  const node = schema as Json;
  if (node['x-reference'] !== undefined) return IN_THE_SANDBOX[String(node['x-reference'])] ?? AN_ID;
  if (Array.isArray(node.examples)) return node.examples[0];
  if ('const' in node) return node.const;
  if ('default' in node) return node.default;
  const words = node.enum ?? node['x-extensible-enum'];
  if (Array.isArray(words)) return words[0];
  const branches = (node.anyOf ?? node.oneOf) as unknown[] | undefined;
  if (branches !== undefined) return exampleOf(branches[0], field, missing, at);
  if (Array.isArray(node.allOf)) {
    return Object.assign({}, ...node.allOf.map((part) => exampleOf(part, field, missing, at)));
  }
  switch (Array.isArray(node.type) ? node.type[0] : node.type) {
    case 'object':
      return ofObject(node, {}, missing, at);
    case 'array':
      return Array.from({ length: Math.max(1, Number(node.minItems ?? 0)) }, () =>
        exampleOf(node.items, field, missing, `${at}[]`),
      );
    case 'integer':
    case 'number':
      return Number(node.minimum ?? Math.min(1, Number(node.maximum ?? 1)));
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return ofString(node, field) ?? filler(node, missing, at);
    default:
      missing?.(at);
      return {};
  }
}

/** The hand-written example, completed with the fields that it leaves out. */
function complete(given: unknown, written: unknown, missing: OnMissing | undefined, at: string): unknown {
  const node = publicSchema(given) as Json;
  if (Array.isArray(written) && node.items !== undefined) {
    return written.map((one) => complete(node.items, one, missing, `${at}[]`));
  }
  if (!isPlain(written)) return written;
  const branches = (node.anyOf ?? node.oneOf) as Json[] | undefined;
  if (branches === undefined) return node.type === 'object' ? ofObject(node, written, missing, at) : written;
  const fitting = branches.find((branch) =>
    Object.keys(written).every((name) => name in ((branch.properties ?? {}) as Json)),
  );
  return fitting === undefined ? written : complete(fitting, written, missing, at);
}

const isPlain = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An answer shows every field; a body shows only the required ones. A body is recognized by refusing other fields. */
function ofObject(node: Json, written: Json, missing: OnMissing | undefined, at: string): Json {
  if (node.properties === undefined) return written; // a record, which has no fixed fields
  const properties = Object.entries(node.properties as Json);
  const required = (node.required ?? []) as string[];
  const body = node.additionalProperties === false;
  const shown = properties.filter(([name]) => name in written || !body || required.includes(name));
  const least = Number(node.minProperties ?? 0);
  const chosen = shown.length >= least ? shown : properties.slice(0, least);
  const made = chosen.map(([name, schema]) => {
    const place = `${at}.${name}`;
    const value =
      name in written ? complete(schema, written[name], missing, place) : exampleOf(schema, name, missing, place);
    return [name, value];
  });
  return Object.fromEntries(made);
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

/** Examples by the name of the field. */
const USUAL: Readonly<Record<string, string>> = {
  ...IN_THE_SANDBOX,
  days: 'day1',
  attendee_types: 'adult',
  groups: 'clubs',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  sent_to: 'ada@example.org',
  phone: '+49 30 901820',
  date_of_birth: '1990-12-10',
  name: 'Lakeside Fair',
  code: 'main',
  url: 'https://hooks.example.org/turnout',
  request_id: AN_ID,
};

function ofString(node: Json, field: string): string | undefined {
  const known = FORMATS[String(node.format)];
  if (known !== undefined) return known;
  if (/\{25\}\$$/.test(String(node.pattern)) || /^id$|_id$/.test(field)) return AN_ID;
  return node.pattern === undefined ? USUAL[field] : undefined;
}

/** A placeholder, so that the document stays valid until somebody writes an example. */
function filler(node: Json, missing: OnMissing | undefined, at: string): string {
  missing?.(at);
  return 'text'.padEnd(Number(node.minLength ?? 0), '.').slice(0, Number(node.maxLength ?? 1000));
}
