import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Measures } from '../road/measures.ts';

export interface LoopOptions {
  /** How long to wait for a wake-up before the step is repeated anyway. */
  everyMs: number;
  /** A step that finds fewer than this has found everything, and the loop waits for a wake-up. The default is 1. */
  full?: number;
  /** The least time between a step that found something and the next one, so that what comes in a rush is handled together. */
  gatherMs?: number;
}

/**
 * Repeats a step while it finds work, and then waits for a wake-up or for the time to look again. It stops between two steps, never
 * inside one. A step that fails is logged and tried again after a pause, so that a restart of the database does not end the worker.
 */
export class Loop {
  readonly #step: () => Promise<number>;
  readonly #options: LoopOptions;
  readonly #log: Logger;
  readonly #name: string;
  readonly #measures: Measures | undefined;
  #wake: (() => void) | null = null;
  #again = false;
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(name: string, step: () => Promise<number>, options: LoopOptions, log: Logger, measures?: Measures) {
    this.#name = name;
    this.#measures = measures;
    this.#step = step;
    this.#options = options;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Tells the loop that there may be work. */
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
        this.#measures?.workerFailure(this.#name);
        this.#log.warn({ loop: this.#name, err: error }, 'a step of a worker loop failed and will be tried again');
      }
      const { everyMs, full = 1, gatherMs = 0 } = this.#options;
      if (found >= full || this.#stopping) continue;
      if (gatherMs > 0 && found > 0) await sleep(gatherMs);
      if (!this.#again && !this.#stopping)
        await this.#pause(failures === 0 ? everyMs : Math.min(10_000, 250 * 2 ** failures));
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
