import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Call } from './check.ts';

/** A call of the load: what is sent, and how its answer is read. */
export interface Planned {
  kind: Call['kind'];
  mark: string;
  path: string;
  body: object;
  /** The id, or the result, of an answer with success. */
  read(body: unknown): string;
}

/** An answer that a caller could not use: none at all (status 0), or a server's failure. */
export interface Failure {
  /** When it was sent and when it was known to have failed, by `performance.now()`. */
  sentAt: number;
  at: number;
  status: number;
  said: string;
}

export interface Log {
  calls: Call[];
  failures: Failure[];
  /** How many calls had no answer when their caller gave up. */
  unanswered: number;
}

const ANSWER_WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_500;
/** A caller tries again for so long after the load has ended. */
const PATIENCE_MS = 60_000;

/** Callers who do not wait for one another: calls begin at a constant rate, however long the answers take. */
export class Callers {
  readonly log: Log = { calls: [], failures: [], unanswered: 0 };
  readonly #url: string;
  readonly #key: string;
  readonly #agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: 5_000 },
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  });
  readonly #open = new Set<Promise<void>>();
  #until = Number.POSITIVE_INFINITY;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Starts calls until it is aborted, and then waits until each has its answer. */
  async load(perSecond: number, next: () => Planned, ended: AbortSignal): Promise<void> {
    const began = performance.now();
    for (let sent = 0; !ended.aborted; sent += 1) {
      await sleep(Math.max(0, began + (sent * 1000) / perSecond - performance.now()));
      this.start(next());
    }
    this.#until = performance.now() + PATIENCE_MS;
    await Promise.all(this.#open);
  }

  start(planned: Planned): void {
    const running = this.#carryOut(planned).finally(() => this.#open.delete(running));
    this.#open.add(running);
  }

  /** A call that has to succeed before the load begins. */
  async succeed(path: string, body?: object): Promise<unknown> {
    const key = randomUUID();
    const late = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#send({ path, body }, key);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const isAgain = answer.status === 0 || answer.status >= 500;
      if (!isAgain || performance.now() > late)
        throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(FIRST_PAUSE_MS);
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #carryOut(planned: Planned): Promise<void> {
    const { kind, mark } = planned;
    const call: Call = { kind, mark, answer: null, refused: null };
    this.log.calls.push(call);
    let key: string = randomUUID();
    for (let tries = 0; performance.now() < this.#until; tries += 1) {
      const sentAt = performance.now();
      const { status, body } = await this.#send(planned, key);
      if (status >= 200 && status < 300) {
        call.answer = planned.read(body);
        return;
      }
      const said = (body as { error?: { code: string } } | null)?.error?.code ?? String(body);
      const isAgain = status === 0 || status >= 500 || said === 'idempotency_in_progress';
      if (!isAgain) {
        call.refused = said;
        return;
      }
      this.log.failures.push({ sentAt, at: performance.now(), status, said });
      // A scanner that has lost an answer sends the scan again; some of them as a new request, whose client_uuid says that it is a repeat.
      if (kind === 'scan' && tries % 2 === 1) key = randomUUID();
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
      await sleep(pause * (0.5 + Math.random() / 2));
    }
    this.log.unanswered += 1;
  }

  async #send(
    { path, body }: { path: string; body?: object | undefined },
    key: string,
  ): Promise<{ status: number; body: unknown }> {
    try {
      const answer = await this.#agent.request({
        origin: this.#url,
        path,
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#key}`,
          'idempotency-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      try {
        return { status: answer.statusCode, body: JSON.parse(text) };
      } catch {
        // HAProxy's own answers are pages.
        return { status: answer.statusCode, body: text.slice(0, 60) };
      }
    } catch (error) {
      return { status: 0, body: (error as Error).message };
    }
  }
}
