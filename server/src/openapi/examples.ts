import { RESOURCES } from './resources.ts';
import { type Json, nameOf } from './schemas.ts';

/** An example of what a schema describes: the hand-written one where there is one, else made from the schema. */
export function exampleOf(schema: unknown): unknown {
  const name = nameOf(schema);
  if (name !== undefined && name in RESOURCES) return RESOURCES[name];
  const node = schema as Json;
  if (Array.isArray(node.examples)) return node.examples[0];
  if ('const' in node) return node.const;
  if ('default' in node) return node.default;
  if (Array.isArray(node.enum)) return node.enum[0];
  const branches = (node.anyOf ?? node.oneOf) as unknown[] | undefined;
  if (branches !== undefined) return exampleOf(branches[0]);
  if (Array.isArray(node.allOf)) return Object.assign({}, ...node.allOf.map(exampleOf));
  switch (Array.isArray(node.type) ? node.type[0] : node.type) {
    case 'object':
      return ofObject(node);
    case 'array':
      return Array.from({ length: Math.max(1, Number(node.minItems ?? 0)) }, () => exampleOf(node.items));
    case 'integer':
    case 'number':
      return Number(node.minimum ?? Math.min(1, Number(node.maximum ?? 1)));
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return ofString(node);
    default:
      return {};
  }
}

/** An answer shows every field; a body (it takes no others) only what it needs. */
function ofObject(node: Json): Json {
  const properties = Object.entries((node.properties ?? {}) as Json);
  const required = (node.required ?? []) as string[];
  const body = node.additionalProperties === false;
  const shown = body ? properties.filter(([name]) => required.includes(name)) : properties;
  const least = Number(node.minProperties ?? 0);
  const chosen = shown.length >= least ? shown : properties.slice(0, least);
  return Object.fromEntries(chosen.map(([name, schema]) => [name, exampleOf(schema)]));
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

function ofString(node: Json): string {
  const known = FORMATS[String(node.format)];
  if (known !== undefined) return known;
  if (/\{25\}\$$/.test(String(node.pattern))) return '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
  return 'text'.padEnd(Number(node.minLength ?? 0), '.').slice(0, Number(node.maxLength ?? 1000));
}
