import { encode, search } from './body.ts';
import type { Answer, CallOptions } from './call.ts';
import { ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError } from './errors.ts';
import { ERRORS } from './generated/errors.ts';
import type { ErrorEnvelope } from './generated/schemas.ts';
import { delayOf, isUnsure } from './retries.ts';
import type { Settings } from './settings.ts';
import { sleep } from './sleep.ts';

export interface Request {
  /** As in `registrations.create`. */
  operation: string;
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** The media types of the file that the operation takes. */
  types?: readonly string[];
  /** The answer is a file. */
  bytes?: boolean;
  host?: 'scanner' | 'public';
  keyless?: boolean;
}

interface Received {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Sends a request until it is answered. It keeps the key to itself: no error, log or copy of a client shows it. */
export class Caller {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async send<T>(request: Request, options: CallOptions = {}): Promise<Answer<T>> {
    const { maxRetries, onRetry } = this.#settings;
    const [url, init] = await this.#prepare(request, options);
    let unsure = false;
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#try(request, url, init, options);
      if (!(outcome instanceof TurnoutError)) return answerOf<T>(request, outcome);
      // The first try has deleted it, and only its answer was lost.
      if (unsure && request.method === 'DELETE' && outcome instanceof ApiError && outcome.status === 404) {
        return { data: undefined as T, status: 204, headers: new Headers(), requestId: outcome.requestId };
      }
      unsure ||= isUnsure(outcome);
      const delay = delayOf(outcome, retries);
      if (delay === null || retries >= (options.maxRetries ?? maxRetries)) throw outcome;
      onRetry?.({ operation: request.operation, retry: retries + 1, delay, error: outcome });
      await sleep(delay, options.signal);
    }
  }

  async #prepare(request: Request, options: CallOptions): Promise<[url: string, init: RequestInit]> {
    const { hosts, key, client, userAgent } = this.#settings;
    const { operation, method, body, types } = request;
    if (key === undefined && request.keyless !== true) {
      throw new TurnoutError(
        `${operation} needs a key: new Turnout({ key, baseUrl }). Without one, only publicEvents works.`,
      );
    }
    const encoded = 'body' in request ? await encode(body, types) : null;
    const headers = new Headers({ ...options.headers, accept: request.bytes === true ? '*/*' : 'application/json' });
    if (key !== undefined && request.host !== 'public') {
      headers.set('authorization', `Bearer ${key}`);
      // Only beside a key: in a browser, a public document would have to be asked for twice because of these.
      headers.set('user-agent', userAgent);
      if (client !== undefined) headers.set('x-service-client', client);
    }
    if (encoded !== null) headers.set('content-type', encoded.type);
    // The same for all tries, so that the work is done once.
    if (method === 'POST') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    const url = hosts[request.host ?? 'api'] + request.path + search(request.query);
    // A redirect is not followed: the API has none, and the key belongs to one host.
    return [url, { method, headers, body: encoded?.body ?? null, redirect: 'manual' }];
  }

  /** One try. Failures that may pass are values; what your own signal says is thrown. */
  async #try(
    { operation }: Request,
    url: string,
    init: RequestInit,
    { signal, timeout = this.#settings.timeout }: CallOptions,
  ): Promise<Received | TurnoutError> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const end = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    const late = new TimeoutError(operation, `${operation} was not answered within ${timeout} ms.`);
    const timer = setTimeout(() => controller.abort(late), timeout);
    try {
      const response = await this.#settings.fetch(url, { ...init, signal: controller.signal });
      const { status, headers } = response;
      const received = { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
      return status >= 200 && status < 300 ? received : refusalOf(operation, received);
    } catch (error) {
      signal?.throwIfAborted();
      if (controller.signal.aborted) return late;
      return new ConnectionError(operation, `${operation} was not answered: ${wordsOf(error)}`, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}

/** `fetch` says only that it failed; the cause says why. */
function wordsOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const requestIdOf = (headers: Headers): string | null => headers.get('x-request-id');

function answerOf<T>({ operation, bytes: asBytes }: Request, { status, headers, bytes }: Received): Answer<T> {
  const requestId = requestIdOf(headers);
  if (asBytes === true) return { data: bytes as T, status, headers, requestId };
  if (bytes.length === 0) return { data: undefined as T, status, headers, requestId };
  try {
    return { data: JSON.parse(textOf(bytes)) as T, status, headers, requestId };
  } catch (cause) {
    throw new ConnectionError(
      operation,
      `${operation} was answered with something that is not JSON. Is baseUrl right?`,
      cause,
    );
  }
}

function refusalOf(operation: string, { status, headers, bytes }: Received): TurnoutError {
  if (status === 304) return new NotModifiedError(`${operation}: nothing has changed.`);
  const error = errorIn(bytes);
  const parts = { status, error, operation, retryAfter: retryAfterOf(headers), requestId: requestIdOf(headers) };
  // Own fields only: a code is the server's text, and `constructor` is not a class of ours.
  const Known = error !== null && Object.hasOwn(ERRORS, error.code) ? ERRORS[error.code]! : ApiError;
  return new Known(parts);
}

function errorIn(bytes: Uint8Array): ErrorEnvelope['error'] | null {
  try {
    const { error } = JSON.parse(textOf(bytes)) as ErrorEnvelope;
    return typeof error?.code === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** In seconds. The header has a number of seconds or a date. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
