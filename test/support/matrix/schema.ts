import { randomUUID } from 'node:crypto';
import { CODE_PATTERN, type ReferenceKind } from '@turnout/contract';
import type { TSchema } from 'typebox';

/** The parts of JSON Schema that our schemas use. */
interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  minimum?: number;
  minItems?: number;
  minLength?: number;
  minProperties?: number;
  pattern?: string;
  format?: string;
  'x-reference'?: ReferenceKind;
}

/** The place of a reference in a body or query: `policy/days/0` is `['policy', 'days', 0]`. */
export interface Spot {
  path: (string | number)[];
  kind: ReferenceKind;
}
/** The name of the field, without the position in a list. */
export const fieldOf = (spot: Spot): string => spot.path.filter((part) => typeof part === 'string').join('/');
/** The place as `details` of an error names it. */
export const pathOf = (spot: Spot): string => spot.path.join('/');

/** Every `x-reference` of a schema. */
export function spotsOf(schema: TSchema | undefined): Spot[] {
  const walk = (node: JsonSchema, path: (string | number)[]): Spot[] => [
    ...(node['x-reference'] === undefined ? [] : [{ path, kind: node['x-reference'] }]),
    ...(node.anyOf ?? []).flatMap((branch) => walk(branch, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([name, child]) => walk(child, [...path, name])),
    ...(node.items === undefined ? [] : walk(node.items, [...path, 0])),
  ];
  return schema === undefined ? [] : walk(schema as JsonSchema, []);
}

export const requiredOf = (schema: TSchema): string[] => (schema as JsonSchema).required ?? [];

let serial = 0;
/** Has upper and lower case letters, so that changing the case changes the text. */
export const uniqueCode = (kind: string): string => `${kind.slice(0, 2)}-Mx${(++serial).toString(36)}z`;

/** A body with the required fields and nothing else. `refer` finds an object for a required reference. */
export async function sampleOf(schema: TSchema, refer: (kind: ReferenceKind) => Promise<string>): Promise<unknown> {
  const make = async (node: JsonSchema): Promise<unknown> => {
    if (node.const !== undefined) return node.const;
    if (node['x-reference'] !== undefined) return refer(node['x-reference']);
    if (node.anyOf !== undefined) return make(node.anyOf.find((branch) => branch.type !== 'null') ?? node.anyOf[0]!);
    if (node.enum !== undefined) return node.enum[0];
    if (node.pattern === CODE_PATTERN) return uniqueCode('sample');
    if (node.format === 'uuid') return randomUUID();
    if (node.examples !== undefined) return node.examples[0];
    switch (node.type) {
      case 'object': {
        const fields = [...(node.required ?? [])];
        // A PATCH must change something: the first field that is neither a code nor a reference is added.
        const others = Object.entries(node.properties ?? {}).filter(([name]) => !fields.includes(name));
        const easy = others.filter(
          ([, child]) => child.pattern === undefined && spotsOf(child as TSchema).length === 0,
        );
        for (const [name] of [...easy, ...others]) {
          if (fields.length >= (node.minProperties ?? 0)) break;
          if (!fields.includes(name)) fields.push(name);
        }
        const entries: [string, unknown][] = [];
        for (const name of fields) entries.push([name, await make(node.properties![name]!)]);
        return Object.fromEntries(entries);
      }
      case 'array': {
        const items: unknown[] = [];
        while (items.length < (node.minItems ?? 0)) items.push(await make(node.items!));
        return items;
      }
      case 'string':
        return 'x'.repeat(Math.max(1, node.minLength ?? 0));
      case 'integer':
      case 'number':
        return node.minimum ?? 0;
      case 'boolean':
        return false;
      default:
        return null;
    }
  };
  return make(schema as JsonSchema);
}

/** The body with a reference put in this place; missing objects and lists on the way are added. */
export function withReference(body: unknown, spot: Spot, ref: string): unknown {
  const put = (node: unknown, [first, ...rest]: (string | number)[]): unknown => {
    if (first === undefined) return ref;
    if (typeof first === 'number') {
      const list = Array.isArray(node) ? [...node] : [];
      list[first] = put(list[first], rest);
      return list;
    }
    const object = typeof node === 'object' && node !== null ? (node as Record<string, unknown>) : {};
    return { ...object, [first]: put(object[first], rest) };
  };
  return put(body, spot.path);
}
