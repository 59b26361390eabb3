import { keyOf, type PreparedPoint, type PreparedWorld } from './prepare.ts';
import type { Admission } from './scan.ts';
import type { PointKind } from './vocabulary.ts';

/**
 * Questions about a person's admissions. `limit`, cooldown and passes look at every admission on record, also at those later
 * than the scan: a scan that arrives late from an offline door is judged against what was admitted meanwhile.
 * `requires` and being inside a zone look only at what had happened up to `at`.
 */

/**
 * Whether an admission counts towards a point's limit and cooldown. An entry counts at every entry, and a pre-check at every
 * pre-check, because all gates guard the same venue. Zones and exits count only their own admissions.
 */
function counts(world: PreparedWorld, point: PreparedPoint, admission: Admission): boolean {
  if (point.kind === 'entry' || point.kind === 'pre_check') return admission.kind === point.kind;
  return keyOf(world.keys.points, admission.check_in_point) === point.key;
}

function isOn(world: PreparedWorld, day: string | null, admission: Admission): boolean {
  return admission.day === day || (admission.day !== null && keyOf(world.keys.days, admission.day) === day);
}

/** The earliest admission that uses up the point's limit; null when it is not used up. */
export function limitUsedBy(
  world: PreparedWorld,
  point: PreparedPoint,
  admissions: readonly Admission[],
  day: string | null,
  at: number,
): Admission | null {
  switch (point.limit) {
    case 'unlimited':
      return null;
    case 'once':
      return earliest(admissions, (admission) => counts(world, point, admission));
    case 'once_per_day':
      return earliest(admissions, (admission) => counts(world, point, admission) && isOn(world, day, admission));
    case 'once_until_exit':
      return entryBeside(world, point, admissions, day, at);
  }
}

/**
 * The entry of the same day that would follow or precede an entry at `at` without an exit from the venue in between; null when
 * there is none. Entries after `at` are checked, too, because a scan that arrives late falls before entries already on record.
 * An exit at the same instant as either entry counts as in between, whichever was recorded first.
 */
function entryBeside(
  world: PreparedWorld,
  point: PreparedPoint,
  admissions: readonly Admission[],
  day: string | null,
  at: number,
): Admission | null {
  let before: Admission | null = null;
  let after: Admission | null = null;
  for (const admission of admissions) {
    if (!counts(world, point, admission) || !isOn(world, day, admission)) continue;
    if (admission.at <= at) {
      if (before === null || isLater(admission, before)) before = admission;
    } else if (after === null || isLater(after, admission)) after = admission;
  }
  const exitBetween = (from: number, to: number): boolean =>
    admissions.some((admission) => admission.at >= from && admission.at <= to && leavesVenue(world, admission));
  if (before !== null && !exitBetween(before.at, at)) return before;
  return after !== null && !exitBetween(at, after.at) ? after : null;
}

/** The earliest admission less than the cooldown before or after `at`; null when there is none. */
export function cooldownOf(
  world: PreparedWorld,
  point: PreparedPoint,
  admissions: readonly Admission[],
  at: number,
): Admission | null {
  if (point.cooldown <= 0) return null;
  return earliest(
    admissions,
    (admission) => Math.abs(admission.at - at) < point.cooldown && counts(world, point, admission),
  );
}

function earliest(admissions: readonly Admission[], matches: (admission: Admission) => boolean): Admission | null {
  let first: Admission | null = null;
  for (const admission of admissions) {
    if ((first === null || isLater(first, admission)) && matches(admission)) first = admission;
  }
  return first;
}

/** On how many days other than `day` the person has entered. */
export function otherDaysEntered(world: PreparedWorld, admissions: readonly Admission[], day: string | null): number {
  const days = new Set<string>();
  for (const admission of admissions) {
    if (admission.kind === 'entry' && admission.day !== null) days.add(keyOf(world.keys.days, admission.day));
  }
  if (day !== null) days.delete(day);
  return days.size;
}

export function wasAdmitted(
  world: PreparedWorld,
  kind: PointKind,
  admissions: readonly Admission[],
  day: string | null,
  at: number,
): boolean {
  return admissions.some((admission) => admission.kind === kind && admission.at <= at && isOn(world, day, admission));
}

/** The person's last admission up to `at`, of any kind and at any point. */
export function lastAdmission(admissions: readonly Admission[], at: number): Admission | null {
  let last: Admission | null = null;
  for (const admission of admissions) {
    if (admission.at <= at && (last === null || isLater(admission, last))) last = admission;
  }
  return last;
}

/** Whether the person is inside the zone: the last pass of that day, up to `at`, went in. */
export function isInside(
  world: PreparedWorld,
  zone: string,
  admissions: readonly Admission[],
  day: string | null,
  at: number,
): boolean {
  let last: Admission | null = null;
  for (const admission of admissions) {
    if (admission.at > at || !isOn(world, day, admission) || passDirection(world, zone, admission) === null) continue;
    if (last === null || isLater(admission, last)) last = admission;
  }
  return last !== null && last.kind === 'zone';
}

/** Whether an admission leads into the zone or out of it; null when it has nothing to do with the zone. */
export function passDirection(world: PreparedWorld, zone: string, admission: Admission): 'in' | 'out' | null {
  if (admission.kind === 'zone') return keyOf(world.keys.points, admission.check_in_point) === zone ? 'in' : null;
  if (admission.kind !== 'exit') return null;
  const left = zoneLeft(world, admission);
  return left === null || left === zone ? 'out' : null;
}

export function isLater(a: Admission, b: Admission): boolean {
  return a.at > b.at || (a.at === b.at && a.seq > b.seq);
}

function leavesVenue(world: PreparedWorld, admission: Admission): boolean {
  return admission.kind === 'exit' && zoneLeft(world, admission) === null;
}

/** The zone that an exit leads out of; null for the venue. An exit that the world no longer has counts as one of the venue. */
function zoneLeft(world: PreparedWorld, exit: Admission): string | null {
  return world.points.get(keyOf(world.keys.points, exit.check_in_point))?.leaves ?? null;
}
