import { CODE_PATTERN, type FaultRule, type ReferenceKind, ULID_PATTERN } from '@turnout/contract';
import { type Fault, MAX_FAULTS } from '../../common/refusal.ts';
import { FORMATS } from './formats.ts';

/** The parts of JSON Schema that our schemas use. */
export interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  'x-reference'?: ReferenceKind;
}

/**
 * Says what is wrong with a value that does not fit its schema: which field, and what would be right. Sizes are checked first,
 * and a list or text that is too large is not looked into. The walk goes as deep as the schema, not as deep as the value, and
 * stops when it has one fault more than a refusal names.
 */
export function explain(schema: object, value: unknown, coerce: boolean): Fault[] {
  const found: Fault[] = [];
  visit({ found, coerce }, schema as Schema, value, '');
  return found;
}

interface Walk {
  found: Fault[];
  coerce: boolean;
}

function visit(walk: Walk, schema: Schema, given: unknown, path: string): void {
  if (walk.found.length > MAX_FAULTS) return;
  if (schema.anyOf !== undefined) {
    visitUnion(walk, schema.anyOf, given, path);
    return;
  }
  const value = walk.coerce ? coerced(schema, given) : given;
  const fault = wrong(schema, value);
  if (fault !== null) walk.found.push({ path, ...fault });
  else if (Array.isArray(value)) visitArray(walk, schema, value, path);
  else if (typeof value === 'object' && value !== null) visitObject(walk, schema, value, path);
}

type Wrong = Omit<Fault, 'path'>;
const broken = (rule: FaultRule | undefined, message: string, limit?: number): Wrong => ({
  message,
  ...(rule !== undefined && { rule }),
  ...(limit !== undefined && { limit }),
});

