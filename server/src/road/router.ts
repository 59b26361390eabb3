import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import Type, { type TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import { Vanished } from '../store/clocks.ts';
import { newUlid } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { addressAllowed } from './addresses.ts';
import type { Answer } from './answer.ts';
import { deviceToken, findDevice, findMember, type Keys } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { requireClientApps, requireEntitlement } from './entitlements.ts';
import { fileFieldHook } from './file-field.ts';
import { type Claim, fingerprint } from './idempotency.ts';
import type { License } from './license.ts';
import type { Measures } from './measures.ts';
import type { Method, Operation, Upload } from './operation.ts';
import { requireQuota, type Warning, warningDue } from './quota.ts';
import type { RateStore } from './rates.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Road } from './road.ts';
import { requireDevicePace, requireScannerVersion } from './scanners.ts';
import { takeFiles, uploadOf } from './upload.ts';
import { badText, bodyCheck, type Check, queryCheck } from './validate.ts';

export interface RouterParts {
  operations: readonly Operation[];
  road: Road;
  keys: Keys;
  rates: RateStore;
  license: License;
  pool: Pool;
  clock: Clock;
  log: Logger;
  measures: Measures;
  /** Owners hear at 80 % and 100 % of the month's calls. */
  warn: (caller: Caller, warning: Warning) => void;
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
  }
}

const BODY_LIMIT = 1_048_576;
const MAX_REFERENCE = 500;
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
export const SESSION_COOKIE = 'turnout_session';

export function makeRouter(parts: RouterParts): FastifyInstance {
  const { clock, log, measures } = parts;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newUlid(clock.now()),
    bodyLimit: BODY_LIMIT,
    trustProxy: parts.trustedProxies ?? false,
    routerOptions: { maxParamLength: 16_000, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    // An address that is no URL never reaches a hook.
    frameworkErrors: (_error, request, reply) => {
      reply.header('X-Request-Id', request.id).header('X-RateLimit-Limit', '0').header('X-RateLimit-Remaining', '0');
      answerError(new Refusal('not_found', { message: 'There is nothing at this address.' }), request, reply, log);
    },
    // Our own check runs in the handler's place of the road; Fastify's would strip, coerce and stop early.
    return503OnClosing: false,
  });
  app.decorateRequest('road', null);
  app.decorateRequest('raw_body');
  takeJson(app);
  takeFiles(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    if (/^\/(api\/)?v1(\/|$|\?)/.test(request.url)) {
      reply.header('X-RateLimit-Limit', '0').header('X-RateLimit-Remaining', '0');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.road?.operation.id ?? request.routeOptions.url ?? 'none';
    measures.request(operation, reply.statusCode, reply.elapsedTime);
    log.info({
      request_id: request.id,
      method: request.method,
      path: request.url.split('?')[0],
      operation,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.road?.caller && { org: request.road.caller.org.code, actor: request.road.caller.actor.id }),
    });
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => {
    answerError(new Refusal('not_found', { message: 'There is nothing at this address.' }), request, reply, log);
  });

  const offered = new Map<string, Set<Method>>();
  for (const mount of MOUNTS) {
    for (const operation of parts.operations) {
      if (!mount.offers(operation)) continue;
      const url = mount.prefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      const shape = url.replaceAll(/:\w+/g, ':');
      offered.set(shape, (offered.get(shape) ?? new Set()).add(operation.method));
      pave(app, parts, mount, operation, url);
    }
  }
  refuseOtherMethods(app, parts.operations, offered);
  return app;
}

