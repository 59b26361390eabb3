import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isUlid } from '../common/ids.ts';
import type { Links } from './for-areas/links.ts';

/**
 * Logs a request by the pattern of its route, never by its address or query: these contain tokens of signed links, ticket codes and
 * e-mail addresses. Of the path only ids are shown, and of a signed link its kind and the id of what it opens.
 */
export function logRequest(log: Logger, links: Links, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'none';
  const caller = request.road?.caller;
  log.info({
    request_id: request.id,
    method: request.method,
    route,
    ...namedIn(request.params as Record<string, string> | null, route, links),
    operation: request.road?.operation?.id ?? route,
    status: request.road?.status ?? reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(caller && { org: caller.org.code, actor: caller.actor.id }),
    ...(request.span && { trace_id: request.span.traceId, span_id: request.span.spanId }),
  });
}

const LINK = /^\/links\/(\w+)\/:token$/;

function namedIn(params: Record<string, string> | null, route: string, links: Links): object {
  const kind = LINK.exec(route)?.[1];
  if (kind !== undefined) return { link: { kind, id: links.idOf(params?.token ?? '') } };
  const ids = Object.entries(params ?? {}).filter(([, value]) => isUlid(value));
  return ids.length === 0 ? {} : { at: Object.fromEntries(ids) };
}

interface Thrown {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  severity?: unknown;
  constraint?: unknown;
  table?: unknown;
  column?: unknown;
  stack?: unknown;
  cause?: unknown;
}

/**
 * An error as the log shows it, with only those fields that hold no data of callers. PostgreSQL adds the row that it refused
 * (`detail`, `where`) to its errors, and Fastify the address.
 */
export function loggedError(error: unknown, depth = 0): object {
  if (typeof error !== 'object' || error === null) return { message: typeof error };
  const { name, message, code, severity, constraint, table, column, stack, cause } = error as Thrown;
  return {
    type: name,
    message: messageOf(String(message ?? ''), code),
    ...known({ code, severity, constraint, table, column }),
    stack: String(stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(cause !== undefined && depth < 3 && { cause: loggedError(cause, depth + 1) }),
  };
}

const known = (fields: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));

/** Removes data from a message: PostgreSQL quotes the value that it could not read (class 22), and Fastify the address. */
function messageOf(message: string, code: unknown): string {
  if (typeof code !== 'string') return message;
  if (code.startsWith('FST_')) return '';
  return /^22...$/.test(code) ? message.replaceAll(/"[^"]*"/g, '"…"').replace(/".*/s, '"…"') : message;
}

/** The logger for Fastify itself. It logs errors like ours, and drops Fastify's sentences, because they contain addresses. */
export function frameworkLog(log: Logger): FastifyBaseLogger {
  const at =
    (level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace') =>
    (given: unknown): void => {
      if (typeof given !== 'object' || given === null) return;
      const { err } = given as { err?: { code?: unknown } };
      if (err === undefined) return;
      // This happens when a request that ran out of time is answered while its body is still being read.
      const quiet = err.code === 'FST_ERR_REP_ALREADY_SENT';
      log[quiet ? 'debug' : level]({ from: 'fastify', err }, 'Fastify reports');
    };
  const voice = {
    level: log.level,
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    silent: () => {},
    child: () => voice,
  };
  return voice as unknown as FastifyBaseLogger;
}
