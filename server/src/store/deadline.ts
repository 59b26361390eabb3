/**
 * How long a whole call may take from when its body has arrived, in milliseconds: the sum of its statements has no limit by itself.
 * Tests lower it. `withFile` is for calls that bring a file, which is read and stored first.
 */
export const callLimits = { usual: 30_000, withFile: 60_000 };

/** The call took longer than a call may. What had not begun was not begun; what had begun was stopped before its next statement. */
export class CallTookTooLong extends Error {
  constructor() {
    super('the call took longer than a call may');
  }
}

/** By when a call has to be done. */
export class Deadline {
  #at: number;

  constructor(ms: number) {
    this.#at = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#at;
  }

  /** Somebody else waits for the same work, and may wait for longer. */
  extendTo(other: Deadline): void {
    this.#at = Math.max(this.#at, other.#at);
  }
}

/** The answer, if it comes in time. `late` is called when it did not; the work itself then ends as soon as it can. */
export function inCallLimit<T>(ms: number, work: Promise<T>, late: () => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new CallTookTooLong());
      late();
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
