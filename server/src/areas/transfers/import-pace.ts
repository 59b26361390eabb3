/** Rows per transaction while nobody else uses the event. More would not make the import any faster. */
const MAX_ROWS_AT_ONCE = 200;
/** Rows per transaction while others use the event: so few that a scan hardly waits for them. */
const FEW = 5;
/** Others count as gone once nothing was seen of them for this long. */
export const GONE_AFTER_MS = 5_000;
const LONGEST_PAUSE_MS = 250;
/** A step that takes longer than this is followed by smaller ones: its rows belong to very large registrations. */
const LONG_STEP_MS = 1000;

export interface TookStep {
  /** Somebody else changed the event since the last step, or waited for its clock while this step held it. */
  others: boolean;
  /** Milliseconds. */
  took: number;
}

/**
 * Decides how many rows an import writes while it holds the event's clock. While others scan or register, it takes few rows at
 * a time and then leaves the clock alone for twice as long as it held it. Without that pause the import could take the clock
 * again at once, because PostgreSQL does not hand a row lock to the session that waits longest; with it, two of three scans
 * find the clock free. While nobody else uses the event, each step takes twice as many rows as the one before, and only
 * a quarter as many after a step that took too long.
 */
export class Pace {
  rows = FEW;
  readonly #most: number;
  #met: number;

  /** `most` is set lower by callers whose rows take longer than a row of a file. */
  constructor(others: boolean, now = performance.now(), most = MAX_ROWS_AT_ONCE) {
    this.#most = most;
    this.#met = others ? now : Number.NEGATIVE_INFINITY;
  }

  /** Called after each step. Answers for how many milliseconds to leave the clock alone. */
  next({ others, took }: TookStep, now = performance.now()): number {
    if (others) this.#met = now;
    const alone = now - this.#met > GONE_AFTER_MS;
    const rows = took > LONG_STEP_MS ? Math.max(1, this.rows >> 2) : Math.min(this.#most, this.rows * 2);
    this.rows = alone ? rows : Math.min(FEW, rows);
    return alone ? 0 : Math.min(2 * took, LONGEST_PAUSE_MS);
  }
}
