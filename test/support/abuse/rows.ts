import { BatchScan, Body, MAX_BATCH } from '@turnout/contract';
import Type, { type TSchema } from 'typebox';
import { operations } from '../../../server/src/areas/index.ts';
import type { Operation } from '../../../server/src/road/operation.ts';
import { type As, arrange, type Mount, mountsOf, type Subject } from '../matrix/calls.ts';
import { sampleOf } from '../matrix/schema.ts';
import { HOME, type World } from '../matrix/world.ts';
import type { Answered, Outgoing } from './abuser.ts';
import { BAD_CONTENT_TYPES, BAD_HEADERS, BAD_REFERENCES, badQueries, forgedCursors } from './addresses.ts';
import { fieldsOf } from './fields.ts';
import { BAD_FILES, BAD_FORMS, FORM } from './files.ts';
import { largest, RECORD_KEYS, WANTED } from './largest.ts';
import { fillList, isPaged } from './lists.ts';
import { longestStrings, longStrings, SHAPES_OF, shapesOf, shapesOfAll } from './shapes.ts';

/** One way of abusing an operation. */
export interface Row {
  name: string;
  /** Sent alone, so that its cost can be measured. */
  large: boolean;
  /** The body is larger than the server reads. */
  tooLarge?: boolean;
  request(): Outgoing;
  /** What is wrong with the answer, where answers have another form than those of the API. */
  troubles?(answer: Answered): string[];
}

/** What abusive requests are made from: a caller who is allowed to call the operation, objects that exist, and a valid body. */
export interface Victim {
  op: Operation;
  subject: Subject;
  send(sent?: {
    path?: Record<string, string>;
    query?: string;
    body?: string | Buffer;
    headers?: Record<string, string>;
  }): Outgoing;
}

/** The real schemas of bodies whose declaration allows anything, because each item is validated by itself. */
const SCHEMAS: Record<string, TSchema> = {
  scanBatch: Body({ scans: Type.Array(BatchScan, { minItems: 1, maxItems: MAX_BATCH }) }),
};
export const schemaOf = (op: Operation): TSchema | undefined => SCHEMAS[op.id] ?? op.body;

const BODY_LIMIT = 1_048_576;
/** Larger bodies take long. For operations that take files, the bench tries the largest size. */
const TRIED_LIMIT = 2_097_152;
export const limitOf = (op: Operation): number => op.bodyLimit ?? BODY_LIMIT;
export const triedLimitOf = (op: Operation): number => Math.min(limitOf(op), TRIED_LIMIT);

/** A key, if keys may call the operation; else a member. */
export const mountFor = (op: Operation): Mount =>
  mountsOf(op).find((mount) => mount.by === (op.keysRefused === undefined ? 'key' : 'member')) ?? mountsOf(op)[0]!;

/**
 * Requests that are bad whatever the schema are handled by the same code of the road for every operation. So only the first
 * operation of each area is sent all of them, and the others a few.
 */
const A_FEW = [
  'a list of numbers',
  'nested lists',
  'nested objects',
  'unknown keys',
  'one long key',
  'an unknown key again and again',
  'a list of U+0000',
  'a number without end',
];
const isFirst = (op: Operation): boolean =>
  operations.find((other) => other.tag === op.tag && other.body !== undefined) === op;
/** For operations without a body, one and the same check refuses every body. */
const WITHOUT_A_BODY = ['a list of numbers', 'unknown keys'];

/** `ABUSE=all` sends every row to every operation, which takes long. */
const ALL = process.env.ABUSE === 'all';
function isTried(op: Operation, shape: string): boolean {
  if (ALL || isFirst(op)) return true;
  return (op.body === undefined ? WITHOUT_A_BODY : A_FEW).includes(shape);
}
/** Headers are read before the operation is known, so it suffices to send them to the first operation of each method and area. */
const readsHeaders = (op: Operation): boolean =>
  ALL || operations.find((other) => other.tag === op.tag && other.method === op.method) === op;

const caller = async (world: World, mount: Mount): Promise<As> =>
  mount.by === 'key' ? { key: await world.key('home') } : { session: await world.session('home', 'owner') };

export async function victimOf(world: World, op: Operation): Promise<Victim> {
  const mount = mountFor(op);
  const subject = await arrange(world, op, { working: true });
  const refer = async (kind: Parameters<World['make']>[0]) =>
    (subject.parents[kind] ?? (await world.make(kind, HOME, subject.parents))).id;
  if (SCHEMAS[op.id] !== undefined) subject.body = await sampleOf(SCHEMAS[op.id]!, refer);
  if (isPaged(op)) await fillList(world, op, subject);
  if (fieldsOf(schemaOf(op)).some(({ path }) => path.at(-1) === 'answers')) await askQuestions(world, subject);
  const as = await caller(world, mount);
  const query = new URLSearchParams(subject.query).toString();
  return {
    op,
    subject,
    send: (sent = {}) => {
      const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sent.path?.[name] ?? subject.path[name]!.id);
      const asked = sent.query ?? query;
      return {
        method: op.method,
        path: `${mount.prefix}${path}${asked === '' ? '' : `?${asked}`}`,
        headers: {
          ...(as.key != null && { authorization: `Bearer ${as.key}` }),
          ...(as.session !== undefined && { cookie: `turnout_session=${as.session}` }),
          ...(sent.body !== undefined && { 'content-type': 'application/json' }),
          ...sent.headers,
        },
        body: sent.body ?? null,
      };
    },
  };
}

