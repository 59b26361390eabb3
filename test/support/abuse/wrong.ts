import type { TSchema } from 'typebox';
import { type JsonSchema, meant, underKeys } from './fields.ts';
import { list, nestedLists, object, text } from './json.ts';

/** A body in which every field is invalid, lists are full of items with every fault, and each object has unknown fields. */
export function wrong(schema: TSchema, bytes: number): string {
  return wrongly(schema as JsonSchema, bytes);
}

function wrongly(schema: JsonSchema, bytes: number): string {
  const node = meant(schema);
  switch (node.type) {
    case 'object': {
      if (underKeys(node) !== undefined) return object((i) => `"${'k'.repeat(64)}${i}":{}`)(bytes);
      const fields = Object.entries(node.properties ?? {});
      const share = Math.floor(bytes / (fields.length + 1)) - 40;
      const parts = fields.map(([name, child]) => `${JSON.stringify(name)}:${wrongly(child, share)}`);
      return `{${[...parts, `"no_such_field":${object((i) => `"k${i}":0`)(share)}`].join(',')}}`;
    }
    case 'array':
      return list(wrongly(node.items ?? {}, 0))(bytes);
    case 'string':
      return list('5')(bytes);
    case 'boolean':
      return text('x')(bytes);
    default:
      return nestedLists(bytes);
  }
}
