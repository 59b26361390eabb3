import type { Entitlement, EventType, Permission, RefusalCode, Scope } from '@turnout/contract';
import type { Static, TSchema } from 'typebox';
import type { Secrets } from '../secrets.ts';
import type { Id } from '../store/ids.ts';
import type { Tx } from '../store/tx.ts';
import type { Change } from './audited.ts';
import type { License } from './license.ts';
import type { Links } from './links.ts';
import type { AnyReference, Found, Reach } from './reference.ts';
import type { Fault, Refusal } from './refusal.ts';
import type { Sound } from './sound.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Host = 'api' | 'scanner';

export type { Change } from './audited.ts';

/** An occurrence that webhooks tell of: becomes an outbox row in the transaction of the work. */
export interface Occurrence {
  type: EventType;
  event: Id | null;
  group: Id | null;
  livemode: boolean;
  /** In API v1's own shapes. */
  data: unknown;
  /** Where those whom it tells of are of several groups; `group` is null then. */
  held?: Held | undefined;
}

/** Of whom the data of an occurrence speaks: whoever is limited to a group hears only of its own people in it. */
export interface Held {
  /** How it is reduced; `whole`: not at all, it is told only to whoever reaches all of them. */
  as: 'registration' | 'ticket' | 'whole';
  /** By ULID of the attendee. */
  people: Record<string, { group: Id | null; days?: string[] }>;
  /** The registration's group, else the event's. */
  own: Id | null;
}

/**
 * What is not PostgreSQL, as far as operations ask it: each adapter of `outside/` that does adds itself here (declaration
 * merging, because the road imports none of them), app.ts gives them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the adapters
export interface Outside {}

/** What the work gets, and the only way it reaches anything. */
export interface Work extends Reach {
  request: { id: string; client: string | null };
  license: License;
  links: Links;
  /** Seals what must be read again, such as a signing secret. */
  secrets: Secrets;
  /** Only for what `before` gives back: the work itself must not wait for others, its transaction holds locks. */
  outside: Outside;
  /** Tells the audit log what changed; without it the row names the operation and the object of the path. */
  changed(change: Change): void;
  raise(occurrence: Occurrence): void;
  /** One of very many: its mails wait behind those that somebody waits for. */
  bulk?: true;
}

