import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Vanished } from '../store/clocks.ts';
import { PRIVATE } from './caching.ts';
import { Refusal } from './refusal.ts';

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

/** Turns everything that went wrong into the error envelope. This happens nowhere else. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const refusal = loggedRefusal(error, request.id, log);
  if (refusal.code === 'unavailable') reply.header('Retry-After', '1');
  reply
    .code(refusal.status)
    // A handler may have allowed the answer that it did not come to give to be kept.
    .headers({ ...PRIVATE, ...refusal.options.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body(request.id)));
}

/** The refusal that something which went wrong is answered with. What only the log may know is written there. */
export function loggedRefusal(error: unknown, requestId: string, log: Logger): Refusal {
  const refusal = asRefusal(error);
  // The line needs a message of its own. Without one, pino would repeat the full message of the error.
  if (refusal.status >= 500) log.error({ request_id: requestId, err: error }, 'a request failed');
  else if (refusal.options.log !== undefined)
    log.info({ request_id: requestId, code: refusal.code, why: refusal.options.log });
  return refusal;
}

/** The refusal that an error is answered with. */
export function asRefusal(error: unknown): Refusal {
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
    return new Refusal('invalid_state', {
      message: 'Something still refers to this object, so it cannot be deleted. Remove what refers to it first.',
      log: message ?? '',
    });
  }
  if (isUnreachable(error)) return new Refusal('unavailable', { log: message ?? '' });
  return new Refusal('internal_error');
}

const LOST = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the database (or Redis) cannot be reached at the moment, or the connection to it broke. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, name } = error as NodeJS.ErrnoException;
  return UNREACHABLE.has(code ?? '') || LOST.test(message) || name === 'MaxRetriesPerRequestError';
}
