import type { ReferenceKind } from '@turnout/contract';
import { below, coerced, type Schema, wrong } from './explain.ts';

/** What of a value fits its schema: everything in it may be missing, and of a list each entry. */
export type Sound<T> = T extends readonly (infer Entry)[]
  ? (Sound<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: Sound<T[Field]> }
    : T;

/** A reference that is spelled like one. */
export interface Spot {
  path: string;
  /** Without places in lists. */
  field: string;
  kind: ReferenceKind;
  ref: string;
}

interface Walk {
  spots: Spot[];
  coerce: boolean;
}

/** What does not fit is left out, as is what is too large. It goes as deep as the schema. */
export function soundOf(schema: object, value: unknown, coerce: boolean): { sound: unknown; spots: Spot[] } {
  const walk: Walk = { spots: [], coerce };
  return { sound: part(walk, schema as Schema, value, '', ''), spots: walk.spots };
}

function part(walk: Walk, schema: Schema, given: unknown, path: string, field: string): unknown {
  if (schema.anyOf !== undefined) {
    const others = schema.anyOf.filter((branch) => branch.type !== 'null');
    if (given === null && others.length < schema.anyOf.length) return null;
    // Which of several is meant is not guessed.
    return others.length === 1 ? part(walk, others[0]!, given, path, field) : undefined;
  }
  const value = walk.coerce ? coerced(schema, given) : given;
  if (wrong(schema, value) !== null) return undefined;
  if (typeof value === 'string' && !canBeStored(value)) return undefined;
  const kind = schema['x-reference'];
  if (kind !== undefined && typeof value === 'string') walk.spots.push({ path, field, kind, ref: value });
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((one, i) => part(walk, items, one, below(path, i), field));
  }
  return typeof value === 'object' && value !== null ? fields(walk, schema, value, path, field) : value;
}

/** PostgreSQL takes neither as text, not even to look for it (`badText` in validate.ts). */
const canBeStored = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

function fields(walk: Walk, schema: Schema, value: object, path: string, field: string): object {
  const { properties = {}, additionalProperties: others } = schema;
  // Without a prototype: a field may be called `__proto__`.
  const sound: Record<string, unknown> = Object.create(null);
  for (const [name, given] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : others;
    if (typeof declared === 'object') {
      const one = part(walk, declared, given, below(path, name), below(field, name));
      if (one !== undefined) sound[name] = one;
    } else if (declared !== false) sound[name] = given;
  }
  return sound;
}

/** Whether a schema refers to anything. */
export const refersToSomething = (schema: object | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes('"x-reference"');
