import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import Type, { type TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import { newUlid } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import type { Answer } from './answer.ts';
import { isBearer, type Keys } from './authenticate.ts';
import type { Batches, Flight } from './batches.ts';
import type { Caller } from './caller.ts';
import { Edge, type EdgeLimits, hasBody, wrongMethod } from './edge.ts';
import { requireClientApps, requireEntitlement } from './entitlements.ts';
import { answerError } from './errors.ts';
import { fileFieldHook } from './file-field.ts';
import { type Claim, fingerprint, requireKey } from './idempotency.ts';
import { identify, timesSent } from './identify.ts';
import type { License } from './license.ts';
import type { Links } from './links.ts';
import { frameworkLog, logRequest } from './log.ts';
import type { Measures } from './measures.ts';
import { METHODS, Offered } from './offered.ts';
import type { Operation, Upload } from './operation.ts';
import type { RateStore } from './rates.ts';
import { type Fault, Refusal, refuse } from './refusal.ts';
import type { Road } from './road.ts';
import { takeFiles, uploadOf } from './upload.ts';
import { badText, bodyCheck, type Check, depthFaults, queryCheck } from './validate.ts';

export { SESSION_COOKIE } from './identify.ts';

export interface RouterParts {
  operations: readonly Operation[];
  road: Road;
  keys: Keys;
  rates: RateStore;
  batches: Batches;
  license: License;
  links: Links;
  pool: Pool;
  clock: Clock;
  log: Logger;
  measures: Measures;
  limits?: Partial<EdgeLimits>;
  trustedProxies?: string[];
}

/** Where operations are reached, and by whom. */
const MOUNTS = [
  { prefix: '/v1', actors: ['key'], offers: (op: Operation) => (op.hosts ?? ['api']).includes('api') },
  {
    prefix: '/api/v1',
    actors: ['key', 'device'],
    offers: (op: Operation) => (op.hosts ?? ['api']).includes('scanner'),
  },
  { prefix: '/app/api', actors: ['member'], offers: (op: Operation) => op.member !== null },
] as const;
type Mount = (typeof MOUNTS)[number];

interface OnTheRoad {
  caller: Caller | null;
  client: string | null;
  operation: Operation;
}
declare module 'fastify' {
  interface FastifyRequest {
    road: OnTheRoad | null;
    raw_body: Buffer;
    /** Of a device's batch. */
    flight: Flight | null;
  }
}

const BODY_LIMIT = 1_048_576;
const MAX_REFERENCE = 500;

export function makeRouter(parts: RouterParts): { app: FastifyInstance; close: () => Promise<void> } {
  const { clock, log, measures } = parts;
  const offered = new Offered();
  const newId = () => newUlid(clock.now());
  const edge = new Edge({
    ...(parts.limits && { limits: parts.limits }),
    offered,
    newId,
    answered: (id, { code, status }) => {
      measures.request('none', status, 0);
      log.info({ request_id: id, code, status, route: 'none' });
    },
  });
  const app: FastifyInstance = Fastify({
    loggerInstance: frameworkLog(log),
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => edge.serve(listener),
    clientErrorHandler: () => {}, // the edge answers
    genReqId: newId,
    bodyLimit: BODY_LIMIT,
    trustProxy: parts.trustedProxies ?? false,
    routerOptions: { maxParamLength: 16_000, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    // An address that is no URL never reaches a hook.
    frameworkErrors: (_error, request, reply) => {
      request.road = null;
      reply.raw.once('finish', () => told(request, reply));
      begin(request, reply);
      turnAway(parts, offered, request, reply).catch((error) => answerError(error, request, reply, log));
    },
    // Our own check runs in the handler's place of the road; Fastify's would strip, coerce and stop early.
    return503OnClosing: false,
  });
  app.decorateRequest('road', null);
  app.decorateRequest('raw_body');
  app.decorateRequest('flight', null);
  takeJson(app);
  takeFiles(app);

  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    edge.began(request, reply);
    reply.header('X-Request-Id', request.id);
    if (/^\/(api\/)?v1(\/|$|\?)/.test(request.url)) {
      reply.header('X-RateLimit-Limit', '0').header('X-RateLimit-Remaining', '0');
    }
  };
  const told = (request: FastifyRequest, reply: FastifyReply): void => {
    edge.answered(request);
    const operation = request.road?.operation.id ?? request.routeOptions.url ?? 'none';
    measures.request(operation, reply.statusCode, reply.elapsedTime);
    logRequest(log, parts.links, request, reply);
  };
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    if (request.is404) turnAway(parts, offered, request, reply).catch(done);
    else done();
  });
  // After the hooks that know the caller, so that this refusal has the true rate of its key, too.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      edge.requireSound(request);
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onResponse', (request, reply, done) => {
    told(request, reply);
    done();
  });
  app.addHook('onRoute', ({ url, method, config }) => {
    if ((config as RouteConfig | undefined)?.turnsAway !== true) offered.add(url, method);
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));

  for (const mount of MOUNTS) {
    for (const operation of parts.operations) if (mount.offers(operation)) pave(app, parts, mount, operation);
  }
  turnOthersAway(app, parts, offered);
  return { app, close: () => edge.close(app) };
}

