import { keyOf, type PreparedPoint, type PreparedWorld, pointOf, type Window } from './prepare.ts';
import type { Refused } from './scan.ts';
import { localDate } from './time.ts';

export const NOT_YET_OPEN = { result: 'not_yet_open', reason: 'before_opening', admitted: false } satisfies Refused;
export const CLOSED = { result: 'closed', reason: 'after_closing', admitted: false } satisfies Refused;

/** The windows that contain `at`, ranked. `from` is inclusive, `to` is exclusive. */
export function openWindows(point: PreparedPoint, at: number): readonly Window[] {
  return point.windows.filter((window) => window.from <= at && at < window.to);
}

/** The days that are open at a point, ranked. For these a caller has to count who is inside a zone. */
export function openDays(world: PreparedWorld, checkInPoint: string, at: number): string[] {
  return openWindows(pointOf(world, checkInPoint), at).map((window) => window.day);
}

/** When a point opens next after `at`; null if it does not open any more. */
export function opensNext(world: PreparedWorld, checkInPoint: string, at: number): number | null {
  const later = pointOf(world, checkInPoint).windows.filter((window) => at < window.from);
  return later.length === 0 ? null : Math.min(...later.map((window) => window.from));
}

/** The result at a point while none of its windows is open. */
export function outsideWindows(world: PreparedWorld, point: PreparedPoint, at: number): Refused {
  const today = localDate(world.timezone, at);
  if (point.windows.some((window) => at < window.from && window.opensOn === today)) return NOT_YET_OPEN;
  if (point.windows.some((window) => window.to <= at && window.endsOn === today)) return CLOSED;
  if (point.windows.some((window) => at < window.from)) return NOT_YET_OPEN;
  return CLOSED;
}

/** Chooses the person's day among the open ones, of which there is at least one. */
export function personsWindow(
  world: PreparedWorld,
  open: readonly Window[],
  days: readonly string[],
  at: number,
): Window {
  const own = open.filter((window) => holds(world, days, window.day));
  return own.find((window) => !isLocked(window, at)) ?? own[0] ?? open[0]!;
}

export function isLocked(window: Window, at: number): boolean {
  return window.lockedAt <= at;
}

export function holds(world: PreparedWorld, days: readonly string[], day: string): boolean {
  return days.some((reference) => reference === day || keyOf(world.keys.days, reference) === day);
}
