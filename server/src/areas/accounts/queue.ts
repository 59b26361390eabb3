import { availableParallelism } from 'node:os';
import { refuse } from '../../common/refusal.ts';

/**
 * Each hash takes a processor, and one of Node's four threads for such work, for as long as it runs. A processor and two threads are
 * left to everything else: files, names of hosts and compression need these threads, too.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** If more wait in one line than this, their answer would come too late anyway. */
const MAX_WAITING_CHECKS = 200;

/** Who waits. Each line gets its turn after the other, so a flood of sign-ins does not keep a door from being unlocked. */
export type Line = 'sign-in' | 'door';

/**
 * Does work a few at a time while the others wait, so that many sign-ins at the same moment take neither all processors nor all memory
 * nor all connections to the database.
 */
export class Queue {
  /** The most that ever ran at once. */
  mostRunning = 0;
  readonly #limits: { atOnce: number; waiting: number };
  #running = 0;
  readonly #lines: Record<Line, (() => void)[]> = { 'sign-in': [], door: [] };
  #last: Line = 'door';

  constructor(limits: Partial<{ atOnce: number; waiting: number }> = {}) {
    this.#limits = { atOnce: AT_ONCE, waiting: MAX_WAITING_CHECKS, ...limits };
  }

  async run<T>(line: Line, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.atOnce) await this.#wait(line);
    else this.#start(line);
    this.mostRunning = Math.max(this.mostRunning, this.#running);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #start(line: Line): void {
    this.#running += 1;
    this.#last = line;
  }

  #wait(line: Line): Promise<void> {
    const waiting = this.#lines[line];
    if (waiting.length >= this.#limits.waiting) {
      refuse('unavailable', { message: 'Too many people sign in at this moment. Try again in a few seconds.' });
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Hands the place on to whoever waits. It stays taken meanwhile, so nobody who comes just now can take it as well. */
  #next(): void {
    const other = this.#last === 'door' ? 'sign-in' : 'door';
    const line = this.#lines[other].length > 0 ? other : this.#last;
    const begin = this.#lines[line].shift();
    if (begin === undefined) {
      this.#running -= 1;
      return;
    }
    this.#last = line;
    begin();
  }
}

/** For every hash that this process computes, whoever asks for it. */
export const hashes = new Queue();
