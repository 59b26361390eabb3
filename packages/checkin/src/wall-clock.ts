import { CYCLE, DAY, formatterByZone, YEAR_400, YEAR_9600 } from './time.ts';

/**
 * Between instants and what a clock on a wall shows. A wall clock's time is a number, too: the milliseconds since 1970 that
 * the same date and time would be in UTC.
 */

const format = formatterByZone('en-US', {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

function offsetAt(timezone: string, at: number): number {
  // `Date.UTC` takes a year of two digits for one of the last century, and `Intl` counts the years before the first backwards.
  // Neither happens in another cycle of 400 years, where the offset is the same.
  if (at < YEAR_400) return offsetAt(timezone, at + CYCLE);
  if (at >= YEAR_9600) return offsetAt(timezone, at - CYCLE);
  const shown: Record<string, number> = {};
  for (const { type, value } of format(timezone).formatToParts(at)) shown[type] = Number(value);
  const wholeSeconds = Math.floor(at / 1000) * 1000; // the formatter shows no milliseconds
  return Date.UTC(shown.year!, shown.month! - 1, shown.day!, shown.hour!, shown.minute!, shown.second!) - wholeSeconds;
}

/** What a wall clock in `timezone` shows at the instant `at`. */
export function wallClockAt(timezone: string, at: number): number {
  return at + offsetAt(timezone, at);
}

/**
 * The instant at which a wall clock in `timezone` shows `wall`. Where clocks go back and show it twice, it is the first of the
 * two instants. Where clocks go forward and skip it, it is as much later as the clocks jump.
 */
export function instantOfWallClock(timezone: string, wall: number): number {
  // The offsets a day earlier and a day later are enough: no zone changes its offset twice in between.
  const before = wall - offsetAt(timezone, wall - DAY);
  if (wallClockAt(timezone, before) === wall) return before;
  const after = wall - offsetAt(timezone, wall + DAY);
  return wallClockAt(timezone, after) === wall ? after : before;
}

/**
 * Local midnight: the first instant of a local date. Where clocks skip midnight (Beirut, Cairo, Havana and Santiago do) the
 * date begins at the first instant that exists, which is 01:00 there.
 */
export function startOfDate(timezone: string, date: string): number {
  return instantOfWallClock(timezone, Date.parse(date));
}
