import { Client } from 'undici';

/**
 * A caller of another organization, who sends `GET /v1/me` on one connection again and again: every `pauseMs`, and at once when
 * `forget` is called, so that a request of theirs is on its way together with every abusive one.
 */
export class Bystander {
  readonly #key: string;
  readonly #pauseMs: number;
  #client: Client;
  #stopped = false;
  #running: Promise<void>;
  #endPause = (): void => {};
  /** When the request that is not answered yet was sent. */
  #askedAt: number | null = null;
  #longest = 0;
  answers = 0;
  /** Errors, and answers other than 200. */
  readonly troubles: string[] = [];

  constructor(url: string, key: string, pauseMs: number) {
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

  /** Starts measuring anew. */
  forget(): void {
    this.#longest = 0;
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
