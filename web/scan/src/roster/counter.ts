import { localDate } from '@turnout/checkin';
import type { KeptAdmission } from './entry.ts';
import { type Counts, ENTRIES } from './packed.ts';

/** Every time zone is a multiple of 15 minutes from UTC, so two instants of the same quarter of an hour have the same local date. */
const QUARTER = 15 * 60_000;

/** Finds local dates fast: asking `Intl` for each of 250,000 admissions would take half a second. */
export class LocalDates {
  readonly #timezone: string;
  readonly #dates = new Map<number, string>();

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  of(at: number): string {
    const quarter = Math.floor(at / QUARTER);
    let date = this.#dates.get(quarter);
    if (date === undefined) {
      date = localDate(this.#timezone, at);
      this.#dates.set(quarter, date);
    }
    return date;
  }
}

/**
 * Counts admissions by point and local date. Somebody with several tickets has the same admissions on each of them; the number that
 * the server gave an admission tells that it was counted already.
 */
export class Counter {
  readonly #dates: LocalDates;
  readonly #seen = new Set<number>();
  readonly #counts: Record<string, Record<string, number>> = {};

  constructor(timezone: string) {
    this.#dates = new LocalDates(timezone);
  }

  add(admission: KeptAdmission): void {
    if (this.#seen.has(admission.seq)) return;
    this.#seen.add(admission.seq);
    const date = this.#dates.of(admission.at);
    this.#change(admission.check_in_point, date);
    if (admission.kind === 'entry') this.#change(ENTRIES, date);
  }

  counts(): Counts {
    return this.#counts;
  }

  #change(name: string, date: string): void {
    this.#counts[name] ??= {};
    this.#counts[name][date] = (this.#counts[name][date] ?? 0) + 1;
  }
}