/** Makes the questions that answers refer to, with the codes that the largest body uses. */
async function askQuestions(world: World, { parents: { event }, body }: Subject): Promise<void> {
  const { api } = world.tools(HOME);
  // An export names its event in the body.
  const id = event?.id ?? (body as { event: string }).event;
  for (let i = 0; i < RECORD_KEYS; i += 1) {
    await api('POST', `/events/${id}/questions`, { code: `k${i}`, label: `Question ${i}`, kind: 'long_text' });
  }
}

/** A real cursor of the list. */
export type RealCursor = string | null;

/** Every way of abusing an operation, except for repeated long strings (`longRows`). */
export function rowsOf(victim: Victim, cursor: RealCursor): Row[] {
  return [
    ...pathRows(victim),
    ...queryRows(victim, cursor),
    ...(readsHeaders(victim.op) ? headerRows(victim) : []),
    ...(victim.op.method === 'GET' ? [] : bodyRows(victim)),
    ...(victim.op.file === undefined ? [] : fileRows(victim)),
  ];
}

const row = (name: string, request: Row['request']): Row => ({ name, large: false, request });
const large = (name: string, request: Row['request']): Row => ({ name, large: true, request });

function pathRows({ op, send, subject }: Victim): Row[] {
  const body = subject.body === undefined ? {} : { body: JSON.stringify(subject.body) };
  return Object.keys(op.at).flatMap((name) =>
    BAD_REFERENCES.map((bad) => row(`{${name}}: ${bad.name}`, () => send({ path: { [name]: bad.value }, ...body }))),
  );
}

function queryRows({ op, send, subject }: Victim, cursor: RealCursor): Row[] {
  const rows = badQueries(op.query, subject.query).map((bad) => row(`?${bad.name}`, () => send({ query: bad.value })));
  if (isPaged(op)) {
    rows.push(
      ...forgedCursors(cursor).map((bad) => row(`?${bad.name}`, () => send({ query: `limit=1&cursor=${bad.value}` }))),
    );
  }
  return rows;
}

function headerRows({ op, send, subject }: Victim): Row[] {
  const body = subject.body === undefined ? {} : { body: JSON.stringify(subject.body) };
  const rows = BAD_HEADERS.map(({ name, headers }) => row(name, () => send({ headers, ...body })));
  if (op.method === 'GET') return rows;
  return [
    ...rows,
    ...BAD_CONTENT_TYPES.map(({ name, type }) =>
      row(`Content-Type: ${name}`, () => send({ body: '{}', headers: { 'content-type': type } })),
    ),
  ];
}

const SHUFFLED = 12;

function bodyRows({ op, send, subject }: Victim): Row[] {
  const schema = schemaOf(op);
  const limit = triedLimitOf(op);
  const everywhere = shapesOfAll(subject.body).filter((shape) => isTried(op, shape.name));
  const own = schema === undefined ? [] : shapesOf(schema, subject.body, WANTED[op.id]);
  const shapes = [...everywhere, ...own, ...(SHAPES_OF[op.id] ?? [])];
  const rows = shapes.map((shape) => large(shape.name, () => send({ body: shape.fill(limit) })));
  rows.push(
    large('bytes that are not UTF-8', () => send({ body: Buffer.alloc(limit, 0xff) })),
    {
      ...large('a byte more than the limit', () => send({ body: `"${'x'.repeat(limitOf(op) - 1)}"` })),
      tooLarge: true,
    },
  );
  if (schema === undefined) return rows;
  rows.push(...longestStrings(schema, subject.body).map(({ name, body }) => row(name, () => send({ body }))));
  if (op.method === 'PATCH') {
    const whole = Object.entries(
      JSON.parse(largest(schema, { ...(subject.body as object), ...WANTED[op.id] }, 20_000)) as object,
    );
    for (let i = 0; i < SHUFFLED; i += 1) {
      rows.push(
        row(`keys in another order, ${i + 1}`, () =>
          send({ body: JSON.stringify(Object.fromEntries(turned(whole, i))) }),
        ),
      );
    }
  }
  return rows;
}

/** A different selection in a different order for each `i`. */
const turned = <T>(list: readonly T[], i: number): T[] => {
  const from = i % Math.max(1, list.length);
  const order = [...list.slice(from), ...list.slice(0, from)];
  return (i % 2 === 0 ? order : order.reverse()).slice(0, Math.max(1, list.length - (i % 3)));
};

function fileRows({ op, send }: Victim): Row[] {
  const limit = Math.min(op.file!.limit, TRIED_LIMIT);
  const query = op.query === undefined ? '' : 'preview=true';
  const { field } = op.file!;
  return [
    ...BAD_FILES.map(({ name, fill }) =>
      large(`a file of ${name}`, () =>
        send({ query, body: fill(limit), headers: { 'content-type': op.file!.mediaTypes[0] } }),
      ),
    ),
    ...(field === null ? [] : BAD_FILES).map(({ name, fill }) =>
      large(`JSON with a file of ${name}`, () =>
        send({ body: JSON.stringify({ [field!]: fill(limit / 2), preview: true }) }),
      ),
    ),
    ...BAD_FORMS.map(({ name, fill }) =>
      large(`a form: ${name}`, () => send({ query, body: fill(limit), headers: { 'content-type': FORM } })),
    ),
  ];
}

/** Each string field in turn, as long as the body may be, with a different text every time, counted on from `from`. */
export function longRows({ op, send, subject }: Victim, times: number, from = 0): Row[] {
  const schema = schemaOf(op);
  if (schema === undefined) return [];
  return longStrings(schema, subject.body).flatMap(({ name, fill }) =>
    Array.from({ length: times }, (_, i) =>
      large(`${name}, ${from + i + 1}`, () => send({ body: fill(from + i)(triedLimitOf(op)) })),
    ),
  );
}
