import type { ReferenceKind } from '@turnout/contract';
import type { TSchema } from 'typebox';
import type { Path } from './json.ts';

/** The parts of JSON Schema that our schemas use and that say which values are invalid. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  pattern?: string;
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  'x-reference'?: ReferenceKind;
}

export interface Field {
  path: Path;
  schema: JsonSchema;
  kind: 'text' | 'number' | 'list' | 'record' | 'anything' | 'object' | 'other';
}

/** For an object whose keys the caller chooses: the schema of their values. */
export function underKeys({ patternProperties = {}, additionalProperties }: JsonSchema): JsonSchema | undefined {
  const [value] = Object.values(patternProperties);
  return value ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** Whether the field takes free text, and not only one format. */
export const isFree = ({ pattern, format, 'x-reference': reference }: JsonSchema): boolean =>
  pattern === undefined && reference === undefined && (format === undefined || format === 'name');

const kindOf = (schema: JsonSchema): Field['kind'] => {
  if (schema.type === 'string') return schema.enum === undefined ? 'text' : 'other';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return underKeys(schema) === undefined ? 'object' : 'record';
  const says = schema.type ?? schema.anyOf ?? schema.const ?? schema.enum;
  return says === undefined ? 'anything' : 'other';
};

/** Every place of a schema that can have a value; for lists, those in the first item. */
export function fieldsOf(schema: TSchema | undefined): Field[] {
  const walk = (node: JsonSchema, path: Path): Field[] => [
    ...(path.length === 0 ? [] : [{ path, schema: node, kind: kindOf(node) }]),
    ...(node.anyOf ?? []).flatMap((branch) => walk(branch, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([name, child]) => walk(child, [...path, name])),
    ...(underKeys(node) === undefined ? [] : walk(underKeys(node)!, [...path, 'any key'])),
    ...(node.items === undefined ? [] : walk(node.items, [...path, 0])),
  ];
  const all = schema === undefined ? [] : walk(schema as JsonSchema, []);
  return all.filter((field) => field.kind !== 'other');
}

/** The branch of a union that is not null. */
export const meant = (schema: JsonSchema): JsonSchema =>
  schema.anyOf === undefined ? schema : meant(schema.anyOf.find((branch) => branch.type !== 'null') ?? {});
