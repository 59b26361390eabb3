import { nextDate, startOfDate } from '@turnout/checkin';
import { DAY } from '../../clock.ts';
import { iso } from '../../store/stamps.ts';

const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Local midnight, written with a year of four digits: an instant beyond those years becomes the first or the last of them. */
export const zonedMidnight = (date: string, timezone: string): string =>
  iso(new Date(Math.min(Math.max(startOfDate(timezone, date), FIRST), LAST)));

export { nextDate };

export const shiftDate = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().split('T')[0]!;

/** The times of a day are instants. By default it runs from local midnight of its date to local midnight of the next date. */
export const opensAt = (day: { date: string; opens_at: string | null }, timezone: string): string =>
  day.opens_at ?? zonedMidnight(day.date, timezone);
export const closesAt = (day: { date: string; closes_at: string | null }, timezone: string): string =>
  day.closes_at ?? zonedMidnight(nextDate(day.date), timezone);

/**
 * Whether a day is over. No time zone is more than a day away from UTC, so local midnight is computed only around `now`: a list of events
 * asks this of thousands of days.
 */
export function hasClosed(day: { date: string; closes_at: string | null }, timezone: string, now: Date): boolean {
  const since = now.getTime() - Date.parse(day.closes_at ?? nextDate(day.date));
  return day.closes_at !== null || Math.abs(since) > DAY ? since >= 0 : now >= new Date(closesAt(day, timezone));
}
