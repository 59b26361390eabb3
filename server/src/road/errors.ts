import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { FilesAway } from '../common/files-away.ts';
import { Refusal } from '../common/refusal.ts';
import { Vanished } from '../store/clocks.ts';
import { CallTookTooLong } from '../store/deadline.ts';
import { Busy, CallerGone, TookTooLong } from '../store/kinds.ts';
import { PRIVATE } from './caching.ts';

const UNREACHABLE = new Set([
  // A standby: the primary is elsewhere, or not chosen yet.
  '25006',
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
  if (error instanceof FilesAway) {
    return new Refusal('unavailable', {
      message: 'Files can’t be stored or read right now. Try again in a moment.',
      log: error.message,
    });
  }
  if (error instanceof CallerGone) log.info({ request_id: requestId, why: refusal.options.log });
  else if (isOverload(error))
    log.warn({ request_id: requestId, why: refusal.options.log }, 'a request was not answered');
  else if (refusal.status >= 500) log.error({ request_id: requestId, err: error }, 'a request failed');
  else if (refusal.options.log !== undefined)
    log.info({ request_id: requestId, code: refusal.code, why: refusal.options.log });
  return refusal;
}

/** Nothing is broken, but the work was too much. */
const isOverload = (error: unknown): boolean =>
  error instanceof TookTooLong || error instanceof Busy || error instanceof CallTookTooLong;

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
  if (error instanceof TookTooLong) {
    return new Refusal('unavailable', {
      message: TOO_LONG[error.kind === 'read' ? 'read' : 'write'],
      log: error.message,
    });
  }
  if (error instanceof CallTookTooLong) {
    return new Refusal('unavailable', {
      message:
        'This took too long, so it’s no longer waited for. Try again in a moment: what was done is answered then, and the rest is done.',
      log: error.message,
      // By then the last statement has reached its limit in most cases.
      headers: { 'Retry-After': '5' },
    });
  }
  if (error instanceof Busy) {
    return new Refusal('unavailable', {
      message:
        'Too many calls are running, so this one wasn’t started. Try again in a moment, with fewer calls at once.',
      log: error.message,
    });
  }
  if (error instanceof FilesAway) {
    return new Refusal('unavailable', {
      message: 'Files can’t be stored or read right now. Try again in a moment.',
      log: error.message,
    });
  }
  if (error instanceof CallerGone) return new Refusal('unavailable', { log: error.message });
  if (isUnreachable(error)) return new Refusal('unavailable', { log: message ?? '' });
  return new Refusal('internal_error');
}

const TOO_LONG = {
  read: 'This took longer than a read may, so it was stopped. Narrow the search or the filters, ask for fewer rows, or try again in a moment.',
  write:
    'This took longer than a change may, so it was stopped and nothing was changed. Try again in a moment, or with less at once.',
};

const LOST =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the database (or Redis) cannot be reached at the moment, or the connection to it broke. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, name, severity } = error as NodeJS.ErrnoException & { severity?: string };
  // This is how PgBouncer says that it has no server, or lost it. From PostgreSQL the code means that we sent nonsense, which is no FATAL.
  if (code === '08P01' && severity === 'FATAL') return true;
  return UNREACHABLE.has(code ?? '') || LOST.test(message) || name === 'MaxRetriesPerRequestError';
}
