import { type Operations, ROUTES } from './operations.generated.ts';
import { Problem, problemOf } from './problem.ts';

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]['input'];
export type Reply<Id extends OperationId> = Operations[Id]['reply'];

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * The `Idempotency-Key` of a POST. Whoever tries the same submission again passes the same key, and the server does it only once.
   * Without one, each call has a key of its own, which is kept while it is retried.
   */
  key?: string;
  /**
   * The `updated_at` of the object as it was read. If it was changed since, a PATCH or DELETE does nothing and is refused with 412.
   */
  ifMatch?: string;
  /** Gets the id that the server gave the request, whether it succeeded or not. */
  onRequestId?: (id: string) => void;
}

/** What the client needs of its surroundings; tests replace it. */
export interface Transport {
  fetch: typeof fetch;
  sleep: (ms: number) => Promise<void>;
}

/** A call without an answer is sent again after these times, or when the server says. Only calls that are safe to repeat are. */
const RETRY_AFTER = [300, 1500];
/** Nobody waits longer than this without being told. */
const MOST_MS = 5_000;

/** Makes a function that calls an operation by its id. A wrong field, a missing one or one too many does not compile. */
export function makeCall(transport: Transport = browser) {
  return async function call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: CallOptions = {},
  ): Promise<Reply<Id>> {
    const request = requestOf(id, input as Loose, options);
    for (let turn = 0; ; turn++) {
      try {
        return (await once(transport, id, request, options)) as Reply<Id>;
      } catch (error) {
        const wait = RETRY_AFTER[turn];
        if (wait === undefined || !request.repeatable || !isLost(error)) throw error;
        const asked = (error.retryAfter ?? 0) * 1000;
        if (asked > MOST_MS) throw error;
        await transport.sleep(Math.max(wait, asked));
        if (options.signal?.aborted) throw aborted(id);
      }
    }
  };
}

const browser: Transport = {
  fetch: (...args) => fetch(...args),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Calls an operation of the server that the page came from. */
export const call = makeCall();

interface Loose {
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  [param: string]: unknown;
}
interface Request {
  url: string;
  init: RequestInit;
  repeatable: boolean;
}

function requestOf(
  id: OperationId,
  { query, body, file, ...params }: Loose,
  { signal, key, ifMatch }: CallOptions,
): Request {
  const [method, path, mediaType] = ROUTES[id];
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method === 'POST') headers['Idempotency-Key'] = key ?? newKey();
  if (ifMatch !== undefined) headers['If-Match'] = `"${ifMatch}"`;
  if (file !== undefined) headers['Content-Type'] = mediaType ?? 'application/octet-stream';
  else if (body !== undefined) headers['Content-Type'] = 'application/json';
  const sent = file ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    url: addressOf(path, params, query),
    // A POST has its key, so the server does it once. A second DELETE would be told that there is nothing to delete.
    repeatable: method === 'GET' || method === 'POST',
    init: {
      method,
      headers,
      credentials: 'same-origin',
      ...(signal !== undefined && { signal }),
      ...(sent !== undefined && { body: sent }),
    },
  };
}

/** The address of an operation below /app/api; every value is escaped, so none can lead elsewhere. */
function addressOf(path: string, params: Record<string, unknown>, query: Record<string, unknown> = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // Browsers resolve these before they send a request, also when they are escaped.
    if (value === '' || value === '.' || value === '..')
      throw new Error(`${path}: ${name} is ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return `/app/api${filled}${search.size === 0 ? '' : `?${search}`}`;
}

async function once(
  transport: Transport,
  id: OperationId,
  { url, init }: Request,
  { onRequestId }: CallOptions,
): Promise<unknown> {
  let response: Response;
  try {
    response = await transport.fetch(url, init);
  } catch (error) {
    throw init.signal?.aborted ? aborted(id) : lost(id, 'unreachable', error);
  }
  const requestId = response.headers.get('x-request-id');
  if (requestId !== null) onRequestId?.(requestId);
  if (!response.ok) throw await problemOf(id, response);
  if (response.status === 204) return undefined;
  try {
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return json ? await response.json() : await response.blob();
  } catch (error) {
    throw init.signal?.aborted ? aborted(id) : lost(id, 'unreachable', error);
  }
}

const lost = (operation: string, code: string, error: unknown): Problem =>
  new Problem({ operation, status: 0, code, message: error instanceof Error ? error.message : String(error) });
const aborted = (operation: string): Problem =>
  new Problem({ operation, status: 0, code: 'aborted', message: 'The call was cancelled.' });

/** No answer came, or one that says that the same request is still running or that the server was too busy for it: safe to ask again. */
const isLost = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.code === 'unreachable' || error.code === 'idempotency_in_progress' || [502, 503, 504].includes(error.status));

/** A new `Idempotency-Key`. `crypto.randomUUID` exists only on https and localhost, so it is made by hand. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
