import { DAY } from '../../clock.ts';
import { iso } from '../../store/stamps.ts';

const parts = new Map<string, Intl.DateTimeFormat>();

/** Calendar, weekdays and the rules of clocks repeat after 400 years. */
const CYCLE = 146_097 * DAY;
const [YEAR_400, YEAR_9600] = [Date.UTC(400, 0), Date.UTC(9600, 0)];

function offsetAt(instant: number, timezone: string): number {
  // Years of two digits mean 19xx to `Date.UTC`, and those before the first are counted backwards: the same in another cycle is not.
  if (instant < YEAR_400) return offsetAt(instant + CYCLE, timezone);
  if (instant >= YEAR_9600) return offsetAt(instant - CYCLE, timezone);
  // Intl takes a zone in any spelling, and a formatter is large: one for each zone, not for each way to write it.
  const zone = timezone.toLowerCase();
  let format = parts.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    parts.set(zone, format);
  }
  const at: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
  const whole = Math.floor(instant / 1000) * 1000; // the parts end at seconds
  return utc(at.year!, at.month! - 1, at.day!, at.hour!, at.minute!, at.second!) - whole;
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. Nothing so old is taken any more, but some was once. */
function utc(year: number, ...rest: [number, number, number, number, number]): number {
  const at = new Date(Date.UTC(2000, ...rest));
  return at.setUTCFullYear(year, rest[0], rest[1]);
}

/** What the clock on the wall shows at an instant, as if it were UTC. */
export const wallAt = (instant: number, timezone: string): number => instant + offsetAt(instant, timezone);

/**
 * The instant at which the clock on the wall shows this: the first of two where clocks go back, and where they jump over it as
 * much later as they jump.
 */
export function instantOf(wall: number, timezone: string): number {
  // The offsets of the day before and of the day after: no zone changes twice in between.
  const before = wall - offsetAt(wall - DAY, timezone);
  if (wallAt(before, timezone) === wall) return before;
  const after = wall - offsetAt(wall + DAY, timezone);
  return wallAt(after, timezone) === wall ? after : before;
}

/**
 * The instant at which a local date begins. Where clocks jump over midnight (it happens: Beirut, Havana, Santiago) the day
 * begins at the first instant that exists. Where it lies beyond the years that are written with four digits, it is the first or
 * last of those.
 */
export const zonedMidnight = (date: string, timezone: string): string =>
  iso(new Date(Math.min(Math.max(instantOf(Date.parse(`${date}T00:00:00Z`), timezone), FIRST), LAST)));
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

export const nextDate = (date: string): string => shiftDate(date, 1);

export const shiftDate = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().split('T')[0]!;

/** A day's times are instants: by default local midnight of its date and of the next. */
export const opensAt = (day: { date: string; opens_at: string | null }, timezone: string): string =>
  day.opens_at ?? zonedMidnight(day.date, timezone);
export const closesAt = (day: { date: string; closes_at: string | null }, timezone: string): string =>
  day.closes_at ?? zonedMidnight(nextDate(day.date), timezone);