interface RouteConfig {
  turnsAway?: boolean;
}

const urlOf = (mount: Mount, operation: Operation): string =>
  mount.prefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Nothing is here, or nothing with this method. A key is asked all the same: such calls have their rate and count like any
 * other. Whoever comes without one costs no question of the database.
 */
async function turnAway(
  parts: RouterParts,
  offered: Offered,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  const path = request.url.split('?', 1)[0]!;
  const mount = MOUNTS.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  if (mount !== undefined && mount.prefix !== '/app/api' && isBearer(request.headers.authorization))
    await identify(parts, mount.prefix, request, reply);
  const allowed = offered.at(request.url);
  if (allowed.length > 0) throw wrongMethod(allowed);
  return refuse('not_found', { message: 'There is nothing at this address.' });
}

/** Where a word of one address fits a parameter of another (`/webhooks/event-types`), the other must not take the method. */
function turnOthersAway(app: FastifyInstance, parts: RouterParts, offered: Offered): void {
  const urls = new Set<string>();
  for (const mount of MOUNTS) {
    for (const operation of parts.operations) if (mount.offers(operation)) urls.add(urlOf(mount, operation));
  }
  const shapes = new Set<string>();
  for (const url of urls) {
    const shape = url.replaceAll(/:\w+/g, ':');
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    const allowed = offered.at(url);
    const method = METHODS.filter((name) => !allowed.includes(name));
    if (method.length === 0) continue;
    app.route({
      method,
      url,
      config: { turnsAway: true } satisfies RouteConfig,
      onRequest: (request, reply) => turnAway(parts, offered, request, reply),
      handler: async () => undefined,
    });
  }
}

/** JSON, as bytes first: the fingerprint of a retry is over what was sent. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(.+\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    request.raw_body = body as Buffer;
    if (body.length === 0) return done(null, undefined);
    const deep = depthFaults(body as Buffer);
    if (deep.length > 0) return done(new Refusal('validation_failed', { details: deep }));
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
      const value = JSON.parse(text);
      const faults = request.road?.operation.textByItem === true ? [] : badText(text, value);
      if (faults.length > 0) return done(new Refusal('validation_failed', { details: faults }));
      return done(null, value);
    } catch (error) {
      const message = error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8';
      return done(new Refusal('validation_failed', { details: [{ path: '', message: `the body ${message}` }] }));
    }
  });
}

/**
 * A batch has landed before its answer goes out, so that whoever has the answer is told how long to wait; and when its connection
 * breaks before it has come whole. One that came whole is worked on, whoever still listens.
 */
const LANDING = {
  onSend: async (request: FastifyRequest) => request.flight?.end(),
  onRequestAbort: async (request: FastifyRequest) => {
    if (!request.raw.complete) await request.flight?.end();
  },
};

/** One operation on one mount: every step of the road in its order (docs/internals/architecture.md). */
function pave(app: FastifyInstance, parts: RouterParts, mount: Mount, operation: Operation): void {
  const checkBody = operation.body === undefined ? null : bodyCheck(operation.body);
  const checkQuery = queryCheck(operation.query ?? (Type.Object({}, { additionalProperties: false }) as TSchema));
  app.route({
    method: operation.method,
    url: urlOf(mount, operation),
    ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
    ...(operation.id === 'scanBatch' && LANDING),
    ...(operation.file !== undefined && {
      preParsing: fileFieldHook(operation.file, operation.bodyLimit ?? BODY_LIMIT),
      onError: async (request) => request.field?.discard(),
    }),
    onRequest: async (request, reply) => {
      request.road = { caller: null, client: clientName(request), operation };
      const caller = await identify(parts, mount.prefix, request, reply);
      request.road.caller = caller;
      if (caller.actor.kind === 'key') {
        if (operation.keysRefused !== undefined) refuse(operation.keysRefused);
        requireScope(caller, operation);
      }
      if (caller.actor.kind === 'member') requirePermission(caller, operation);
      if (caller.actor.kind === 'device' && operation.device !== true) refuse('not_found');
      requireClientApps(caller, request.road.client);
      if (operation.entitlement !== null) requireEntitlement(caller, operation.entitlement);
      if (operation.method !== 'GET' && operation.whenReadOnly !== 'allowed') await parts.license.requireWritable();
    },
    handler: async (request, reply) => {
      const { caller, client } = request.road!;
      try {
        const { body, faults } = checked(operation, request, checkBody, checkQuery);
        const call = {
          operation,
          caller: caller!,
          params: request.params as Record<string, string>,
          query: request.query,
          body,
          requestId: request.id,
          client,
        };
        if (faults.length > 0) throw await parts.road.refusal(call, faults);
        const done = await parts.road.perform({
          ...call,
          file: fileIn(operation, request, body),
          claim: claimOf(request, operation, caller!),
          ifNoneMatch: request.headers['if-none-match'],
        });
        return send(reply, done);
      } finally {
        await request.upload?.discard();
        await request.field?.discard();
      }
    },
  });
}

