import type { TSchema } from 'typebox';
import { type Field, fieldsOf, isFree, meant } from './fields.ts';
import {
  type Fill,
  inPlace,
  inPlaces,
  list,
  listOf,
  longKey,
  nested,
  nestedLists,
  nestedObjects,
  object,
  only,
  repeated,
  repeatedKey,
  text,
} from './json.ts';
import { largest } from './largest.ts';
import { largestTemplate } from './largest-template.ts';
import { WORDS, WORDS_OF_FORMATS } from './words.ts';
import { wrong } from './wrong.ts';

/** A body that is bad in one way, in any size. */
export interface Shape {
  name: string;
  /** In which way it is bad; the bench measures the worst of each kind. */
  kind: string;
  fill: Fill;
}

const shape = (kind: string, name: string, fill: Fill): Shape => ({ kind, name, fill });

/** Bodies that are bad for every operation, also for one without a body. `valid` is a body that the operation accepts. */
export const shapesOfAll = (valid: unknown): Shape[] => [
  shape('wrong items', 'a list of numbers', list('5')),
  shape('wrong items', 'a list of empty objects', list('{}')),
  shape('wrong items', 'a list of nulls', list('null')),
  shape('wrong items', 'a list of lists', list('[]')),
  shape('nesting', 'nested lists', nestedLists),
  shape('nesting', 'nested objects', nestedObjects),
  shape('nesting', 'nested prototypes', nested('{"__proto__":', '}')),
  shape('nesting', 'lists that never end', (bytes) => repeated('[', bytes)),
  shape('nesting', 'objects that never end', (bytes) => repeated('{"a":', bytes)),
  shape(
    'unknown keys',
    'unknown keys',
    object((i) => `"k${i}":0`),
  ),
  shape(
    'unknown keys',
    'unknown keys of 200 characters',
    object((i) => `"${'k'.repeat(200)}${i}":0`),
  ),
  shape(
    'unknown keys',
    'unknown keys with objects',
    object((i) => `"k${i}":{"a":[{}]}`),
  ),
  shape(
    'unknown keys',
    'numbers as keys',
    object((i) => `"${i}":0`),
  ),
  shape('long keys', 'one long key', longKey('k')),
  shape('long keys', 'one long key of slashes', longKey('/~0~1')),
  shape('long keys', 'one long key of U+0000', longKey('\\u0000')),
  shape('long keys', 'one long key of half surrogate pairs', longKey('\\udc00')),
  shape('repeated keys', 'an unknown key again and again', repeatedKey('a', '0')),
  shape('repeated keys', '__proto__ again and again', repeatedKey('__proto__', '{"a":[]}')),
  shape('long strings', 'a string in place of the body', text('x')),
  shape('bad text', 'a list of U+0000', list('"\\u0000"')),
  shape('bad text', 'a list of half surrogate pairs', list('"\\ud800"')),
  shape(
    'bad text',
    'values of U+0000 under keys of U+0000',
    object((i) => `"\\u0000${i}":"\\u0000"`),
  ),
  shape('bad text', 'U+0000 far below', nested('{"\\u0000":', '}')),
  shape('numbers', 'a number without end', (bytes) => repeated('1', bytes)),
  shape('numbers', 'a list of numbers that are too large', list('1e400')),
  shape('numbers', 'a list of integers of 200 digits', list('9'.repeat(200))),
  shape('numbers', 'a number of many decimals', (bytes) => `0.${repeated('3', bytes - 2)}`),
  shape('spaces', 'spaces around a body that is valid', (bytes) => {
    const body = JSON.stringify(valid ?? {});
    return repeated(' \n', bytes - body.length) + body;
  }),
];

/** More bad bodies for some operations, which do not follow from their schemas. */
export const SHAPES_OF: Readonly<Record<string, Shape[]>> = {
  importEventTemplate: [shape('largest', 'the largest template', largestTemplate)],
};

const nameOf = ({ path }: Field): string => path.join('/');