/** A file that came with a call; gone when the call is answered. */
export interface Upload {
  filename: string | null;
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** How a file comes: as a text field of the JSON body, as the body itself, or as a part of a form. */
export interface TakesFile {
  /** Its name in JSON. */
  field: string;
  /** Of the body that is the file. */
  mediaType: string;
  /** In bytes. */
  limit: number;
}

export interface Call<At extends Record<string, AnyReference>, Query, Body> extends Work {
  at: Found<At>;
  query: Query;
  body: Body;
  /** Where the operation takes one. */
  file: Upload | null;
}

/** A call before its work. */
export interface Asking<At extends Record<string, AnyReference>, Query, Body> extends Call<At, Query, Body> {
  /** The same for every retry of this call, and no other call's: for the idempotency of whoever is asked. */
  retryKey: string;
}

/** A call with what others answered (`before`). */
export interface Asked<At extends Record<string, AnyReference>, Query, Body, A> extends Call<At, Query, Body> {
  asked: A;
}

/** One call of many that share a transaction (the lane). */
export interface Item<At extends Record<string, AnyReference>, Body> extends Call<At, unknown, Body> {}

/** A call whose path has not been looked up. */
export interface Ahead<Body> extends Work {
  params: Record<string, string>;
  body: Body;
}

/** Where calls of one event share a transaction: the same road, no second one. */
export interface Together<At extends Record<string, AnyReference>, Body, Reply, Read> {
  /** Calls with the same answer take turns, and those that wait together run together. */
  by: (params: Record<string, string>) => string;
  /**
   * Sent in the packet of the claims, so before it is known which of the calls find what their path names, and which are to be
   * done at all: it takes the locks and reads, for all of them, and writes nothing that anybody could see. Where a caller is
   * limited to a part of the organization it runs once somebody has found what the path names: nobody waits for a lock on what
   * they must not know.
   */
  read?: (calls: readonly Ahead<Body>[]) => Promise<Read>;
  /**
   * One outcome an item, in order. A refused item is returned, not thrown, and must have written nothing; a thrown error fails
   * the batch, which is then run again item by item.
   */
  handle: (items: readonly Item<At, Body>[], read: Read) => Promise<(Reply | Refusal)[]>;
  /** Where the work keeps its answers itself (not its refusals): the road then keeps the place, and no second copy. */
  kept?: KeptAnswers<Item<At, Body>>;
}

export interface KeptAnswers<Item> {
  place: (item: Item) => string;
  /** The texts, by their places. Whoever removes one gives it back before (`giveBack` in idempotency.ts). */
  read: ReadKept;
}
export type ReadKept = (tx: Tx, org: Id, places: readonly string[]) => Promise<Map<string, string>>;

/** A rule whose breach is 400. It reads at most, and takes no lock; the body is what of it fits the schema (sound.ts). */
export interface Rule<Call> {
  /** The fields it compares: while one of them is wrong in itself, it is not asked. */
  of: readonly string[];
  faults: (call: Call) => Fault[] | Promise<Fault[]>;
}

interface Common<At extends Record<string, AnyReference>, Q extends TSchema, R extends TSchema> {
  /** operationId of OpenAPI, name of the SDK's method. */
  id: string;
  path: string;
  hosts?: readonly Host[];
  scope: Scope;
  /** null only where nothing is bought: the plan table of the contract names one for every area. */
  entitlement: Entitlement | null;
  /** What a member needs to reach it on `/app/api`; null: not offered there. */
  member: Permission | null;
  /** Whether a paired device reaches it on the scanner host. */
  device?: boolean;
  /** Only paired devices: nobody else is found by what they call (`device` is true, too). */
  onlyDevices?: true;
  /** Asked before scope and entitlement: keys get this refusal, whatever they hold. */
  keysRefused?: RefusalCode;
  /** Only keys that are not limited to a group. */
  organizationWide?: boolean;
  /** How each `{name}` of the path is found, outermost first. */
  at: At;
  query?: Q;
  /** Fields, without places in lists, whose references lead elsewhere than those of their kind do; null: only the work knows. */
  refers?: Readonly<Record<string, AnyReference | null>>;
  reply: R | null;
  /**
   * The answer is not JSON but bytes of this media type, and `reply` is null: `handle` gives what makes them, which runs when the
   * transaction is over, because it may take long and must not hold a connection.
   */
  produces?: string;
  status?: 200 | 201 | 202 | 204;
  /** 202 in place of `status` where this answer is a job that goes on in the background. */
  goesOn?: (reply: Static<R>) => boolean;
  refusals: readonly RefusalCode[];
  tag: string;
  summary: string;
  description?: string;
}

interface Reading<At extends Record<string, AnyReference>, Q extends TSchema, R extends TSchema>
  extends Common<At, Q, R> {
  method: 'GET';
  audit?: never;
  body?: never;
  /** What the answer changes with. A client that has it (`If-None-Match`) gets 304 without the rest being read. */
  etag?: (call: Call<At, Static<Q>, undefined>) => Promise<string>;
  handle: (call: Call<At, Static<Q>, undefined>) => Promise<Static<R> | (() => Promise<Buffer>)>;
}

interface Writing<At extends Record<string, AnyReference>, Q extends TSchema, B extends TSchema, R extends TSchema>
  extends Common<At, Q, R> {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The action that the audit log names. */
  audit: string;
  /** Not a change that anybody made: a sign of life. */
  unaudited?: true;
  body?: B;
  /** Its other options come by the query, or as fields of the form: `body` is only asked of JSON. */
  file?: TakesFile;
  bodyLimit?: number;
  /** Rules over the body whose breach is 400, asked again when anything is wrong with a call: it hears of everything at once. */
  rules?: readonly Rule<Call<At, Static<Q>, Sound<Static<B>>>>[];
  /** Text that cannot be stored is the fault of its item, not of the whole body; the work looks for it. */
  textByItem?: true;
  /** Exports go on while the installation is read-only. */
  whenReadOnly?: 'allowed';
  /** The answer shows a secret once, so the stored copy is encrypted. */
  secretAnswer?: boolean;
}
interface Alone<At extends Record<string, AnyReference>, Q extends TSchema, B extends TSchema, R extends TSchema, A>
  extends Writing<At, Q, B, R> {
  /**
   * What has to be asked of somebody else first (a payment provider). It runs in a short transaction that only reads; the
   * function it gives back runs after that transaction and before the work's, and its answer is the work's `asked`. It may
   * run again for a retry whose first try was lost, so it asks with `retryKey`. Its refusals are kept like the work's.
   */
  before?: (call: Asking<At, Static<Q>, Static<B>>) => Promise<() => Promise<A>>;
  handle: (call: Asked<At, Static<Q>, Static<B>, A>) => Promise<Static<R> | undefined>;
  /** Takes its turn among the calls of an event, alone. */
  inTurn?: (params: Record<string, string>) => string;
  together?: never;
}
interface InCompany<At extends Record<string, AnyReference>, Q extends TSchema, B extends TSchema, R extends TSchema, D>
  extends Writing<At, Q, B, R> {
  together: Together<At, Static<B>, Static<R>, D>;
  handle?: never;
  inTurn?: never;
  before?: never;
}

/** An operation after its types were checked, as router, OpenAPI and tests read it. */
export interface Operation extends Common<Record<string, AnyReference>, TSchema, TSchema> {
  method: Method;
  audit?: string;
  unaudited?: true;
  body?: TSchema;
  file?: TakesFile;
  bodyLimit?: number;
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `operation`
  rules?: readonly Rule<any>[];
  textByItem?: true;
  whenReadOnly?: 'allowed';
  secretAnswer?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `operation`
  before?: (call: any) => Promise<() => Promise<unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `operation`
  etag?: (call: any) => Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `operation`
  handle?: (call: any) => Promise<unknown>;
  inTurn?: (params: Record<string, string>) => string;
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `operation`
  together?: Together<any, any, any, any>;
}

/** A missing scope, entitlement or (on a write) audit name does not compile. */
export function operation<
  const At extends Record<string, AnyReference>,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  A = undefined,
  D = undefined,
>(spec: Reading<At, Q, R> | Alone<At, Q, B, R, A> | InCompany<At, Q, B, R, D>): Operation {
  const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const declared = Object.keys(spec.at);
  if (named.length !== declared.length || named.some((name) => !declared.includes(name))) {
    throw new Error(`${spec.id}: the path names ${named.join(', ')}; \`at\` finds ${declared.join(', ')}`);
  }
  return spec as unknown as Operation;
}