function requireScope(caller: Caller, operation: Operation): void {
  const { actor } = caller;
  if (actor.kind !== 'key') return;
  if (!actor.scopes.includes(operation.scope)) {
    refuse('api_key_scope', {
      message: `This call needs the scope \`${operation.scope}\`; the key has ${actor.scopes.join(', ') || 'none'}. Scopes are exact.`,
    });
  }
  if (operation.organizationWide === true && caller.group !== null) {
    refuse('api_key_scope', { message: 'This call needs a key that is not limited to a group.' });
  }
}

function requirePermission(caller: Caller, operation: Operation): void {
  const { actor } = caller;
  if (actor.kind !== 'member' || operation.member === null) return;
  if (!actor.permissions.includes(operation.member)) {
    refuse('permission_required', { message: `Your role does not include \`${operation.member}\`.` });
  }
  if (operation.organizationWide === true && caller.group !== null) {
    refuse('permission_required', { message: 'This is for members who are not limited to a group.' });
  }
}

const CLIENT = /^\P{Cc}{0,100}$/u;

/** Named by an app of an automation platform; an empty name is none. */
function clientName(request: FastifyRequest): string | null {
  const value = request.headers['x-service-client'];
  return typeof value === 'string' && value !== '' ? value : null;
}

function checkedClient(request: FastifyRequest): Fault[] {
  const name = clientName(request);
  if (name === null || (CLIENT.test(name) && timesSent(request, 'x-service-client') === 1)) return [];
  return [
    {
      path: 'X-Service-Client',
      message: 'must be at most 100 characters, none of them a control character, and sent once',
    },
  ];
}

function checked(
  operation: Operation,
  request: FastifyRequest,
  checkBody: Check | null,
  checkQuery: Check,
): { body: unknown; faults: Fault[] } {
  // PostgreSQL knows no U+0000: nothing can be called so.
  const params = Object.values(request.params as Record<string, string>);
  if (params.some((value) => value.includes('\u0000') || value.length > MAX_REFERENCE)) refuse('not_found');
  const faults = checkQuery(request.query);
  for (const [path, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (String(value).includes('\u0000')) faults.push({ path, message: 'must not contain U+0000' });
  }
  faults.push(...checkedClient(request));
  // Nothing sent is `{}`. What was sent is held against the schema as it is: null is no object.
  const body = request.body === undefined || request.upload !== null ? {} : request.body;
  if (checkBody === null) {
    if (!isEmpty(body) || unreadBody(request)) faults.push({ path: '', message: 'this operation takes no body' });
  } else if (request.upload === null) {
    faults.push(...checkBody(body));
  }
  return { body: operation.method === 'GET' ? undefined : body, faults };
}

/** `{}` is no body, too: some clients send it with every call. */
const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

/** Fastify does not read the body of a GET. */
const unreadBody = ({ method, raw }: FastifyRequest): boolean => method === 'GET' && hasBody(raw);

/** The file of the call: the body itself, a part of it, or a text in it. */
function fileIn({ file }: Operation, request: FastifyRequest, body: unknown): Upload | null {
  if (file === undefined) return null;
  return request.upload ?? request.field?.upload ?? uploadOf((body as Record<string, string>)[file.field]!, file);
}

function claimOf(request: FastifyRequest, operation: Operation, caller: Caller): Claim | null {
  if (operation.method !== 'POST') return null;
  const key = requireKey(request.headers['idempotency-key']);
  const actor = caller.actor.id;
  if (actor === null) return null;
  const ofBody = () => fingerprint(request.method, request.url, request.raw_body ?? Buffer.alloc(0));
  return { actor, key, fingerprint: request.field?.fingerprint ?? ofBody() };
}

function send(reply: FastifyReply, done: Answer): FastifyReply {
  reply.code(done.status).header('X-Request-Id', done.requestId).headers(done.headers);
  if (done.body.length === 0) return reply.send();
  if (done.headers['Content-Type'] === undefined) reply.type('application/json; charset=utf-8');
  return reply.send(done.body);
}