/** What is wrong with the value itself, not counting its fields or entries. Null if nothing is. */
export function wrong(schema: Schema, value: unknown): Wrong | null {
  if (schema.type !== undefined && !TYPES[schema.type]!(value))
    return broken('wrong_type', `must be ${CALLED[schema.type]}`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return broken('not_one_of', `must be one of: ${schema.enum.join(', ')}`);
  if (schema.const !== undefined && schema.const !== value)
    return broken('not_one_of', `must be ${JSON.stringify(schema.const)}`);
  if (typeof value === 'string') return wrongText(schema, value);
  if (typeof value === 'number') return wrongNumber(schema, value);
  if (Array.isArray(value)) return wrongSize(schema, value);
  return typeof value === 'object' && value !== null ? wrongFields(schema, value) : null;
}

/** Reports the faults of the branch that comes nearest, which is the one with the fewest faults. A branch for null is left out. */
function visitUnion(walk: Walk, branches: readonly Schema[], value: unknown, path: string): void {
  const others = branches.filter((branch) => branch.type !== 'null');
  if (value === null && others.length < branches.length) return;
  const tries = others.map((branch) => {
    const found: Fault[] = [];
    visit({ ...walk, found }, branch, value, path);
    return found;
  });
  const nearest = tries.reduce((a, b) => (b.length < a.length ? b : a));
  for (const fault of nearest) walk.found.push(fault);
}

function wrongText(schema: Schema, text: string): Wrong | null {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  if (!isAtMost(text, maxLength))
    return broken('too_long', `must have at most ${counted(maxLength, 'character', 'characters')}`, maxLength);
  if (!isAtLeast(text, minLength)) {
    return minLength === 1
      ? broken('empty', 'must not be empty')
      : broken('too_short', `must have at least ${minLength} characters`, minLength);
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    return broken(patternFault(pattern)?.[2], patternMessage(pattern));
  if (format !== undefined && !FORMATS[format]!.is(text))
    return broken(FORMATS[format]!.rule, FORMATS[format]!.message);
  return null;
}

function wrongNumber({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): Wrong | null {
  if (value < minimum) return broken('too_low', `must be at least ${minimum}`, minimum);
  return value > maximum ? broken('too_high', `must be at most ${maximum}`, maximum) : null;
}

function wrongSize({ minItems = 0, maxItems = Infinity, uniqueItems }: Schema, items: unknown[]): Wrong | null {
  if (items.length > maxItems)
    return broken('too_many', `must have at most ${counted(maxItems, 'entry', 'entries')}`, maxItems);
  if (items.length < minItems)
    return broken('too_few', `must have at least ${counted(minItems, 'entry', 'entries')}`, minItems);
  // Our schemas demand `uniqueItems` only of lists of texts and numbers, which a set can compare.
  return uniqueItems === true && new Set(items).size < items.length
    ? broken('repeated', 'must not contain the same entry twice')
    : null;
}

function wrongFields({ minProperties = 0, maxProperties = Infinity }: Schema, value: object): Wrong | null {
  if (minProperties === 0 && maxProperties === Infinity) return null; // counting a hundred thousand fields takes a while
  const fields = Object.keys(value).length;
  if (fields > maxProperties)
    return broken(undefined, `must have at most ${counted(maxProperties, 'field', 'fields')}`);
  return fields < minProperties
    ? broken(undefined, `must have at least ${counted(minProperties, 'field', 'fields')}`)
    : null;
}

function visitArray(walk: Walk, schema: Schema, items: readonly unknown[], path: string): void {
  if (schema.items === undefined) return;
  for (let i = 0; i < items.length && walk.found.length <= MAX_FAULTS; i += 1) {
    visit(walk, schema.items, items[i], below(path, i));
  }
}

function visitObject(walk: Walk, schema: Schema, value: object, path: string): void {
  const { properties = {}, required = [], propertyNames = {} } = schema;
  const report = (name: string, message: string, rule?: FaultRule) =>
    walk.found.push({ path: below(path, name), ...broken(rule, message) });
  for (const name of required) if (!Object.hasOwn(value, name)) report(name, 'is required', 'required');
  for (const name in value) {
    if (walk.found.length > MAX_FAULTS) return;
    const declared = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (declared === false) report(name, 'is not a field of this operation');
    const fault = wrongText(propertyNames, name);
    if (fault !== null) report(name, `is not a valid field name: it ${fault.message}`);
    if (typeof declared === 'object')
      visit(walk, declared, (value as Record<string, unknown>)[name], below(path, name));
  }
}

export const below = (path: string, name: string | number): string => (path === '' ? `${name}` : `${path}/${name}`);

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const CALLED: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** In a query string every value is a text, so numbers and booleans are read from it. */
export function coerced({ type }: Schema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'array') return [value];
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  const isNumber = (type === 'number' || type === 'integer') && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

/** Counts characters as people do, not UTF-16 units as JavaScript does, and only if that could make a difference. */
export const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && characters(text) <= most);
export const isAtLeast = (text: string, least: number): boolean =>
  text.length >= 2 * least || characters(text) >= least;

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What is said about a text that does not match a pattern, by the beginning of the pattern. */
const PATTERNS: [begins: string, message: string, rule?: FaultRule][] = [
  [
    CODE_PATTERN,
    'must be 1 to 63 letters, digits, hyphens or underscores, start with a letter or digit, and not look like an id',
    'not_code',
  ],
  [ULID_PATTERN, 'must be an id: 26 letters and digits'],
  ['^[ -]*[A-Za-z0-9][ -]*', 'must be letters and digits, at least three, and may have spaces and dashes between them'],
  ['^[A-Za-z0-9-]*$', 'must be letters, digits and dashes'],
  ['^[A-Z]{3}$', FORMATS.currency!.message, 'not_currency'],
  ['^[a-z]{2,3}(-', 'must be a language such as en or de-AT'],
  ['^(https://', 'must be an https address, or an http address of this machine', 'not_url'],
  ['^https?://[^', 'must be an address that begins with https:// or http://', 'not_web_address'],
  ['^https?://[A-Za-z0-9', 'must be a site such as https://www.example.org, without a path', 'not_origin'],
  ['^[\\x21-\\x7e]', 'must be letters, digits and signs without spaces'],
  ['^#[0-9a-fA-F]{6}$', 'must be a colour such as #0b6e66'],
  ['^\\d{6}$', 'must be six digits'],
  ['^[A-Za-z0-9_-]{43}$', 'must be the 43 characters at the end of a link'],
];

const patternFault = (pattern: string) => PATTERNS.find(([begins]) => pattern.startsWith(begins));

export const patternMessage = (pattern: string): string =>
  patternFault(pattern)?.[1] ?? `must match the pattern ${pattern}`;
