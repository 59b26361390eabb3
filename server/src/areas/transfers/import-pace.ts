/** When nobody else wants the event: as many rows a transaction as make it fast. */
const MOST = 200;
/** When others do: so few that a scan hardly waits for them. */
const FEW = 5;
/** Others count as gone after so long. */
export const GONE_AFTER_MS = 5_000;
const LONGEST_PAUSE_MS = 250;

export interface TookStep {
  /** Somebody else changed the event since the step before, or waited for its clock while this one held it. */
  others: boolean;
  /** Milliseconds. */
  took: number;
}

/**
 * How many rows hold the event's clock together. An import is in no hurry while people scan at the doors or register: then it
 * takes few rows at a time and leaves the clock alone for twice as long as it held it: PostgreSQL gives the row to whoever comes
 * first, not to who waits longest, and of three scans two meet nobody. Alone it takes twice as many rows with each step.
 */
export class Pace {
  rows = FEW;
  readonly #most: number;
  #met: number;

  /** `most`: fewer where each of them takes longer than a row of a file does. */
  constructor(others: boolean, now = performance.now(), most = MOST) {
    this.#most = most;
    this.#met = others ? now : Number.NEGATIVE_INFINITY;
  }

  /** After a step: how long to leave the clock alone. */
  next({ others, took }: TookStep, now = performance.now()): number {
    if (others) this.#met = now;
    const alone = now - this.#met > GONE_AFTER_MS;
    this.rows = alone ? Math.min(this.#most, this.rows * 2) : FEW;
    return alone ? 0 : Math.min(2 * took, LONGEST_PAUSE_MS);
  }
}
