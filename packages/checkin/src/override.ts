import { type PreparedWorld, pointOf, type Window } from './prepare.ts';
import { holds, openWindows, outsideWindows, personsWindow } from './windows.ts';

/**
 * The day for which an override is recorded, when the refused check-in has none (no window was open, or the ticket is voided).
 * Without a day, a person let in five minutes before opening would be admitted a second time five minutes after opening.
 *
 * If a day is open, it is the one that the decision would choose. Otherwise it is the next day to open (before opening) or
 * the last day that was open (after closing), preferring the days on the person's ticket. Null when the point has no days.
 */
export function dayForOverride(
  world: PreparedWorld,
  checkInPoint: string,
  at: number,
  days: readonly string[],
): string | null {
  const point = pointOf(world, checkInPoint);
  const open = openWindows(point, at);
  if (open.length > 0) return personsWindow(world, open, days, at).day;
  const own = point.windows.filter((window) => holds(world, days, window.day));
  const candidates = own.length > 0 ? own : point.windows;
  const next = candidates.find((window) => at < window.from) ?? null;
  const last = candidates.reduce<Window | null>(
    (latest, window) => (window.to <= at && (latest === null || window.to > latest.to) ? window : latest),
    null,
  );
  const nearest = outsideWindows(world, point, at).result === 'not_yet_open' ? (next ?? last) : (last ?? next);
  return nearest?.day ?? null;
}
