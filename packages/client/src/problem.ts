/** One thing that is wrong with a field: `path` is where it stands in the body, such as `days/0/name`. */
export interface Detail {
  path: string;
  message: string;
  /** The rule that was broken, where it is a common one, and the number that it is about. */
  rule?: string;
  limit?: number;
}

/** A call that did not succeed: a refusal of the server, or no answer. `code` is one of the catalogue, or says why no answer came. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[];
  readonly requestId: string | null;
  /** When it may be tried again, in seconds, where the server says so. */
  readonly retryAfter: number | null;
  /** The operation that was called. */
  readonly operation: string;

  constructor(of: {
    status: number;
    code: string;
    message: string;
    operation: string;
    details?: readonly Detail[];
    requestId?: string | null;
    retryAfter?: number | null;
  }) {
    super(of.message);
    this.status = of.status;
    this.code = of.code;
    this.operation = of.operation;
    this.details = of.details ?? [];
    this.requestId = of.requestId ?? null;
    this.retryAfter = of.retryAfter ?? null;
  }

  /** No answer came, so nobody knows whether the server did it. */
  get unanswered(): boolean {
    return this.status === 0;
  }

  /** It says nothing about the call itself: there was no answer, too many calls, or a server that could not. The same call may work soon. */
  get passing(): boolean {
    return this.unanswered || this.status === 429 || this.status >= 500;
  }
}

interface Envelope {
  error?: { code?: string; message?: string; details?: unknown; request_id?: string };
}

/** Reads a refusal. A proxy in between may have answered with something else; that becomes `unavailable` or `unreadable`. */
export async function problemOf(operation: string, response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as Envelope | null;
  const error = body?.error;
  const wait = Number(response.headers.get('retry-after'));
  return new Problem({
    operation,
    status: response.status,
    code: error?.code ?? (response.status >= 500 ? 'unavailable' : 'unreadable'),
    message: error?.message ?? `The server answered with status ${response.status}.`,
    details: Array.isArray(error?.details) ? error.details.filter(isDetail) : [],
    requestId: error?.request_id ?? response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
  });
}

const isDetail = (one: unknown): one is Detail =>
  typeof (one as Detail | null)?.path === 'string' && typeof (one as Detail).message === 'string';
