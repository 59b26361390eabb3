import type { DeviceTime } from '../../../web/scan/src/engine/clock.ts';

interface Alarm {
  readonly at: number;
  ring(): void;
}

/** The time of a device. It stands still until a test moves it, and alarms ring only then: a busy machine changes nothing. */
export class MovedTime implements DeviceTime {
  /** By how much the device's own clock is wrong. */
  wrongBy = 0;
  readonly #alarms = new Set<Alarm>();
  readonly #begun = Date.now();
  #passed = 0;

  readonly wall = (): number => this.#begun + this.#passed + this.wrongBy;
  readonly steady = (): number => this.#passed;
  readonly alarm = (ms: number, ring: () => void): (() => void) => {
    const alarm = { at: this.#passed + ms, ring };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  };

  /** Moves on by so many milliseconds, and rings every alarm that is due by then. */
  move(ms: number): void {
    const until = this.#passed + ms;
    for (let next = this.#next(); next !== null && next.at <= until; next = this.#next()) this.#ring(next);
    this.#passed = until;
  }

  /** Moves on to the next alarm, if there is one. */
  toNextAlarm(): void {
    const next = this.#next();
    if (next !== null) this.#ring(next);
  }

  #next(): Alarm | null {
    return [...this.#alarms].reduce<Alarm | null>((first, one) => (first && first.at <= one.at ? first : one), null);
  }

  #ring(alarm: Alarm): void {
    this.#alarms.delete(alarm);
    this.#passed = Math.max(this.#passed, alarm.at);
    alarm.ring();
  }
}
