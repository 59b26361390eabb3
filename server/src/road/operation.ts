import type { Entitlement, EventType, Permission, RefusalCode, Scope } from '@turnout/contract';
import type { Static, TSchema } from 'typebox';
import type { Id } from '../common/ids.ts';
import type { Fault, Refusal } from '../common/refusal.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Tx } from '../store/tx.ts';
import type { Links } from './for-areas/links.ts';
import type { License } from './gate/license.ts';
import type { AnyReference, FoundObjects, Reach } from './request/reference.ts';
import type { ValidPart } from './request/valid-part.ts';
import type { Change } from './write/audited.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Host = 'api' | 'scanner';

export type { Change } from './write/audited.ts';

/** Something that happened and that webhooks report. It becomes an outbox row in the transaction of the work. */
export interface Occurrence {
  type: EventType;
  event: Id | null;
  group: Id | null;
  livemode: boolean;
  /** In the shapes of API v1. */
  data: unknown;
  /** Set if the attendees in `data` belong to several groups. `group` is null then. */
  held?: ReducibleData | undefined;
}

/** The attendees in the data of an occurrence. An endpoint that is limited to a group learns only of the attendees of its group. */
export interface ReducibleData {
  /** How the data is reduced to some of the attendees. `whole`: not at all; only endpoints that reach all of them get it. */
  as: 'registration' | 'ticket' | 'whole';
  /** By the ULID of the attendee. */
  people: Record<string, { group: Id | null; days?: string[] }>;
  /** The group of the registration, else that of the event. */
  own: Id | null;
}

/**
 * The services beside PostgreSQL that operations use: mail, files, payments and so on. Each adapter of `outside/` adds its own
 * field by declaration merging, because the road imports none of them; server/src/start/adapters.ts makes them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the adapters add its fields
export interface Outside {}

/** What the work of an operation gets. It reaches everything through this argument. */
export interface Work extends Reach {
  request: { id: string; client: string | null };
  license: License;
  links: Links;
  /** Encrypts what must be readable again, such as a signing secret. */
  secrets: Secrets;
  /** Only for the function that `before` returns. The work itself must not wait for other services: its transaction holds locks. */
  outside: Outside;
  /** Reports a change to the audit log. Without it, the audit row names the operation and the object of the path. */
  changed(change: Change): void;
  raise(occurrence: Occurrence): void;
  /** The work is one of very many. Its mails are sent after those that somebody is waiting for. */
  bulk?: true;
}

