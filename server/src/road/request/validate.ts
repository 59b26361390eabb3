import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import Type, { type TSchema } from 'typebox';
import { type Fault, MAX_FAULTS } from '../../common/refusal.ts';
import { explain, isAtLeast, isAtMost } from './explain.ts';
import { FORMATS } from './formats.ts';

export { isTimezone } from './formats.ts';

/**
 * Ajv decides whether a value fits its schema. It stops at the first error, because with all errors it would make one for every
 * item of an array, however long. What is wrong is then explained by a walk of our own, which is limited as well (explain.ts).
 * Both look at each part of a body a bounded number of times, so the cost of a body depends on its size and not on its contents.
 */
const make = (coerce: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    // Only for query strings, in which every value is a text, and a list with one entry looks like the entry.
    coerceTypes: coerce ? 'array' : false,
    useDefaults: false,
    removeAdditional: false,
    strict: false,
  });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.is);
  // Ajv counts the characters of every text to its end, which took 60 ms for a large file. Ours stop early, and run before
  // `pattern`.
  for (const [keyword, fits] of Object.entries({ minLength: isAtLeast, maxLength: isAtMost })) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      before: 'pattern',
      compile: (limit: number) => (text: string) => fits(text, limit),
    });
  }
  return ajv;
};
const bodies = make(false);
const queries = make(true);

/** Returns at most one fault more than a refusal names, so that the refusal can say that there are more. */
export type Check = (value: unknown) => Fault[];

/**
 * A schema is compiled when its first value is checked, which takes some milliseconds: compiling those of all operations took a
 * third of the time in which a server or a worker starts, and a worker needs hardly any.
 */
const checker = (ajv: Ajv2020, schema: TSchema, coerce: boolean): Check => {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= ajv.compile(schema);
    const validate = compiled;
    if (validate(value)) return [];
    const found = explain(schema, value, coerce);
    return found.length > 0
      ? found
      : [{ path: validate.errors?.[0]?.instancePath.slice(1) ?? '', message: 'is not valid' }];
  };
};

/** For an operation that takes no query or no body. All share this one, so that it is compiled once. */
export const NOTHING = Type.Object({}, { additionalProperties: false }) as TSchema;

export const bodyCheck = (schema: TSchema): Check => checker(bodies, schema, false);
export const queryCheck = (schema: TSchema): Check => checker(queries, schema, true);

/** How deep JSON may be nested. Our schemas need less than half of it. A limit is needed because JSON is written by recursion. */
export const DEEPEST = 32;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENS_LIST, OPENS_OBJECT, CLOSES_LIST, CLOSES_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Checks the depth on the bytes, before they are parsed: parsing 2 MB of nested lists takes 300 ms, this check 4 ms. */
export function depthFaults(json: Uint8Array): Fault[] {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i];
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPENS_LIST || byte === OPENS_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return [{ path: '', message: `must not be nested more than ${DEEPEST} levels deep` }];
    } else if (byte === CLOSES_LIST || byte === CLOSES_OBJECT) depth -= 1;
  }
  return [];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Finds U+0000, which PostgreSQL cannot store, and half surrogate pairs, which would be replaced silently. Both are refused
 * anywhere in a body. The raw JSON is searched for their escapes first, so a body without them costs one search.
 */
export function badText(raw: string, value: unknown): Fault[] {
  if (!/\\u0000|\\u[dD][89a-fA-F]/.test(raw)) return [];
  const found: Fault[] = [];
  const walk = (node: unknown, path: string): void => {
    if (found.length > MAX_FAULTS) return;
    if (typeof node === 'string') {
      if (node.includes('\u0000')) found.push({ path, message: 'must not contain U+0000' });
      else if (!node.isWellFormed()) found.push({ path, message: 'must not contain half a surrogate pair' });
    } else if (isObject(node)) {
      for (const [name, child] of Object.entries(node)) {
        if (name.includes('\u0000') || !name.isWellFormed())
          found.push({ path, message: 'has a field name that is not valid text' });
        walk(child, path === '' ? name : `${path}/${name}`);
      }
    }
  };
  walk(value, '');
  return found;
}
