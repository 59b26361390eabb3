import { randomUUID } from 'node:crypto';
import type { ReferenceKind } from '@turnout/contract';
import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import type { Reply } from '../turnout.ts';
import { fixtureOf, isMade, type Made, type Parents, type Place } from './fixtures.ts';
import { request } from './http.ts';
import { sampleOf } from './schema.ts';
import { type Special, specialOf } from './specials.ts';
import { HOME, type World } from './world.ts';

/** One cell of the matrix: an operation and one way of calling it. */
export interface Row {
  name: string;
  /** What it tries is refused before it matters which operation was called. */
  beforeOperation?: boolean;
  /** What it tries is refused by this reference, whichever operation has it in its path. */
  byReference?: object;
  run(world: World): Promise<void>;
}

/** Where operations are reached. It is repeated here on purpose, so that a router that offers too little or too much fails. */
export const MOUNTS = [
  { prefix: '/v1', by: 'key', offers: (op: Operation) => (op.hosts ?? ['api']).includes('api') },
  { prefix: '/api/v1', by: 'key', offers: (op: Operation) => (op.hosts ?? ['api']).includes('scanner') },
  { prefix: '/app/api', by: 'member', offers: (op: Operation) => op.member !== null },
] as const;
export type Mount = (typeof MOUNTS)[number];
export const mountsOf = (op: Operation): Mount[] => MOUNTS.filter((mount) => mount.offers(op));

/** Who calls. */
export interface As {
  key?: string | null;
  session?: string;
  authorization?: string;
  client?: string;
}

/** What a call needs: the objects of its path and a valid body. */
export interface Subject {
  path: Record<string, Made>;
  parents: Parents;
  body: unknown;
  query: Record<string, string>;
}

export const pathOfOperation = (op: Operation): [string, ReferenceKind][] =>
  Object.entries(op.at).map(([name, reference]) => [name, reference.kind]);

/** Whether all fixtures exist, so that calls that must succeed can be made. */
export const canWork = (op: Operation): boolean => pathOfOperation(op).every(([, kind]) => isMade(fixtureOf(kind)));

export interface Arrangement {
  place?: Place;
  /** Where an object of the path lies, if not all are in one place: for example people of a group in an event of the organization. */
  placeOf?: (kind: ReferenceKind) => Place;
  /** For a call that must succeed: the object that it changes is made for it alone and brought into the state that it needs. */
  working?: boolean;
  /** The reference in the body that is tested: the path must suit it. */
  field?: string;
  /** Where the objects are made that the body refers to. */
  referPlace?: Place;
}

export async function arrange(world: World, op: Operation, wanted: Arrangement = {}): Promise<Subject> {
  const { place = HOME, working = false, field } = wanted;
  const special = specialOf(op.id, field);
  const placeOf = wanted.placeOf ?? (() => place);
  // Each operation, field and place has an event of its own, so that they do not get in each other's way.
  const ground = `${op.id} ${field ?? ''} ${JSON.stringify([placeOf('event'), placeOf('registration')])}`;
  const own = working || wanted.placeOf !== undefined || (field !== undefined && isShaped(special));
  const parents = own
    ? await makePath(world, op, special, placeOf, { ground, fresh: working ? changedKinds(op, special) : [] })
    : await standingPath(world, op, placeOf);
  const path = Object.fromEntries(pathOfOperation(op).map(([name, kind]) => [name, parents[kind]!]));
  const { referPlace = place } = wanted;
  const refer = async (kind: ReferenceKind) =>
    (own ? await world.make(kind, referPlace, parents) : await world.standing(kind, referPlace, 'referred')).id;
  const body =
    op.body === undefined
      ? fileOf(op)
      : { ...((await sampleOf(op.body, refer)) as object), ...(await bodyOf(special, refer)) };
  const query = op.query === undefined ? {} : ((await sampleOf(op.query, refer)) as Record<string, unknown>);
  return {
    path,
    parents,
    body,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  };
}

/** The smallest picture that there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const fileOf = ({ file }: Operation): Buffer | undefined => (file === undefined ? undefined : PIXEL);

const bodyOf = async (
  { body }: Special,
  refer: (kind: ReferenceKind) => Promise<string>,
): Promise<Record<string, unknown>> => (typeof body === 'function' ? body(refer) : (body ?? {}));

const isShaped = ({ path, before, prepare }: Special): boolean => (path ?? before ?? prepare) !== undefined;

/** The object that a call uses up: the one that it changes. Objects that it only reads, or creates others in, stay usable. */
function changedKinds(op: Operation, special: Special): ReferenceKind[] {
  if (special.before !== undefined) return pathOfOperation(op).flatMap(([, kind]) => [kind, ...around(kind)]);
  const last = pathOfOperation(op).at(-1);
  const creates = op.method === 'POST' && op.status === 201 && special.changesPath !== true;
  return op.method === 'GET' || creates || last === undefined ? [] : [last[1]];
}
const around = (kind: ReferenceKind): ReferenceKind[] => {
  const fixture = fixtureOf(kind);
  return isMade(fixture) && fixture.inside !== null ? [fixture.inside] : [];
};

