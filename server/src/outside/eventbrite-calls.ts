import { setTimeout as sleep } from 'node:timers/promises';
import { type Opening, PlatformError } from './platforms.ts';

export interface EventbriteOptions {
  /** The address of a test double or proxy, if not Eventbrite's own. */
  apiUrl?: string;
  /** The pause between two requests. */
  spacingMs?: number;
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
  background?: Patience;
}
/** How long to wait for an answer, and how often to ask again. */
interface Patience {
  timeoutMs: number;
  tries: number;
  /** The longest sum of all pauses that Eventbrite asks for. */
  waitMs: number;
}
/** Eventbrite's limits are per hour, so after at most an hour requests are accepted again. */
const BACKGROUND: Patience = { timeoutMs: 30_000, tries: 5, waitMs: 65 * 60_000 };
const HURRIED: Patience = { timeoutMs: 10_000, tries: 2, waitMs: 3_000 };

const API_URL = 'https://www.eventbriteapi.com/v3';
const TITLE = 'Eventbrite';
const MAX_BYTES = 32 * 1024 * 1024;

export type Json = Record<string, unknown>;
export class ExpansionFailed extends Error {}
export class BadContinuation extends Error {}

/** A failure that may pass, so the request is worth another try. */
class TransientError extends Error {
  /** Eventbrite asks for a pause; `afterMs` is its length, if it says so. */
  readonly limited: boolean;
  readonly afterMs: number | null;
  constructor(words: string, options: { limited?: boolean; afterMs?: number | null; cause?: unknown } = {}) {
    super(words, { cause: options.cause });
    this.limited = options.limited ?? false;
    this.afterMs = options.afterMs ?? null;
  }
}

export class EventbriteCalls {
  readonly #base: string;
  readonly #token: string;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: Patience;
  readonly #spacingMs: number;
  readonly #wait: NonNullable<EventbriteOptions['wait']>;
  #hasAsked = false;

  constructor(options: EventbriteOptions, token: string, { signal, hurried = false }: Opening) {
    // `fetch` would refuse such a token as a header, with an error that quotes it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PlatformError('token', `This is not a token of ${TITLE}.`);
    this.#base = options.apiUrl ?? API_URL;
    this.#token = token;
    this.#signal = signal;
    this.#patience = hurried ? HURRIED : (options.background ?? BACKGROUND);
    this.#spacingMs = options.spacingMs ?? 100;
    this.#wait = options.wait ?? ((ms, stop) => sleep(ms, undefined, { ...(stop && { signal: stop }) }));
  }

  /** Between attempts, waits as long as `Retry-After` says, else 1, 2, 4 … seconds, at most a minute each time. */
  async get(path: string, query: Record<string, string> = {}): Promise<Json> {
    if (this.#hasAsked) await this.#wait(this.#spacingMs, this.#signal);
    this.#hasAsked = true;
    let waited = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(path, query);
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        const pause = Math.max(1000, error.afterMs ?? Math.min(60_000, 500 * 2 ** attempt));
        waited += pause;
        // A request for a pause does not count as a failed attempt; only the sum of the pauses limits it.
        if (waited > this.#patience.waitMs || (!error.limited && attempt >= this.#patience.tries)) {
          throw givingUp(error, pause);
        }
        await this.#wait(pause, this.#signal);
      }
    }
  }

  async #once(path: string, query: Record<string, string>): Promise<Json> {
    const search = new URLSearchParams(query).toString();
    const timeout = AbortSignal.timeout(this.#patience.timeoutMs);
    let response: Response;
    let body: string;
    try {
      response = await fetch(`${this.#base}${path}${search === '' ? '' : `?${search}`}`, {
        headers: { authorization: `Bearer ${this.#token}`, accept: 'application/json' },
        // A redirect would send the token elsewhere.
        redirect: 'manual',
        signal: this.#signal === undefined ? timeout : AbortSignal.any([timeout, this.#signal]),
      });
      body = await readAtMost(response, MAX_BYTES);
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (error instanceof PlatformError) throw error;
      throw new TransientError(timeout.aborted ? 'it does not answer in time' : 'it cannot be reached', {
        cause: error,
      });
    }
    const answer = parse(body);
    if (response.status === 200) {
      if (answer === null) throw new TransientError('its answer is not JSON');
      return answer;
    }
    throw refusalOf(response, answer);
  }
}

async function readAtMost(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) throw notUnderstood('an answer of more than 32 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusalOf(response: Response, answer: Json | null): Error {
  const { status } = response;
  const code = text(answer?.error);
  if (code === 'EXPANSION_FAILED') return new ExpansionFailed();
  if (code === 'BAD_CONTINUATION_TOKEN') return new BadContinuation();
  if (status === 429)
    return new TransientError('it limits the number of requests', { limited: true, afterMs: retryAfter(response) });
  if (status >= 500) return new TransientError(`it answers ${status}`, { afterMs: retryAfter(response) });
  if (status === 401 || code.startsWith('INVALID_AUTH')) {
    return new PlatformError(
      'token',
      `${TITLE} does not accept this token. Connect the account again with a valid one.`,
    );
  }
  if (status === 403)
    return new PlatformError(
      'token',
      `${TITLE} does not let the owner of this token see this. Connect an account that may.`,
    );
  if (status === 404)
    return new PlatformError('not_found', `${TITLE} has no such event, or does not show it to the connected account.`);
  return notUnderstood(`status ${status} ${code}`);
}

function retryAfter(response: Response): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

const givingUp = ({ message, limited, cause }: TransientError, pause: number): PlatformError =>
  limited
    ? new PlatformError(
        'rate_limited',
        `${TITLE} limits the number of requests and asks for a pause of ${Math.ceil(pause / 60_000)} min. Try again after that.`,
        cause,
      )
    : new PlatformError('unavailable', `${TITLE} gave no usable answer (${message}). Try again later.`, cause);

export const notUnderstood = (what: string): PlatformError =>
  new PlatformError('unavailable', `${TITLE} answered something that Turnout does not understand (${what}).`);

function parse(body: string): Json | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const rowsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
/** A text without what PostgreSQL cannot store: U+0000 and halves of surrogate pairs. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed().trim() : '';
export const textOrNull = (value: unknown): string | null => text(value) || null;
