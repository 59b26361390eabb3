import { orgOf } from './session-token.ts';
import { VERSION } from './version.ts';

/** What became of a call. Only an answer in the expected form counts as one: networks that ask for a sign-in answer everything. */
export type Outcome<T> =
  | { readonly kind: 'answer'; readonly body: T; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'none'; readonly why: string };

export interface CallRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter: number | null;
}

export interface Call<T> {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/api/v1`, or what members have instead. */
  readonly path: string;
  readonly token: string | null;
  readonly body?: string;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly etag?: string | null;
  readonly timeout: number;
  /** Reads the answer; null if it is not what it should be. */
  readonly read: (json: unknown) => T | null;
}

export async function call<T>(request: Call<T>): Promise<Outcome<T>> {
  try {
    const signal = AbortSignal.timeout(request.timeout);
    const org = orgOf(request.token);
    const response = await fetch(`${org === null ? '/api/v1' : `/app/api/${org}`}${request.path}`, {
      method: request.method,
      headers: headersOf(request),
      ...(request.body !== undefined && { body: request.body }),
      // An answer from elsewhere is not from our server.
      redirect: 'error',
      credentials: org === null ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (response.status === 304 && request.etag != null) return { kind: 'unchanged' };
    if (response.status >= 500) return { kind: 'none', why: `status ${response.status}` };
    const json: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) {
      const body = request.read(json);
      if (body === null) return { kind: 'none', why: 'an answer of another form' };
      return { kind: 'answer', body, etag: response.headers.get('etag') };
    }
    const refusal = refusalOf(response, json);
    return refusal === null ? { kind: 'none', why: `status ${response.status}` } : { kind: 'refused', refusal };
  } catch (error) {
    return { kind: 'none', why: String((error as Error)?.message ?? error) };
  }
}

function headersOf({ token, body, key, etag }: Call<unknown>): Record<string, string> {
  return {
    'X-Scanner-Version': VERSION,
    ...(token !== null && orgOf(token) === null && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(etag != null && { 'If-None-Match': etag }),
  };
}

/** A refusal of our server has a code and a message. Anything else is from somebody in between. */
export function refusalOf(response: { status: number; headers: Headers }, json: unknown): CallRefusal | null {
  const error = (json as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return null;
  const wait = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    code: error.code,
    message: error.message,
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
  };
}
