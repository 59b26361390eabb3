import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { newUlid } from '../common/ids.ts';
import { tracing } from '../common/tracing.ts';
import { PRIVATE } from './caching.ts';
import { answerError } from './errors.ts';
import type { Links } from './for-areas/links.ts';
import { frameworkLog, logRequest } from './log.ts';
import type { Measures } from './measures.ts';
import { MOUNTS, mountOf, urlOf } from './mounts.ts';
import type { Operation } from './operation.ts';
import { Edge, type EdgeLimits } from './request/edge.ts';
import { takeJson } from './request/json-body.ts';
import { Offered } from './request/offered.ts';
import { type RouteConfig, turnAway, turnOtherMethodsAway } from './request/unknown-address.ts';
import { takeFiles } from './request/upload.ts';
import { addRoute, BODY_LIMIT, type RouteParts } from './route.ts';
import { traceRequests } from './traced-requests.ts';

export { SESSION_COOKIE } from './gate/identify.ts';

export interface RouterParts extends RouteParts {
  operations: readonly Operation[];
  links: Links;
  log: Logger;
  measures: Measures;
  limits?: Partial<EdgeLimits>;
  trustedProxies?: string[];
  /** Where a request goes, instead of to its address. */
  rewriteUrl?: (request: IncomingMessage) => string;
}

export interface Router {
  app: FastifyInstance;
  /** Answers go on, each as the last one of its connection. */
  leave: () => void;
  close: () => Promise<void>;
  /** For addresses that are no operation of the road: methods that they do not take are refused with 405, like those of the road. */
  turnOtherMethodsAway: (urls: readonly string[]) => void;
}

export function makeRouter(parts: RouterParts): Router {
  const { operations } = parts;
  const offered = new Offered();
  const edge = makeEdge(parts, offered);
  const app = makeApp(parts, offered, edge);
  app.decorateRequest('road', null);
  app.decorateRequest('raw_body');
  app.decorateRequest('flight', null);
  app.decorateRequest('span', null);
  takeJson(app);
  takeFiles(app);
  if (tracing !== null) traceRequests(app, tracing);
  addHooks(app, parts, offered, edge);
  for (const mount of MOUNTS) {
    for (const operation of operations) if (mount.offers(operation)) addRoute(app, parts, mount, operation);
  }
  const turnAwayAt = (urls: readonly string[]) => turnOtherMethodsAway(app, parts, offered, urls);
  turnAwayAt(
    MOUNTS.flatMap((mount) =>
      operations.filter((one) => mount.offers(one)).map((operation) => urlOf(mount, operation)),
    ),
  );
  return { app, leave: () => edge.leave(), close: () => edge.close(app), turnOtherMethodsAway: turnAwayAt };
}

function makeEdge({ clock, log, measures, limits }: RouterParts, offered: Offered): Edge {
  return new Edge({
    ...(limits && { limits }),
    offered,
    newId: () => newUlid(clock.now()),
    answered: (id, { code, status }) => {
      measures.request('none', status, 0);
      log.info({ request_id: id, code, status, route: 'none' });
    },
  });
}

function makeApp(parts: RouterParts, offered: Offered, edge: Edge): FastifyInstance {
  const { clock, log } = parts;
  return Fastify({
    loggerInstance: frameworkLog(log),
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => edge.serve(listener),
    clientErrorHandler: () => {}, // the edge answers these
    genReqId: () => newUlid(clock.now()),
    bodyLimit: BODY_LIMIT,
    trustProxy: parts.trustedProxies ?? false,
    ...(parts.rewriteUrl && { rewriteUrl: parts.rewriteUrl }),
    routerOptions: { maxParamLength: 16_000, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    // Fastify runs no hooks for an address that is not a URL, so this does what they would do.
    frameworkErrors: (_error, request, reply) => {
      request.road = null;
      reply.raw.once('finish', () => finish(parts, edge, request, reply));
      begin(edge, request, reply);
      turnAway(parts, offered, request, reply).catch((error) => answerError(error, request, reply, log));
    },
    return503OnClosing: false,
  });
}

function addHooks(app: FastifyInstance, parts: RouterParts, offered: Offered, edge: Edge): void {
  app.addHook('onRequest', (request, reply, done) => {
    begin(edge, request, reply);
    if (request.is404) turnAway(parts, offered, request, reply).catch(done);
    else done();
  });
  // This runs after the hooks that identify the caller, so that its refusals also carry the true rate of the key.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      edge.requireValidHttp(request);
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onResponse', (request, reply, done) => {
    finish(parts, edge, request, reply);
    done();
  });
  app.addHook('onRoute', ({ url, method, config }) => {
    if ((config as RouteConfig | undefined)?.turnsAway !== true) offered.add(url, method);
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, parts.log));
}

function begin(edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  edge.began(request, reply);
  reply.headers(PRIVATE).header('X-Request-Id', request.id);
  // Until the key is known, its limits are 0.
  if (mountOf(request.url)?.takesKeys) reply.header('X-RateLimit-Limit', '0').header('X-RateLimit-Remaining', '0');
}

function finish({ log, links, measures }: RouterParts, edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  edge.answered(request);
  const operation = request.road?.operation?.id ?? request.routeOptions.url ?? 'none';
  measures.request(operation, request.road?.status ?? reply.statusCode, reply.elapsedTime);
  logRequest(log, links, request, reply);
}