/** Bodies that are bad for this schema. `valid` is a body that the operation accepts; `wanted` is what its largest body must have. */
export function shapesOf(schema: TSchema, valid: unknown, wanted: object = {}): Shape[] {
  const fields = fieldsOf(schema);
  const of = (kind: Field['kind']) => fields.filter((field) => field.kind === kind);
  const texts = of('text');
  const paths = (some: readonly Field[]) => some.map((field) => field.path);
  const shapes: Shape[] = [
    shape('all faults at once', 'all faults at once', (bytes) => wrong(schema, bytes)),
    shape('largest', 'the largest body that looks valid', (bytes) =>
      largest(schema, { ...(valid as object), ...wanted }, bytes),
    ),
    shape(
      'repeated keys',
      'known keys again and again',
      repeatedKey(String(fields.find((field) => field.path.length === 1)?.path[0] ?? 'a'), '[{}]'),
    ),
  ];
  const leaves = fields.filter((field) => field.kind !== 'object');
  for (const [name, fill] of [
    ['nested lists', nestedLists],
    ['nested objects', nestedObjects],
    ['a list of objects', list('{"a":0}')],
  ] as const) {
    shapes.push(
      shape(
        'all faults at once',
        `every field ${name}`,
        inPlaces(valid, outermost(paths(leaves)), () => fill),
      ),
    );
  }
  if (texts.length > 0) {
    for (const name of WORDS_OF_FORMATS) {
      const fill = text(WORDS[name]!);
      shapes.push(
        shape(
          'long strings',
          `every string long: ${name}`,
          inPlaces(valid, paths(texts), () => fill),
        ),
      );
    }
  }
  for (const field of of('list')) shapes.push(...listsOf(field, valid));
  for (const field of [...of('record'), ...of('anything')]) shapes.push(...anythingIn(field, valid));
  const numbers = of('number');
  if (numbers.length > 0) {
    for (const number of ['1e400', '-1e400', '9'.repeat(200), '1e-400', '-0', '0.1', '1e15', '9007199254740993']) {
      shapes.push(
        shape(
          'numbers',
          `every number ${number.slice(0, 20)}`,
          inPlaces(valid, paths(numbers), () => only(number)),
        ),
      );
    }
  }
  return shapes;
}

/** Of places that lie inside of one another, only the outer one. */
const outermost = (paths: readonly Field['path'][]): Field['path'][] =>
  paths.filter(
    (path) => !paths.some((other) => other.length < path.length && other.every((part, i) => part === path[i])),
  );

function listsOf(field: Field, valid: unknown): Shape[] {
  const item = meant(field.schema.items ?? {});
  const first = Object.keys(item.properties ?? {})[0] ?? 'a';
  const fills: [string, Fill][] = [
    ['numbers', list('5')],
    ['empty objects', list('{}')],
    ['short strings', listOf((i) => `"a${i}"`)],
    ['one string, always the same', list('"a"')],
    ['objects that differ', listOf((i) => `{"a":${i}}`)],
    ['items with one wrong field', list(`{${JSON.stringify(first)}:5}`)],
    ['items with every fault', list(wrong(item as TSchema, 0))],
  ];
  return fills.map(([name, fill]) =>
    shape('wrong items', `${nameOf(field)}: ${name}`, inPlace(valid, field.path, fill)),
  );
}

/** Places where any value is allowed. */
function anythingIn(field: Field, valid: unknown): Shape[] {
  const fills: [string, string, Fill][] = [
    ['unknown keys', 'many keys', object((i) => `"k${i}":0`)],
    ['unknown keys', 'many keys with strings', object((i) => `"k${i}":"${'v'.repeat(50)}"`)],
    ['long keys', 'one long key', longKey('k')],
    ['long strings', 'one long string', (bytes) => `{"a":${text('x')(bytes - 6)}}`],
    ['long strings', 'a string', text('😀')],
    ['nesting', 'nested lists', (bytes) => `{"a":${nestedLists(bytes - 6)}}`],
    ['nesting', 'nested objects', nestedObjects],
    ['nesting', '100 levels', (bytes) => `{"a":${list('['.repeat(100) + ']'.repeat(100))(bytes - 6)}}`],
    ['repeated keys', '__proto__', repeatedKey('__proto__', '0')],
    ['numbers', 'numbers that are too large', (bytes) => `{"a":${list('1e400')(bytes - 6)}}`],
    ['bad text', 'U+0000', (bytes) => `{"a":${list('"\\u0000"')(bytes - 6)}}`],
  ];
  return fills.map(([kind, name, fill]) => shape(kind, `${nameOf(field)}: ${name}`, inPlace(valid, field.path, fill)));
}

/** Each string field alone, as long as the body may be. A different `i` makes a text that was not sent before. */
export const longStrings = (schema: TSchema, valid: unknown): { name: string; fill: (i: number) => Fill }[] =>
  fieldsOf(schema)
    .filter((field) => field.kind === 'text')
    .map((field) => ({
      name: `${nameOf(field)} long`,
      fill: (i) => inPlace(valid, field.path, (bytes) => `"${i}${repeated('Zone/', bytes - 2 - String(i).length)}"`),
    }));

/** Strings of the greatest length that their field allows, made of each of the words, so that they pass the schema. */
export function longestStrings(schema: TSchema, valid: unknown): { name: string; body: string }[] {
  const free = fieldsOf(schema).filter(
    ({ kind, schema: node }) => kind === 'text' && node.maxLength !== undefined && isFree(node),
  );
  if (free.length === 0) return [];
  return Object.entries(WORDS).map(([name, unit]) => ({
    name: `every string as long as it may be: ${name}`,
    body: inPlaces(
      valid,
      free.map((field) => field.path),
      (path) => () => ofLength(unit, free.find((field) => field.path === path)!.schema.maxLength!),
    )(0),
  }));
}

/** A text of this length, as the schema counts it. */
function ofLength(unit: string, length: number): string {
  const characters = [...(JSON.parse(`"${unit}"`) as string)].length;
  return `"${unit.repeat(Math.floor(Math.min(length, 20_000) / characters))}"`;
}
