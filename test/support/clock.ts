import { MovedClock } from '../../server/src/clock.ts';

/**
 * Starts at noon UTC today and runs on from there. For tests whose event takes place "today": with the machine's clock, that
 * day could end between two of their calls.
 */
export function noonClock(): MovedClock {
  const clock = new MovedClock();
  clock.jump(`${clock.now().toISOString().slice(0, 10)}T12:00:00Z`);
  return clock;
}

/** Stands still until it is moved, so that a test can say "exactly then" and "at the same moment". */
export class HeldClock extends MovedClock {
  #at: number;
  constructor(at = Date.now()) {
    super();
    this.#at = at;
  }
  override now(): Date {
    return new Date(this.#at);
  }
  override advance(ms: number): void {
    this.#at += ms;
  }
  override jump(to: Date | string): void {
    this.#at = new Date(to).getTime();
  }
}