async function makePath(
  world: World,
  op: Operation,
  special: Special,
  placeOf: (kind: ReferenceKind) => Place,
  { ground, fresh }: { ground: string; fresh: ReferenceKind[] },
): Promise<Parents> {
  const parents: Parents = {};
  const make = async (kind: ReferenceKind): Promise<void> => {
    for (const outer of around(kind)) if (parents[outer] === undefined) await make(outer);
    const place = placeOf(kind);
    const once = async () => {
      await special.before?.[kind]?.(world.tools(place), parents, place);
      return world.make(kind, place, parents, special.path?.[kind]);
    };
    parents[kind] = fresh.includes(kind) ? await once() : await world.keep(`ground ${ground} ${kind}`, once);
  };
  for (const [, kind] of pathOfOperation(op)) await make(kind);
  const prepare = async () => special.prepare?.(world.tools(placeOf('event')), parents);
  if (fresh.length > 0) await prepare();
  else await world.keep(`ground ${ground} prepared`, prepare);
  return parents;
}

async function standingPath(world: World, op: Operation, placeOf: (kind: ReferenceKind) => Place): Promise<Parents> {
  const parents: Parents = {};
  for (const [, kind] of pathOfOperation(op)) parents[kind] = await world.standing(kind, placeOf(kind));
  return parents;
}

/** For calls that must succeed. Those that only read may share the standing objects. */
export const arrangeWorking = (world: World, op: Operation, wanted: Arrangement = {}): Promise<Subject> => {
  const stands = op.method === 'GET' && !isShaped(specialOf(op.id, wanted.field));
  return arrange(world, op, { working: !stands, ...wanted });
};

export interface Sent {
  /** References that replace the ids in the path. */
  refs?: Record<string, string>;
  body?: unknown;
  query?: Record<string, string>;
  /** A new one if left out, none if null. */
  idempotencyKey?: string | null;
  contentType?: string;
  method?: string;
  /** Another server than the default one. */
  url?: string;
  /** In the admin app: another organization in the address than that of the session. */
  org?: string;
}

export function send(
  world: World,
  op: Operation,
  mount: Mount,
  as: As,
  subject: Subject,
  sent: Sent = {},
): Promise<Reply> {
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(sent.refs?.[name] ?? subject.path[name]!.id),
  );
  const asked = new URLSearchParams({ ...subject.query, ...sent.query }).toString();
  const query = asked === '' ? '' : `?${asked}`;
  const body = 'body' in sent ? sent.body : subject.body;
  const method = sent.method ?? op.method;
  const authorization = as.authorization ?? (as.key == null ? undefined : `Bearer ${as.key}`);
  const carries = method !== 'GET' && body !== undefined;
  const isFile = body instanceof Buffer;
  return request(sent.url ?? world.t.url, method, mount.prefix + path + query, {
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(as.session !== undefined && { cookie: `other=1; turnout_session=${as.session}` }),
      ...(as.client !== undefined && { 'x-service-client': as.client }),
      ...(method === 'POST' &&
        sent.idempotencyKey !== null && { 'idempotency-key': sent.idempotencyKey ?? randomUUID() }),
      ...(carries && { 'content-type': sent.contentType ?? (isFile ? op.file!.mediaTypes[0] : 'application/json') }),
    },
    body: carries ? (typeof body === 'string' || isFile ? body : JSON.stringify(body)) : null,
    org: sent.org,
  });
}

/** A call in which everything that is checked after the caller is wrong. Which fault is refused first shows the order of the checks. */
export const everythingWrong = (op: Operation): Sent => ({
  refs: Object.fromEntries(Object.keys(op.at).map((name) => [name, 'no-such'])),
  query: { no_such_parameter: '1' },
  ...(op.method !== 'GET' && { body: { no_such_field: 1 } }),
  idempotencyKey: null,
});

/** The refusals of the road itself; the others are declared by the operation (`refusals`). */
const OF_THE_ROAD =
  /^(api_key_(?!cannot)|sign_in|permission|entitlement|instance_read_only|sandbox_full|validation|idempotency|method|payload|unsupported|rate_limited|quota)/;

export function refused(op: Operation, reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, code: reply.body?.error?.code, text: reply.text }, 'the refusal').toEqual({
    status,
    code,
    text: reply.text,
  });
  expect(reply.body.error.request_id).toBe(reply.headers.get('x-request-id'));
  expect(typeof reply.body.error.message).toBe('string');
  if (!OF_THE_ROAD.test(code)) expect(op.refusals, `${op.id} declares what it answers`).toContain(code);
}

/** Expects 400 with exactly these faults. */
export function faulty(op: Operation, reply: Reply, ...paths: string[]): void {
  refused(op, reply, 400, 'validation_failed');
  const named = (reply.body.error.details as { path: string }[]).map((fault) => fault.path);
  expect(named.sort(), reply.text).toEqual(paths.sort());
}

/** Expects 2xx, or what the operation answers in the tests instead (specials.ts). */
export function worked(op: Operation, reply: Reply): void {
  const { answers } = specialOf(op.id);
  if (answers === undefined) succeeded(op, reply);
  else refused(op, reply, answers.status, answers.code);
}

/** Expects the status of success that is declared. */
export function succeeded(op: Operation, reply: Reply): void {
  if (reply.status === 400) {
    throw new Error(
      `${op.id}: the request that the matrix made of the schema was refused. Add what it needs beyond the required fields ` +
        `to SPECIALS in test/support/matrix/specials.ts. The answer: ${reply.text}`,
    );
  }
  if (reply.status === 409 || reply.status === 422) {
    throw new Error(
      `${op.id}: the object that the matrix made is not in a state that the operation takes. Say in SPECIALS of ` +
        `test/support/matrix/specials.ts how to \`prepare\` it, or that it \`changesPath\`. The answer: ${reply.text}`,
    );
  }
  expect(reply.status, reply.text).toBe(op.status ?? 200);
}
