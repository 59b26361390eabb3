import { instant, isDate, localDate, nextDate } from './time.ts';
import type { Limit, PointKind, Requirement } from './vocabulary.ts';
import { startOfDate } from './wall-clock.ts';
import { type CheckInPoint, type Day, fullPolicy, type World } from './world.ts';

declare const prepared: unique symbol;

/** A world that is indexed once and used for many decisions. Only `prepareWorld` makes one. */
export interface PreparedWorld {
  readonly [prepared]: true;
  readonly timezone: string;
  readonly points: ReadonlyMap<string, PreparedPoint>;
  /** By attendee type: for how many days its pass is good. */
  readonly passDays: ReadonlyMap<string, number>;
  readonly keys: Readonly<Record<'days' | 'types' | 'groups' | 'products' | 'points', Keys>>;
}

export interface PreparedPoint {
  readonly key: string;
  /** For messages: the point's name, or its code where the world gives no name. */
  readonly name: string;
  readonly kind: PointKind;
  /** Ranked by window start, then date, then code. */
  readonly windows: readonly Window[];
  readonly types: ReadonlySet<string> | null;
  /** The policy's groups and all groups below them. */
  readonly groups: ReadonlySet<string> | null;
  readonly products: ReadonlySet<string> | null;
  readonly limit: Limit;
  readonly cooldown: number;
  readonly requires: Requirement | null;
  readonly capacity: number | null;
  readonly leaves: string | null;
}

/** When a day is open at a point: from `from` (inclusive) to `to` (exclusive). */
export interface Window {
  readonly day: string;
  readonly from: number;
  readonly to: number;
  readonly lockedAt: number;
  readonly opensOn: string;
  readonly endsOn: string;
}

/** From every spelling of a reference (id, code, code in another case) to the key under which the thing is kept. */
export type Keys = ReadonlyMap<string, string>;

interface NamedObject {
  readonly id?: string;
  readonly code: string;
}

/** An unknown reference is its own key, so it equals only itself. */
export function keyOf(keys: Keys, reference: string): string {
  return keys.get(reference) ?? keys.get(reference.toLowerCase()) ?? reference;
}

export function prepareWorld(world: World): PreparedWorld {
  const keys = {
    days: keysOf(world.days),
    types: keysOf(world.attendee_types),
    groups: keysOf(world.groups),
    products: keysOf(world.products ?? []),
    points: keysOf(world.check_in_points),
  };
  const passDays = new Map<string, number>();
  for (const type of world.attendee_types) {
    if (typeof type.pass_days === 'number') passDays.set(keyOf(keys.types, type.code), type.pass_days);
  }
  const days = world.days.map((day) => ({ day, ...timesOf(world.timezone, day) }));
  // The windows of all points begin and end at few different instants, so their dates are computed once per instant. A world of
  // 78 points and 20 days took 7 ms without this, and takes 2 ms with it (measured).
  const dates = new Map<number, string>();
  const dateAt = (at: number): string => {
    const date = dates.get(at) ?? localDate(world.timezone, at);
    dates.set(at, date);
    return date;
  };
  const points = new Map<string, PreparedPoint>();
  for (const point of world.check_in_points) {
    const ready = preparePoint(world, keys, days, dateAt, point);
    points.set(ready.key, ready);
  }
  return { timezone: world.timezone, points, passDays, keys } as unknown as PreparedWorld;
}

/** An unknown point is a mistake of the caller, who must check the reference before asking for a decision. */
export function pointOf(world: PreparedWorld, reference: string): PreparedPoint {
  const point = world.points.get(keyOf(world.keys.points, reference));
  if (point === undefined) throw new RangeError(`no check-in point ${reference} in this world`);
  return point;
}

interface DayTimes {
  readonly day: Day;
  readonly opens: number;
  readonly closes: number;
  readonly lockedAt: number;
}

function preparePoint(
  world: World,
  keys: PreparedWorld['keys'],
  days: readonly DayTimes[],
  dateAt: (at: number) => string,
  point: CheckInPoint,
): PreparedPoint {
  const policy = fullPolicy(point.kind, point.policy);
  const here = setOf(keys.days, policy.days);
  const windows = days
    .filter(({ day }) => here === null || here.has(keyOf(keys.days, day.code)))
    .map(({ day, opens, closes, lockedAt }) => {
      const from = opens - policy.opens_minutes_before * 60_000;
      const to = closes + policy.closes_minutes_after * 60_000;
      return { date: day.date, code: day.code, day: keyOf(keys.days, day.code), from, to, lockedAt };
    })
    .filter((window) => window.from < window.to)
    .sort((a, b) => a.from - b.from || compare(a.date, b.date) || compare(a.code, b.code))
    .map(({ day, from, to, lockedAt }) => ({
      day,
      from,
      to,
      lockedAt,
      opensOn: dateAt(from),
      endsOn: dateAt(to),
    }));
  return {
    key: keyOf(keys.points, point.code),
    name: point.name ?? point.code,
    kind: point.kind,
    windows,
    types: setOf(keys.types, policy.attendee_types),
    groups: withSubtree(world, keys.groups, setOf(keys.groups, policy.groups)),
    products: setOf(keys.products, policy.products),
    limit: policy.limit,
    cooldown: policy.cooldown_seconds * 1000,
    requires: policy.requires,
    capacity: point.kind === 'zone' ? policy.capacity : null,
    leaves: policy.leaves === null ? null : keyOf(keys.points, policy.leaves),
  };
}

function timesOf(timezone: string, day: Day): Omit<DayTimes, 'day'> {
  if (!isDate(day.date)) throw new RangeError(`day ${day.code}: ${day.date} is not a date`);
  return {
    opens: timeOf(day, 'opens_at') ?? startOfDate(timezone, day.date),
    closes: timeOf(day, 'closes_at') ?? startOfDate(timezone, nextDate(day.date)),
    lockedAt: timeOf(day, 'locked_at') ?? Number.POSITIVE_INFINITY,
  };
}

/** Throws for a time that cannot be read, because the day would otherwise never open and nobody would know why. */
function timeOf(day: Day, field: 'opens_at' | 'closes_at' | 'locked_at'): number | null {
  const text = day[field] ?? null;
  if (text === null) return null;
  const at = instant(text);
  if (Number.isNaN(at)) throw new RangeError(`day ${day.code}: ${field} ${text} is not an instant`);
  return at;
}

function keysOf(things: readonly NamedObject[]): Keys {
  const keys = new Map<string, string>();
  for (const { id, code } of things) {
    const key = id ?? code;
    for (const spelling of [key, code, code.toLowerCase()]) if (!keys.has(spelling)) keys.set(spelling, key);
  }
  return keys;
}

function setOf(keys: Keys, references: readonly string[] | null): Set<string> | null {
  return references === null ? null : new Set(references.map((reference) => keyOf(keys, reference)));
}

function withSubtree(world: World, keys: Keys, admitted: Set<string> | null): Set<string> | null {
  if (admitted === null) return null;
  // Repeats until nothing is added any more: a parent may be listed after its children. A circle of parents ends, too.
  for (let size = -1; size !== admitted.size; ) {
    size = admitted.size;
    for (const group of world.groups) {
      const parent = group.parent ?? null;
      if (parent !== null && admitted.has(keyOf(keys, parent))) admitted.add(keyOf(keys, group.code));
    }
  }
  return admitted;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
