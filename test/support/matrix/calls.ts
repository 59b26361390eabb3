import type { ReferenceKind } from '@turnout/contract';
import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import { call, type Reply } from '../turnout.ts';
import { fixtureOf, isMade, type Made, type Parents, type Place } from './fixtures.ts';
import { sampleOf } from './schema.ts';
import { type Special, specialOf } from './specials.ts';
import { HOME, type World } from './world.ts';

/** One cell of the matrix: an operation against one way of calling it. */
export interface Row {
  name: string;
  run(world: World): Promise<void>;
}

/** Where operations are reached, spelled here once more so that a router which offers too little or too much fails. */
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

/** What a call is about: the objects of its path, and a body that is valid. */
export interface Subject {
  path: Record<string, Made>;
  parents: Parents;
  body: unknown;
}

export const pathOfOperation = (op: Operation): [string, ReferenceKind][] =>
  Object.entries(op.at).map(([name, reference]) => [name, reference.kind]);

/** The fixtures exist, so rows that must work can be run. */
export const canWork = (op: Operation): boolean => pathOfOperation(op).every(([, kind]) => isMade(fixtureOf(kind)));

export interface Arrangement {
  place?: Place;
  /** Made for this call alone, and brought into the state that it needs: for calls that must work. */
  fresh?: boolean;
  special?: Special;
  /** Objects of the path that are there already. */
  parents?: Parents;
}

export async function arrange(world: World, op: Operation, wanted: Arrangement = {}): Promise<Subject> {
  const { place = HOME, special = specialOf(op.id), fresh = false } = wanted;
  const parents: Parents = { ...wanted.parents };
  const path: Record<string, Made> = {};
  for (const [name, kind] of pathOfOperation(op)) {
    const made =
      wanted.parents?.[kind] ??
      (fresh || special.path?.[kind] !== undefined
        ? await world.make(kind, place, parents, special.path?.[kind])
        : await world.standing(kind, place));
    path[name] = made;
    parents[kind] = made;
  }
  if (fresh) await special.prepare?.(world.api(place), path);
  const refer = async (kind: ReferenceKind) =>
    (fresh ? await world.make(kind, place, parents) : await world.standing(kind, place, 'referred')).id;
  const body = op.body === undefined ? undefined : { ...((await sampleOf(op.body, refer)) as object), ...special.body };
  return { path, parents, body };
}

/** For calls that must work: what only reads may use what stands. */
export const arrangeWorking = (world: World, op: Operation, wanted: Arrangement = {}): Promise<Subject> => {
  const special = wanted.special ?? specialOf(op.id);
  return arrange(world, op, { ...wanted, fresh: op.method !== 'GET' || special.prepare !== undefined });
};

export interface Sent {
  /** References in place of the ids of the subject's path. */
  refs?: Record<string, string>;
  body?: unknown;
  query?: Record<string, string>;
  idempotencyKey?: null;
  contentType?: string;
  method?: string;
  /** Another server than the usual one. */
  url?: string;
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
  const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`;
  const body = 'body' in sent ? sent.body : subject.body;
  const method = sent.method ?? op.method;
  return call(sent.url ?? world.t.url, method, mount.prefix + path + query, {
    key: as.key ?? null,
    headers: {
      ...(as.authorization !== undefined && { authorization: as.authorization }),
      ...(as.session !== undefined && { cookie: `other=1; turnout_session=${as.session}` }),
      ...(as.client !== undefined && { 'x-service-client': as.client }),
      ...(sent.contentType !== undefined && { 'content-type': sent.contentType }),
    },
    ...(method !== 'GET' && body !== undefined && { body }),
    ...(sent.idempotencyKey === null && { idempotencyKey: null }),
  });
}

/** A call at which everything that is asked after the caller is wrong. What is refused first tells the order (spec 3). */
export const everythingWrong = (op: Operation): Sent => ({
  refs: Object.fromEntries(Object.keys(op.at).map((name) => [name, 'no-such'])),
  query: { no_such_parameter: '1' },
  ...(op.method !== 'GET' && { body: { no_such_field: 1 } }),
  idempotencyKey: null,
});

/** What the road itself answers; the rest an operation declares (`refusals`). */
const OF_THE_ROAD =
  /^(api_key_(?!cannot)|sign_in|permission|entitlement|instance_read_only|validation|idempotency|method|payload|unsupported|rate_limited|quota)/;

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

/** 400 with exactly these faults. */
export function faulty(op: Operation, reply: Reply, ...paths: string[]): void {
  refused(op, reply, 400, 'validation_failed');
  const named = (reply.body.error.details as { path: string }[]).map((fault) => fault.path);
  expect(named.sort(), reply.text).toEqual(paths.sort());
}

/** 2xx, with the very status that is declared. */
export function worked(op: Operation, reply: Reply): void {
  if (reply.status === 400) {
    throw new Error(
      `${op.id}: the request that the matrix made of the schema was refused. Add what it needs beyond the required fields ` +
        `to SPECIALS in test/support/matrix/specials.ts. The answer: ${reply.text}`,
    );
  }
  expect(reply.status, reply.text).toBe(op.status ?? 200);
}
