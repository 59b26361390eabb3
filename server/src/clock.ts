/** Every rule that depends on the time asks this clock. Tests move it instead of waiting. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export class MovedClock implements Clock {
  #offset = 0;
  now(): Date {
    return new Date(Date.now() + this.#offset);
  }
  /** Moves on by a number of milliseconds. */
  advance(ms: number): void {
    this.#offset += ms;
  }
  /** Jumps to an instant and runs on from there. */
  jump(to: Date | string): void {
    this.#offset = new Date(to).getTime() - Date.now();
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The month in UTC, such as "2026-11". Quotas count by it. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
