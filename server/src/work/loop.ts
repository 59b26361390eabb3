import type { Logger } from 'pino';

/**
 * Repeats a step while it finds work, then waits for a wake-up or the next look. Stops between two steps, never inside one.
 * A step that fails is logged and tried again after a pause: a database restart must not end the worker.
 */
export class Loop {
  readonly #step: () => Promise<number>;
  readonly #everyMs: number;
  readonly #log: Logger;
  readonly #name: string;
  #wake: (() => void) | null = null;
  #again = false;
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(name: string, step: () => Promise<number>, everyMs: number, log: Logger) {
    this.#name = name;
    this.#step = step;
    this.#everyMs = everyMs;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There may be work: look now rather than at the next turn. */
  wake(): void {
    this.#again = true;
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      let found = 0;
      this.#again = false;
      try {
        found = await this.#step();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#log.warn({ loop: this.#name, err: error }, 'will try again');
      }
      if (found === 0 && !this.#again && !this.#stopping) {
        await this.#pause(failures === 0 ? this.#everyMs : Math.min(10_000, 250 * 2 ** failures));
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const self = this;
      function done() {
        clearTimeout(timer);
        self.#wake = null;
        resolve();
      }
      this.#wake = done;
    });
  }
}
