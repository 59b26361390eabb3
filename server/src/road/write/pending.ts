import { type Span, tracing } from '../../common/tracing.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { Answer } from '../answer.ts';
import type { Caller } from '../caller.ts';
import type { Operation, Upload } from '../operation.ts';
import type { Claim } from './idempotency.ts';

/** A call that has passed every check that comes before the work. */
export interface CheckedCall {
  operation: Operation;
  caller: Caller;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file: Upload | null;
  requestId: string;
  client: string | null;
  claim: Claim | null;
  ifNoneMatch?: string | undefined;
  ifMatch?: string | undefined;
  /** Aborted when nobody waits for the answer any more: the caller has hung up, or was told that it takes too long. */
  signal?: AbortSignal | undefined;
  /** After it, what has begun is stopped before its next statement. */
  deadline?: Deadline | undefined;
}

/** A writing call that waits for its answer. The code that runs it stores the answer or the error here. */
export interface PendingCall {
  call: CheckedCall;
  /**
   * What the operation's `before` brought back. A refusal is not thrown at once but by the work, so that it is stored like the
   * refusals of the work itself.
   */
  beforeResult: unknown;
  answer: Answer | null;
  error: unknown;
  /** Set when another process holds the claim of this call. The call then goes on by itself and its lane does not wait for it. */
  later: Promise<void> | null;
  /** The span that the call is part of, and when it came here. */
  span: Span | null;
  since: number;
}

export const pendingCall = (call: CheckedCall): PendingCall => ({
  call,
  beforeResult: undefined,
  answer: null,
  error: null,
  later: null,
  span: tracing === null ? null : tracing.current,
  since: tracing === null ? 0 : performance.now(),
});
