import { Client } from 'undici';
import type { Outgoing } from './abuser.ts';

/**
 * Somebody else, who sends the same request on one connection again and again: every `pauseMs`, and at once when `forget` is called,
 * so that a request of theirs is on its way together with every abusive one.
 */
export class Bystander {
  readonly #request: () => Outgoing;
  readonly #pauseMs: number;
  #client: Client;
  #stopped = false;
  #running: Promise<void>;
  #endPause = (): void => {};
  /** When the request that is not answered yet was sent. */
  #askedAt: number | null = null;
  #longest = 0;
  /** How long each answer took since `forget`. */
  #waits: number[] = [];
  answers = 0;
  /** Errors, and answers other than 2xx. */
  readonly troubles: string[] = [];

  constructor(url: string, request: () => Outgoing, pauseMs: number) {
    this.#request = request;
    this.#pauseMs = pauseMs;
    this.#client = this.#connect(url);
    this.#running = this.#run();
  }

  #connect(url: string): Client {
    const client = new Client(url, { headersTimeout: 300_000 });
    client.on('disconnect', () => {
      if (!this.#stopped) this.troubles.push('its connection was closed');
    });
    return client;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#askedAt = performance.now();
      try {
        const { method, path, headers, body } = this.#request();
        const answer = await this.#client.request({ method: method as 'GET', path, headers, body });
        await answer.body.dump();
        this.answers += 1;
        if (answer.statusCode >= 300) this.troubles.push(`it was answered ${answer.statusCode}`);
      } catch (error) {
        if (!this.#stopped) this.troubles.push(String(error));
      }
      this.#waits.push(performance.now() - this.#askedAt);
      this.#longest = this.waited;
      this.#askedAt = null;
      await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The longest wait so far in milliseconds, including that for the present answer. */
  get waited(): number {
    return Math.max(this.#longest, this.#askedAt === null ? 0 : performance.now() - this.#askedAt);
  }

  /** What 99 of 100 answers took at most, in milliseconds. */
  get p99(): number {
    const sorted = this.#waits.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
  }

  /** How many answers there were since `forget`. */
  get answered(): number {
    return this.#waits.length;
  }

  /** Starts measuring anew. */
  forget(): void {
    this.#longest = 0;
    this.#waits = [];
    if (this.#askedAt !== null) this.#askedAt = performance.now();
    this.#endPause();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPause();
    await this.#client.destroy();
    await this.#running;
  }
}
