import type { ErrorEnvelope, FaultDetail } from './generated/schemas.ts';

/** Everything that this library throws, apart from a `TypeError` if a call is written wrongly and the reason of your own `AbortSignal`. */
export class TurnoutError extends Error {
  override readonly name: string = 'TurnoutError';
}

/** What an answer said. */
export interface ApiErrorParts {
  status: number;
  /** The `error` of the answer. Null if the answer was not made by Turnout, such as the page of a proxy. */
  error: ErrorEnvelope['error'] | null;
  requestId: string | null;
  operation: string;
  retryAfter: number | null;
}

/**
 * The API refused the call. Each code that this version knows has a class of its own (`DayFullError`); a code that was added later is a
 * plain `ApiError`.
 */
export class ApiError extends TurnoutError {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** Decide by this. If the answer was not made by Turnout, it is `http_502` and the like. */
  readonly code: string;
  /** Every fault of the request, with its place. */
  readonly details: readonly FaultDetail[];
  /** Name it when you ask for help. */
  readonly requestId: string | null;
  /** What was called, such as `registrations.create`. */
  readonly operation: string;
  /** In how many seconds it may be tried again, if the answer said so. */
  readonly retryAfter: number | null;
  /** The whole `error` of the answer, with fields such as `upgrade_plan` and those that were added later. */
  readonly error: ErrorEnvelope['error'] | null;

  constructor({ status, error, requestId, operation, retryAfter }: ApiErrorParts) {
    super(messageOf(status, error));
    this.status = status;
    this.code = typeof error?.code === 'string' ? error.code : `http_${status}`;
    this.details = Array.isArray(error?.details) ? error.details : [];
    this.requestId = requestId;
    this.operation = operation;
    this.retryAfter = retryAfter;
    this.error = error;
  }
}

const SHOWN = 5;

/** The faults belong to the message, because a log often shows nothing else. */
function messageOf(status: number, error: ErrorEnvelope['error'] | null): string {
  if (error === null) return `The answer has the status ${status} and does not come from Turnout.`;
  const details = Array.isArray(error.details) ? error.details : [];
  const faults = details.slice(0, SHOWN).map(({ path, message }) => `${path}: ${message}`);
  if (details.length > SHOWN) faults.push(`and ${details.length - SHOWN} more`);
  return faults.length === 0 ? `${error.message}` : `${error.message} (${faults.join('; ')})`;
}

/** No answer arrived: the address is wrong, the server is down, or the connection was cut. Look at `cause`. */
export class ConnectionError extends TurnoutError {
  override readonly name: string = 'ConnectionError';
  readonly operation: string;
  constructor(operation: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.operation = operation;
  }
}

/** The answer took longer than `timeout`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** 304: nothing has changed since the answer whose `ETag` was sent as `If-None-Match`. */
export class NotModifiedError extends TurnoutError {
  override readonly name = 'NotModifiedError';
}
