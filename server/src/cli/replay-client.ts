import { randomUUID } from 'node:crypto';

/** The API refused a call. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(what: string, status: number, code: string, message: string) {
    super(`${what}: ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }

  /** The key or its plan was refused, so every further call would be refused, too. */
  get ofTheKey(): boolean {
    return this.status === 401 || this.status === 403 || this.code === 'quota_exceeded';
  }
}

/** Nothing answers at the address, or something other than this API. */
export class Unreachable extends Error {}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {}

export type Mode = 'live' | 'test';
export type Json = Record<string, unknown>;

export interface ClientOptions {
  /** With or without `/v1`. */
  url: string;
  keys: Record<Mode, string>;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

const TRIES = 5;
const TIMEOUT_MS = 60_000;
const OUTAGE = new Set([502, 503, 504]);

/** A client of the published API. It sends an idempotency key with every POST, and waits and retries when the API asks for it. */
export class Client {
  readonly base: string;
  readonly #options: ClientOptions;
  readonly #freeAt: Record<Mode, number> = { live: 0, test: 0 };
  calls = 0;

  constructor(options: ClientOptions) {
    this.base = baseOf(options.url);
    this.#options = options;
  }

  get<T>(path: string, mode: Mode = 'live'): Promise<T> {
    return this.#call<T>('GET', path, undefined, mode);
  }
  post<T>(path: string, body: Json = {}, mode: Mode = 'live'): Promise<T> {
    return this.#call<T>('POST', path, body, mode);
  }
  delete(path: string): Promise<unknown> {
    return this.#call('DELETE', path, undefined, 'live');
  }

  /** Makes one call, sending it again if necessary. The same idempotency key makes the retries safe. */
  async #call<T>(method: string, path: string, body: Json | undefined, mode: Mode): Promise<T> {
    const what = `${method} ${this.base}${path}`;
    const headers = {
      authorization: `Bearer ${this.#options.keys[mode]}`,
      ...(method === 'POST' && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
    };
    for (let failed = 0; ; ) {
      await this.#turn(mode);
      const { status, text, wait } = await this.#send(method, path, headers, body);
      const answer = jsonOf(text);
      if (status >= 200 && status < 300 && (status === 204 || answer !== null)) return answer as T;
      const error = answer?.error as ErrorBody | undefined;
      if (status === 429 && error?.code === 'rate_limited') {
        this.#hold(mode, wait ?? 1);
        continue;
      }
      const passing = status === 0 || OUTAGE.has(status) || error?.code === 'idempotency_in_progress';
      failed += 1;
      if (!passing || failed === TRIES) {
        if (error?.code !== undefined) throw new Refused(what, status, error.code, wordsOf(error));
        const said = status === 0 ? text : `answered ${status}, but not in the way of this API`;
        throw new Unreachable(`${this.base}${path}: ${said}`);
      }
      await this.#sleep((wait ?? 0.25 * 2 ** failed) * 1000);
    }
  }

  async #send(method: string, path: string, headers: Record<string, string>, body: Json | undefined) {
    this.calls += 1;
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const { signal } = this.#options;
    try {
      const response = await fetch(this.base + path, {
        method,
        headers,
        redirect: 'manual',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const after = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        status: response.status,
        text: await response.text(),
        wait: Number.isFinite(after) ? Math.max(0, after) : null,
      };
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
      return { status: 0, text: `no answer (${cause?.code ?? cause?.message ?? message})`, wait: null };
    }
  }

  /** Lets all calls with this key wait, and says so once. */
  #hold(mode: Mode, seconds: number): void {
    const until = Date.now() + seconds * 1000;
    if (this.#freeAt[mode] < Date.now()) {
      this.#options.say(`the ${mode} key's requests of this minute are used up; continuing in ${Math.ceil(seconds)} s`);
    }
    this.#freeAt[mode] = Math.max(this.#freeAt[mode], until);
  }

  async #turn(mode: Mode): Promise<void> {
    this.#options.signal?.throwIfAborted();
    for (;;) {
      const wait = this.#freeAt[mode] - Date.now();
      if (wait <= 0) return;
      await this.#sleep(wait);
    }
  }

  #sleep(ms: number): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      const stopped = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stopped);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stopped, { once: true });
    });
  }
}

interface ErrorBody {
  code?: string;
  message?: string;
  details?: { path: string; message: string }[];
}
const wordsOf = ({ message = '', details = [] }: ErrorBody): string =>
  [message, ...details.map((fault) => `${fault.path} ${fault.message}`)].join(' | ');

export function baseOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new Unreachable(`${url} is not an address. An example of one is http://localhost:3000`);
  }
  return `${parsed.origin}${parsed.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`;
}

function jsonOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Handles the items in order, at most `atOnce` at a time. The first failure ends it. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let over = false;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of queue) {
        if (over) return;
        try {
          await work(item);
        } catch (error) {
          over = true;
          throw error;
        }
      }
    }),
  );
}
