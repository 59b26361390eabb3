import type { ReferenceKind } from '@turnout/contract';
import { below, coerced, type Schema, wrong } from './explain.ts';

/** The part of a value that fits its schema. Any field may be missing, and any entry of a list. */
export type ValidPart<T> = T extends readonly (infer Entry)[]
  ? (ValidPart<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: ValidPart<T[Field]> }
    : T;

/** Where a value refers to another object, with a reference that is spelled correctly. */
export interface Spot {
  path: string;
  /** The path without positions in lists. */
  field: string;
  kind: ReferenceKind;
  ref: string;
}

interface Walk {
  spots: Spot[];
  coerce: boolean;
}

/** Leaves out what does not fit the schema or is too large. It goes as deep as the schema, not as deep as the value. */
export function validPartOf(schema: object, value: unknown, coerce: boolean): { valid: unknown; spots: Spot[] } {
  const walk: Walk = { spots: [], coerce };
  return { valid: part(walk, schema as Schema, value, '', ''), spots: walk.spots };
}

function part(walk: Walk, schema: Schema, given: unknown, path: string, field: string): unknown {
  if (schema.anyOf !== undefined) {
    const others = schema.anyOf.filter((branch) => branch.type !== 'null');
    if (given === null && others.length < schema.anyOf.length) return null;
    if (others.length === 1) return part(walk, others[0]!, given, path, field);
    // If there are several, we do not guess which one is meant. A text is the same in each of them.
    const isText = others.every((branch) => branch.type === 'string' && branch['x-reference'] === undefined);
    const fitting = isText ? others.find((branch) => wrong(branch, given) === null) : undefined;
    return fitting === undefined ? undefined : part(walk, fitting, given, path, field);
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

/** PostgreSQL accepts neither U+0000 nor half a surrogate pair as text, not even to search for it (`badText` in validate.ts). */
const canBeStored = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

function fields(walk: Walk, schema: Schema, value: object, path: string, field: string): object {
  const { properties = {}, additionalProperties: others } = schema;
  // The object has no prototype, because a field may be called `__proto__`.
  const valid: Record<string, unknown> = Object.create(null);
  for (const [name, given] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : others;
    if (typeof declared === 'object') {
      const one = part(walk, declared, given, below(path, name), below(field, name));
      if (one !== undefined) valid[name] = one;
    } else if (declared !== false) valid[name] = given;
  }
  return valid;
}

export const refersToSomething = (schema: object | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes('"x-reference"');