/** A file that came with a call. It is deleted when the call is answered. */
export interface Upload {
  filename: string | null;
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A file comes as a text field of the JSON body, as the body itself, or as a part of a form. */
export interface TakesFile {
  /** Its name in a JSON body. Null: it is not text, so JSON cannot hold it. */
  field: string | null;
  /** The media types of a body that is the file itself. */
  mediaTypes: readonly [string, ...string[]];
  /** In bytes. */
  limit: number;
}

export interface Call<At extends Record<string, AnyReference>, Query, Body> extends Work {
  at: FoundObjects<At>;
  query: Query;
  body: Body;
  /** Null if the operation takes none. */
  file: Upload | null;
}

/** A call as `before` gets it. */
export interface BeforeCall<At extends Record<string, AnyReference>, Query, Body> extends Call<At, Query, Body> {
  /** The same for every retry of this call and different for every other call: an idempotency key for the service that is asked. */
  retryKey: string;
  /**
   * Runs something in a transaction of its own, with the role of workers, that stays even if the call is refused afterwards: a
   * count of failed tries. Only for the function that `before` returns.
   */
  apart<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A call as `handle` gets it. */
export interface HandledCall<At extends Record<string, AnyReference>, Query, Body, A> extends Call<At, Query, Body> {
  /** The result of the function that `before` returned. */
  beforeResult: A;
}

/** One of several calls that share a transaction. */
export interface Item<At extends Record<string, AnyReference>, Body> extends Call<At, unknown, Body> {}

/** A call as `together.read` gets it, before the objects in its path are looked up. */
export interface Ahead<Body> extends Work {
  params: Record<string, string>;
  body: Body;
}

/** How calls of one event share a transaction. */
export interface Together<At extends Record<string, AnyReference>, Body, Reply, Read> {
  /** Names the lane of a call. Calls of one lane take turns, and those that wait at the same time run together. */
  by: (params: Record<string, string>) => string;
  /** How much work a call is, if calls differ much (lane.ts). Default: 1. */
  weight?: (body: Body) => number;
  /**
   * Takes locks and reads for all of the calls, and writes nothing that anybody could see. It is sent in the packet of the claims:
   * before it is known which calls are to be done at all, and whether what their paths name exists. If one of the callers is
   * limited to a part of the organization, it runs only after the paths were looked up, so that nobody waits for a lock on an
   * object that they must not know about.
   */
  read?: (calls: readonly Ahead<Body>[]) => Promise<Read>;
  /**
   * Returns one outcome per item, in order. A refusal is returned, not thrown, and its item must have written nothing. An error
   * that is thrown fails the batch, which is then run again item by item.
   */
  handle: (items: readonly Item<At, Body>[], read: Read) => Promise<(Reply | Refusal)[]>;
  /** Set if the work stores its answers itself (not its refusals). The road then stores only the place, not a second copy. */
  answerStore?: KeptAnswers<Item<At, Body>>;
}

export interface KeptAnswers<Item> {
  place: (item: Item) => string;
  /** Reads the answers, by their places. Whoever removes such an answer calls `giveBack` (idempotency.ts) first. */
  read: ReadAnswers;
}
export type ReadAnswers = (tx: Tx, org: Id, places: readonly string[]) => Promise<Map<string, string>>;

/** A rule; breaking it is 400. It may read but takes no lock. It gets the parts of the body that fit the schema (valid-part.ts). */
export interface Rule<Call> {
  /** The fields that the rule compares. The rule does not run while one of them has a fault of its own. */
  of: readonly string[];
  faults: (call: Call) => Fault[] | Promise<Fault[]>;
}

/**
 * How fast one paired device may call an operation; keys have their requests per minute instead. `oneAtATime`: one call in flight,
 * and a second of rest after its answer (batches.ts). Answers to devices tell it (device-pace.ts).
 */
export type DevicePace = { callsPerSecond: number } | { oneAtATime: true };

interface Common<At extends Record<string, AnyReference>, Q extends TSchema, R extends TSchema> {
  /** The `operationId` in OpenAPI and the name of the method in the SDK. */
  id: string;
  path: string;
  hosts?: readonly Host[];
  scope: Scope;
  /** Null only if every plan includes it: the contract's table of plans names an entitlement for every area. */
  entitlement: Entitlement | null;
  /** The permission that a member needs for it on `/app/api`. Null: it is not offered there. */
  member: Permission | null;
  /** Members must have proved who they are in the last ten minutes. */
  proved?: true;
  /** Whether a paired device reaches it on the scanner host. */
  device?: boolean;
  devicePace?: DevicePace;
  /** The GET that shows the object which this changes, so that `If-Match` is understood. Set by if-match.ts. */
  shownBy?: Operation;
  /** The answer's `ETag` is the `updated_at` of the object that it shows. Set by if-match.ts. */
  tagged?: true;
  /** Whether the registration pages call it for their visitors (visitors.ts). */
  visitor?: true;
  /** Only paired devices can call it: for others the objects in its path do not exist. `device` is true, too. */
  onlyDevices?: true;
  /** API keys get this refusal whatever they hold: it comes before the checks of scope and entitlement. */
  keysRefused?: RefusalCode;
  /** Refuses keys and members that are limited to a group. */
  organizationWide?: boolean;
  /** How each `{name}` of the path is found, outermost first. */
  at: At;
  query?: Q;
  /**
   * The fields whose references are looked up differently from others of their kind. A field is named without positions in lists
   * (`attendees/days`). Null: only the work can look it up.
   */
  refers?: Readonly<Record<string, AnyReference | null>>;
  reply: R | null;
  /**
   * The answer is not JSON but bytes of this media type. `reply` is null, and `handle` returns a function that makes the bytes. It
   * runs after the transaction: it may take long and must not hold a connection.
   */
  produces?: string;
  status?: 200 | 201 | 202 | 204;
  /** Whether this reply is a job that goes on in the background. Then the status is 202 in place of `status`. */
  continuesInBackground?: (reply: Static<R>) => boolean;
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
  /**
   * A value that changes whenever the answer does. A client that sends it in `If-None-Match` gets 304, and the rest is not read.
   */
  etag?: (call: Call<At, Static<Q>, undefined>) => Promise<string>;
  handle: (call: Call<At, Static<Q>, undefined>) => Promise<Static<R> | (() => Promise<Buffer>)>;
}

interface Writing<At extends Record<string, AnyReference>, Q extends TSchema, B extends TSchema, R extends TSchema>
  extends Common<At, Q, R> {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The action in the audit log. */
  audit: string;
  /** Leaves no audit row: the call is a sign of life, not a change that somebody made. */
  unaudited?: true;
  body?: B;
  /** `body` describes only a JSON body. With a file or a form, the other options come in the query or as fields of the form. */
  file?: TakesFile;
  /** In bytes; 1 MiB if left out. */
  bodyLimit?: number;
  /** The rules that the work enforces with 400. They are listed here too, so that a refused call learns of every fault at once. */
  rules?: readonly Rule<Call<At, Static<Q>, ValidPart<Static<B>>>>[];
  /** Text that cannot be stored fails only its own item, not the whole body. The work has to look for it. */
  textByItem?: true;
  /** Allowed while the installation is read-only, as exports are. */
  whenReadOnly?: 'allowed';
  /** The answer shows a secret, so the copy that is stored for retries is encrypted. */
  secretAnswer?: boolean;
  /**
   * The body has a secret that could be guessed, such as a PIN. What is stored to recognize a retry is then not a plain hash of the
   * body, with which every guess could be tried out.
   */
  secretBody?: true;
}
interface Alone<At extends Record<string, AnyReference>, Q extends TSchema, B extends TSchema, R extends TSchema, A>
  extends Writing<At, Q, B, R> {
  /**
   * Asks another service (a payment provider) before the work. `before` runs in a short transaction that only reads. The function
   * that it returns runs after that transaction and before the work's; the work gets its result as `beforeResult`. It may run again for
   * a retry if the first try was lost, so it sends `retryKey` along. Its refusals are stored like those of the work.
   */
  before?: (call: BeforeCall<At, Static<Q>, Static<B>>) => Promise<() => Promise<A>>;
  handle: (call: HandledCall<At, Static<Q>, Static<B>, A>) => Promise<Static<R> | undefined>;
  /** Names the lane in which the call takes its turn. It does not share its transaction with other calls. */
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

/** An operation as the router, OpenAPI and the tests read it. Its types were checked by `operation`. */
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
  secretBody?: true;
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

/** Declares an operation. A declaration without scope or entitlement, or a write without audit action, does not compile. */
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
    throw new Error(
      `${spec.id}: the parameters of the path (${named.join(', ')}) and of \`at\` (${declared.join(', ')}) must be the same`,
    );
  }
  return spec as unknown as Operation;
}
