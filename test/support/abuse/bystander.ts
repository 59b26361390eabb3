import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';

/** A caller of another organization, who sends `GET /v1/me` on one connection again and again. */
export class Bystander {
  readonly #key: string;
  readonly #pauseMs: number;
  #client: Client;
  #stopped = false;
  #running: Promise<void>;
  /** When the request that is not answered yet was sent. */
  #askedAt: number | null = null;
  #longest = 0;
  answers = 0;
  /** Errors, and answers other than 200. */
  readonly troubles: string[] = [];

  constructor(url: string, key: string, pauseMs = 10) {
    this.#key = key;
    this.#pauseMs = pauseMs;
    this.#client = this.#connect(url);
    this.#running = this.#run();
  }

  #connect(url: string): Client {
    const client = new Client(url, { headersTimeout: 60_000 });
    client.on('disconnect', () => {
      if (!this.#stopped) this.troubles.push('its connection was closed');
    });
    return client;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#askedAt = performance.now();
      try {
        const answer = await this.#client.request({
          path: '/v1/me',
          method: 'GET',
          headers: { authorization: `Bearer ${this.#key}` },
        });
        await answer.body.dump();
        this.answers += 1;
        if (answer.statusCode !== 200) this.troubles.push(`it was answered ${answer.statusCode}`);
      } catch (error) {
        if (!this.#stopped) this.troubles.push(String(error));
      }
      this.#longest = this.waited;
      this.#askedAt = null;
      await sleep(this.#pauseMs);
    }
  }

  /** The longest wait so far in milliseconds, including that for the present answer. */
  get waited(): number {
    return Math.max(this.#longest, this.#askedAt === null ? 0 : performance.now() - this.#askedAt);
  }

  /** Starts measuring anew. */
  forget(): void {
    this.#longest = 0;
    if (this.#askedAt !== null) this.#askedAt = performance.now();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client.destroy();
    await this.#running;
  }
}
