import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may keep the event loop, and so everybody else, waiting before it lets the others go first. In milliseconds. */
const LONGEST_TURN_MS = 15;

/** Divides a long loop into turns of the event loop: the loop awaits `pause()` in each round, which is free until a turn is over. */
export class Turns {
  #began = performance.now();

  pause(): Promise<void> | undefined {
    return performance.now() - this.#began < LONGEST_TURN_MS ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