/** JSON, as bytes first: the fingerprint of a retry is over what was sent. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(.+\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    request.raw_body = body as Buffer;
    if (body.length === 0) return done(null, undefined);
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

/** One operation on one mount: every step of the road in its order (docs/architecture.md). */
function pave(app: FastifyInstance, parts: RouterParts, mount: Mount, operation: Operation, url: string): void {
  const checkBody = operation.body === undefined ? null : bodyCheck(operation.body);
  const checkQuery = queryCheck(operation.query ?? (Type.Object({}, { additionalProperties: false }) as TSchema));
  app.route({
    method: operation.method,
    url,
    ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
    ...(operation.file !== undefined && {
      preParsing: fileFieldHook(operation.file, operation.bodyLimit ?? BODY_LIMIT),
      onError: async (request) => request.field?.discard(),
    }),
    onRequest: async (request, reply) => {
      request.road = { caller: null, client: clientName(request), operation };
      const caller = await identify(parts, mount, request, reply);
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
        const body = checked(operation, request, checkBody, checkQuery);
        const done = await parts.road.perform({
          operation,
          caller: caller!,
          params: request.params as Record<string, string>,
          query: request.query,
          body,
          file: fileIn(operation, request, body),
          requestId: request.id,
          client,
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

async function identify(
  parts: RouterParts,
  mount: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { pool, clock, keys, rates } = parts;
  if (mount.prefix === '/app/api') return findMember(pool, clock, cookie(request.headers.cookie, SESSION_COOKIE));
  if (mount.prefix === '/api/v1') requireScannerVersion(request.headers['x-scanner-version']);
  const device = deviceToken(request.headers.authorization);
  if (device !== null && mount.prefix === '/api/v1') {
    const caller = await findDevice(pool, clock, device);
    if (request.road!.operation.id === 'scanTicket') requireDevicePace(caller, clock);
    return caller;
  }

  const { caller, allowedAddresses, warned } = await keys.find(request.headers.authorization);
  request.road!.caller = caller; // the log names who was refused below
  const { actor, org } = caller;
  if (actor.kind !== 'key') throw new Error('a key was expected');
  const limit = actor.requestsPerMinute;
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', limit);
  if (!addressAllowed(request.ip, allowedAddresses)) {
    keys.count(org.id); // refused, but neither 401 nor 429: it counts
    refuse('api_key_ip_not_allowed', { log: `from ${request.ip}` });
  }
  const window = await rates.take(actor.id);
  reply.header('X-RateLimit-Remaining', Math.max(0, limit - window.calls));
  if (window.calls > limit) {
    const wait = Math.max(1, Math.ceil((window.resetsAt - clock.now().getTime()) / 1000));
    refuse('rate_limited', {
      message: `More than ${limit} requests in this minute. Wait ${wait} s.`,
      headers: { 'Retry-After': String(wait) },
    });
  }
  requireQuota(caller);
  const warning = warningDue(caller, warned);
  keys.count(org.id);
  caller.usage.calls += 1;
  if (warning !== null) parts.warn(caller, warning);
  return caller;
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

function clientName(request: FastifyRequest): string | null {
  const value = request.headers['x-service-client'];
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : null;
}

function checked(operation: Operation, request: FastifyRequest, checkBody: Check | null, checkQuery: Check): unknown {
  // PostgreSQL knows no U+0000: nothing can be called so.
  const params = Object.values(request.params as Record<string, string>);
  if (params.some((value) => value.includes('\u0000') || value.length > MAX_REFERENCE)) refuse('not_found');
  const faults = checkQuery(request.query);
  for (const [path, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (String(value).includes('\u0000')) faults.push({ path, message: 'must not contain U+0000' });
  }
  let body = request.body;
  if (checkBody === null) {
    const empty = body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
    if (!empty) faults.push({ path: '', message: 'this operation takes no body' });
  } else if (request.upload !== null) {
    body = {};
  } else {
    body ??= {};
    faults.push(...checkBody(body));
  }
  if (faults.length > 0) {
    const named = faults.slice(0, 3).map((fault) => `${fault.path || 'body'} ${fault.message}`);
    refuse('validation_failed', { message: `The request is not valid: ${named.join('; ')}.`, details: faults });
  }
  return operation.method === 'GET' ? undefined : body;
}

/** The file of the call: the body itself, a part of it, or a text in it. */
function fileIn({ file }: Operation, request: FastifyRequest, body: unknown): Upload | null {
  if (file === undefined) return null;
  return request.upload ?? request.field?.upload ?? uploadOf((body as Record<string, string>)[file.field]!, file);
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function claimOf(request: FastifyRequest, operation: Operation, caller: Caller): Claim | null {
  if (operation.method !== 'POST') return null;
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return refuse('idempotency_key_required');
  if (!KEY.test(key)) {
    return refuse('validation_failed', {
      details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
    });
  }
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

/** A known address with another method is 405 and says which it takes. */
function refuseOtherMethods(
  app: FastifyInstance,
  operations: readonly Operation[],
  offered: Map<string, Set<Method>>,
): void {
  const urls = new Map<string, string>();
  for (const mount of MOUNTS) {
    for (const operation of operations) {
      if (!mount.offers(operation)) continue;
      const url = mount.prefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      const shape = url.replaceAll(/:\w+/g, ':');
      if (!urls.has(shape)) urls.set(shape, url);
    }
  }
  for (const [shape, url] of urls) {
    const allowed = offered.get(shape)!;
    const method = METHODS.filter((name) => !allowed.has(name));
    if (method.length === 0) continue;
    app.route({
      method,
      url,
      onRequest: async () =>
        refuse('method_not_allowed', {
          message: `This address takes ${[...allowed].join(', ')}.`,
          headers: { Allow: [...allowed].join(', ') },
        }),
      handler: async () => undefined,
    });
  }
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '3D000',
  '08006',
  '08001',
  '08003',
  '08004',
]);

/** The one place where anything that went wrong becomes the envelope. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const refusal = asRefusal(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error });
  else if (refusal.options.log !== undefined)
    log.info({ request_id: request.id, code: refusal.code, why: refusal.options.log });
  if (refusal.code === 'unavailable') reply.header('Retry-After', '1');
  reply
    .code(refusal.status)
    .headers(refusal.options.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body(request.id)));
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Vanished) return new Refusal('not_found');
  const { code, message, statusCode } = error as { code?: string; message?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || statusCode === 400) {
    return new Refusal('validation_failed', {
      details: [{ path: '', message: message ?? 'the request is not valid' }],
    });
  }
  if (code === '23503' || code === '23001') {
    return new Refusal('invalid_state', { message: 'Something still refers to this object.', log: message ?? '' });
  }
  const lost =
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;
  if (UNREACHABLE.has(code ?? '') || lost.test(message ?? '') || (error as Error).name === 'MaxRetriesPerRequestError')
    return new Refusal('unavailable', { log: message ?? '' });
  return new Refusal('internal_error');
}

function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
