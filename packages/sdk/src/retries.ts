import { ApiError, ConnectionError, type TurnoutError } from './errors.ts';

const FIRST_MS = 500;
const LONGEST_MS = 10_000;
/** A longer `Retry-After` is not waited for; the program gets the error and decides. The limit of calls has windows of a minute. */
const PATIENCE_MS = 120_000;

/**
 * In how many milliseconds to try again; null if trying again does not help.
 *
 * Every call may be repeated: reading changes nothing, a POST has its `Idempotency-Key`, PUT and PATCH set values that are the same the
 * second time, and what DELETE has removed stays removed.
 */
export function delayOf(failure: TurnoutError, retries: number, random: () => number = Math.random): number | null {
  if (failure instanceof ConnectionError) return backOff(retries, random);
  if (!(failure instanceof ApiError) || !isPassing(failure)) return null;
  if (failure.retryAfter === null) return backOff(retries, random);
  const wait = failure.retryAfter * 1000;
  // Somewhat later than asked, so that many programs that were refused together do not come back together.
  return wait > PATIENCE_MS ? null : wait + random() * Math.min(1000, 100 + wait / 10);
}

/** Doubles each time, from between a half and all of it. */
function backOff(retries: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** retries);
  return longest * (0.5 + random() / 2);
}

function isPassing({ status, code }: ApiError): boolean {
  // The month's calls are used up; the 1st of the next month is too far to wait for.
  if (code === 'quota_exceeded') return false;
  return status === 408 || status === 429 || status >= 500 || code === 'idempotency_in_progress';
}

/** Whether the server may have done the work although the answer failed. */
export const isUnsure = (failure: TurnoutError): boolean =>
  failure instanceof ConnectionError || (failure instanceof ApiError && failure.status >= 500);
