/** How many spans may be recorded at once before the rate applies, in seconds of it. */
const BURST_SECONDS = 10;

/**
 * Bounds how many spans are recorded. Whether a trace is recorded is decided when it begins here, by whether there is anything left of the
 * budget; a trace that was begun is recorded to its end, and what it takes beyond the budget is owed. So traces are whole, and over time no
 * more spans are recorded than the rate allows, whatever callers ask for.
 *
 * Everybody may send a `traceparent` that asks for a recording. Such traces get only the upper half of the budget: those who ask for
 * everything leave the other half to the traces that the sampler of this process has chosen.
 */
export class Budget {
  readonly #rate: number;
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#rate = perSecond / 1000;
    this.#most = perSecond * BURST_SECONDS;
    this.#left = this.#most;
    this.#now = now;
    this.#at = now();
  }

  /** Whether a trace may begin. */
  mayBegin(askedFromOutside: boolean): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#rate);
    this.#at = now;
    return this.#left > (askedFromOutside ? this.#most / 2 : 0);
  }

  take(): void {
    this.#left -= 1;
  }
}
