import { randomUUID } from 'node:crypto';
import { CODE_PATTERN } from '@turnout/contract';
import type { TSchema } from 'typebox';
import { isFree, type JsonSchema, meant, underKeys } from './fields.ts';

/**
 * The largest body that the schema allows: lists with as many items and strings with as many letters as possible, and all optional
 * fields. The references are those of the valid body, so that the request is not refused before the operation does its work.
 */
export function largest(schema: TSchema, valid: unknown, bytes: number): string {
  return grow(schema as JsonSchema, valid, bytes);
}

const [OPENS, CLOSES] = ['2099-05-01T06:00:00Z', '2099-05-01T22:00:00Z'];
const times = { date: '2099-05-01', opens_at: OPENS, closes_at: CLOSES };

/** What the rules of an operation require of a large body beyond its schema, by operation. It is merged into the valid body. */
export const WANTED: Readonly<Record<string, object>> = {
  createEvent: { starts_at: OPENS, ends_at: CLOSES },
  changeEvent: { starts_at: OPENS, ends_at: CLOSES },
  createDay: times,
  changeDay: times,
  createQuestion: { kind: 'choices' },
  changeQuestion: { kind: 'choices' },
  createCheckInPoint: { kind: 'zone' },
  createCommunication: { send_at: OPENS },
  changeCommunication: { send_at: OPENS },
  createWebhook: { url: 'https://hooks.example.org/', events: ['*'] },
  changeWebhook: { url: 'https://hooks.example.org/', events: ['*'] },
};

let serial = 0;
/** A different value every time. */
const next = (): number => {
  serial += 1;
  return serial;
};
const CHARACTER = '中';
/** How many keys an object with arbitrary keys gets; they are named k0, k1 and so on. */
export const RECORD_KEYS = 20;

function grow(schema: JsonSchema, given: unknown, bytes: number): string {
  const node = meant(schema);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return JSON.stringify(given ?? node.enum[0]);
  switch (node.type) {
    case 'object':
      return underKeys(node) === undefined ? growObject(node, given, bytes) : growRecord(underKeys(node)!, bytes);
    case 'array':
      return growList(node, given, bytes);
    case 'string':
      return JSON.stringify(growText(node, given, bytes));
    case 'integer':
    case 'number':
      return String(node.maximum ?? 1_000_000_000);
    case 'boolean':
      return 'true';
    default:
      return given === undefined
        ? JSON.stringify(CHARACTER.repeat(Math.max(1, Math.floor(bytes / 3))))
        : JSON.stringify(given);
  }
}

function growObject(node: JsonSchema, given: unknown, bytes: number): string {
  const values = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const parts: string[] = [];
  // Lists share the size that the single fields leave.
  const fields = Object.entries(node.properties ?? {}).map(([name, child]) => ({ name, child: meant(child) }));
  const wide = fields.filter(({ child }) => child.type === 'array' || underKeys(child) !== undefined);
  let room = bytes - 2;
  const take = ({ name, child }: (typeof fields)[number], share: number) => {
    // An optional reference is left out: there may be no object that it could name.
    const refers = child['x-reference'] !== undefined || child.items?.['x-reference'] !== undefined;
    if (refers && values[name] === undefined) return;
    const part = `${JSON.stringify(name)}:${grow(child, values[name], share - name.length - 4)}`;
    room -= Buffer.byteLength(part) + 1;
    parts.push(part);
  };
  for (const field of fields)
    if (!wide.includes(field)) take(field, Math.min(room, 4 * (field.child.maxLength ?? 1000)));
  wide.forEach((field, i) => {
    take(field, Math.floor(room / (wide.length - i)));
  });
  return `{${parts.join(',')}}`;
}

function growRecord(value: JsonSchema, bytes: number): string {
  const parts: string[] = [];
  for (let room = bytes; parts.length < RECORD_KEYS; ) {
    const part = `"k${parts.length}":${grow(value, undefined, 100)}`;
    room -= Buffer.byteLength(part) + 1;
    if (room < 0) break;
    parts.push(part);
  }
  return `{${parts.join(',')}}`;
}

function growList(node: JsonSchema, given: unknown, bytes: number): string {
  const models = Array.isArray(given) ? given : [];
  const item = node.items ?? {};
  // References that must differ can only be those of the valid body, and an enumeration has only a few values.
  if (meant(item)['x-reference'] !== undefined && node.uniqueItems === true) return JSON.stringify(models);
  if (meant(item).enum !== undefined) return JSON.stringify(models.length > 0 ? models : meant(item).enum);
  const most = Math.min(node.maxItems ?? 10_000, 10_000);
  const parts: string[] = [];
  for (let room = bytes - 2; parts.length < most; ) {
    // Each item gets about an equal part of the size.
    const part = grow(item, models[parts.length % Math.max(1, models.length)], Math.max(200, Math.floor(bytes / most)));
    room -= Buffer.byteLength(part) + 1;
    if (room < 0 && parts.length > 0) break;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
}

function growText(node: JsonSchema, given: unknown, bytes: number): string {
  if (node['x-reference'] !== undefined) return String(given ?? 'main');
  if (node.pattern === CODE_PATTERN) return `l${next().toString(36)}${'o'.repeat(50)}`;
  if (node.format === 'uuid') return randomUUID();
  if (node.format === 'email') return `${'l'.repeat(60)}${next()}@${'o'.repeat(60)}.example.org`.replace(/^l{10}/, '');
  if (!isFree(node)) return String(given ?? node.examples?.[0] ?? 'x');
  if (typeof given === 'string' && given.startsWith('https://')) return given.padEnd(node.maxLength ?? 2000, 'a');
  const own = String(next());
  const length = Math.min(node.maxLength ?? Math.floor(bytes / 3), Math.max(own.length, Math.floor(bytes / 3)));
  return (own + CHARACTER.repeat(Math.max(0, length - own.length))).slice(0, Math.max(1, length));
}
