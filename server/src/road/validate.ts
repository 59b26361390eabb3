import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { explain, isAtLeast, isAtMost } from './explain.ts';
import { FORMATS } from './formats.ts';
import { type Fault, MOST_FAULTS } from './refusal.ts';

export { isTimezone } from './formats.ts';

/**
 * Whether something fits is Ajv's to say, and it stops at the first thing that does not: asked for all errors it makes one for
 * every item of an array, however long. What is wrong is then told by a walk of our own that stops, too (explain.ts). Each looks
 * at a part of the body a bounded number of times, so a body costs what its size is worth, whatever is in it.
 */
const make = (coerce: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    coerceTypes: coerce, // only query strings, which have no other types
    useDefaults: false,
    removeAdditional: false,
    strict: false,
  });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.is);
  // Ajv counts the characters of every text to its end, which took 60 ms of a large file; and it looks at patterns no later.
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

/** At most one fault more than a refusal names: then it says that there are more. */
export type Check = (value: unknown) => Fault[];

const checker = (ajv: Ajv2020, schema: TSchema, coerce: boolean): Check => {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    const found = explain(schema, value, coerce);
    return found.length > 0
      ? found
      : [{ path: validate.errors?.[0]?.instancePath.slice(1) ?? '', message: 'is not valid' }];
  };
};

export const bodyCheck = (schema: TSchema): Check => checker(bodies, schema, false);
export const queryCheck = (schema: TSchema): Check => checker(queries, schema, true);

/** No schema of ours goes half as deep; and what is written down again, such as an answer, is written by recursion. */
export const DEEPEST = 32;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENS_LIST, OPENS_OBJECT, CLOSES_LIST, CLOSES_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Told by the bytes, before they are parsed: parsing 2 MB of nested lists takes 300 ms, and looking at them takes 4. */
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
 * PostgreSQL stores no U+0000 and a lone surrogate would be replaced silently: both are refused, wherever they stand.
 * The text is looked at first, so a body without either pays one search.
 */
export function badText(raw: string, value: unknown): Fault[] {
  if (!/\\u0000|\\u[dD][89a-fA-F]/.test(raw)) return [];
  const found: Fault[] = [];
  const walk = (node: unknown, path: string): void => {
    if (found.length > MOST_FAULTS) return;
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
