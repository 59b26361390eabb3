import { localDate, nextDate, startOfDate, wallClockAt } from '@turnout/checkin';
import { MAX_INTERVALS, type ReportInterval } from '@turnout/contract';
import { DAY, HOUR } from '../../clock.ts';
import { invalid } from '../../common/refusal.ts';
import { iso } from '../../store/stamps.ts';

/*
 * Hours, days and weeks as clocks in the event's zone show them. They are not all equally long: a day on which clocks change has 23 or
 * 25 hours. Their bounds are therefore computed here, once for each report, and PostgreSQL sorts rows into them (`width_bucket`).
 */

/** The last bound that is not after `at`. */
export function startOf(timezone: string, by: ReportInterval, at: number): number {
  if (by === 'hour') {
    const past = wallClockAt(timezone, at) % HOUR;
    if (past === 0) return at;
    // A clock that changes by half an hour (Lord Howe Island does) may not have shown this full hour; then an earlier one.
    return startOf(timezone, by, at - past);
  }
  const date = localDate(timezone, at);
  if (by === 'day') return startOfDate(timezone, date);
  const monday = Date.parse(date) - ((new Date(Date.parse(date)).getUTCDay() + 6) % 7) * DAY;
  return startOfDate(timezone, dateOf(monday));
}

/** The first bound after the bound `at`. */
export function nextStart(timezone: string, by: ReportInterval, at: number): number {
  if (by === 'hour') {
    const past = (of: number) => wallClockAt(timezone, of) % HOUR;
    let next = at + HOUR - past(at);
    while (past(next) !== 0) next += HOUR - past(next);
    return next;
  }
  const first = Date.parse(localDate(timezone, at));
  // Where a whole date was skipped (Samoa in 2011), the date after it begins at the same instant.
  for (let date = nextDate(dateOf(first)); ; date = nextDate(date)) {
    const start = startOfDate(timezone, date);
    if (start > at && (by === 'day' || new Date(Date.parse(date)).getUTCDay() === 1)) return start;
  }
}

const dateOf = (at: number): string => new Date(at).toISOString().split('T')[0]!;

export interface Window {
  from?: string;
  to?: string;
  /** Where `from` and `to` stand in the request, for faults. */
  inside?: string;
}

/** Clocks before and after are nobody's business, and PostgreSQL knows no year 0. */
const [EARLIEST, LATEST] = [Date.parse('1900-01-01T00:00:00Z'), Date.parse('2200-12-31T23:59:59.999Z')];

export function requireInRange({ from, to, inside = '' }: Window): void {
  const [begin, end] = [Date.parse(from ?? '2000-01-01'), Date.parse(to ?? '2000-01-01')];
  const isOut = (at: number) => at < EARLIEST || at > LATEST;
  const message = 'must be in the years 1900 to 2200';
  if (isOut(begin)) invalid({ path: `${inside}from`, message });
  if (isOut(end)) invalid({ path: `${inside}to`, message });
  if (from !== undefined && to !== undefined && end <= begin) {
    invalid({ path: `${inside}to`, message: 'must be later than `from`' });
  }
}

/** The bounds of the intervals: one more than there are intervals, or none at all. */
export class Intervals {
  readonly bounds: readonly string[];

  constructor(bounds: readonly number[]) {
    this.bounds = bounds.map((at) => iso(new Date(at)));
  }

  /** What a caller asked for, or else everything from `first` to `last`; of that at most the latest 1,000. */
  static of(timezone: string, by: ReportInterval, range: Window, first: string | null, last: string | null): Intervals {
    requireInRange(range);
    const [from, to] = [range.from ?? first, range.to ?? last];
    // A scanner with a wrong clock may name any year.
    if (from === null || to === null || Date.parse(to) < EARLIEST) return new Intervals([]);
    const begin = startOf(timezone, by, Math.max(Date.parse(from), EARLIEST));
    // What is asked for ends before `to`. The last activity itself is counted.
    const end = Date.parse(to) + (range.to === undefined ? 1 : 0);
    if (range.from === undefined) return new Intervals(backwards(timezone, by, begin, end));
    const bounds = forwards(timezone, by, begin, end);
    if (bounds.length <= MAX_INTERVALS + 1) return new Intervals(bounds);
    return invalid({
      path: `${range.inside ?? ''}from`,
      message: `must be at most ${MAX_INTERVALS} intervals before the end of the report; choose a later \`from\`, an earlier \`to\` or longer intervals`,
    });
  }

  /** The intervals with what `make` says of each. */
  map<T>(make: (index: number) => T): (T & { starts_at: string; ends_at: string })[] {
    return this.bounds
      .slice(0, -1)
      .map((starts_at, index) => ({ starts_at, ends_at: this.bounds[index + 1]!, ...make(index) }));
  }

  /** The date of an interval that is a day. */
  dateAt(index: number, timezone: string): string {
    return localDate(timezone, Date.parse(this.bounds[index]!));
  }

  get length(): number {
    return Math.max(this.bounds.length - 1, 0);
  }
  get first(): string {
    return this.bounds[0] ?? NEVER;
  }
  get end(): string {
    return this.bounds.at(-1) ?? NEVER;
  }
}

/** Without intervals nothing lies in between. */
const NEVER = '1900-01-01T00:00:00Z';

function forwards(timezone: string, by: ReportInterval, begin: number, end: number): number[] {
  const bounds = [begin];
  while (bounds.at(-1)! < end && bounds.length < MAX_INTERVALS + 2)
    bounds.push(nextStart(timezone, by, bounds.at(-1)!));
  return bounds.length > 1 ? bounds : [];
}

/** As `forwards`, but of too many intervals the latest are kept. */
function backwards(timezone: string, by: ReportInterval, begin: number, end: number): number[] {
  if (end <= begin) return [];
  let start = startOf(timezone, by, end - 1);
  const bounds = [start, nextStart(timezone, by, start)];
  while (start > begin && bounds.length <= MAX_INTERVALS) {
    start = startOf(timezone, by, start - 1);
    bounds.unshift(start);
  }
  return bounds;
}
