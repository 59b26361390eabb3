import { LIVE_MINUTES, type LiveSnapshot, trimmed } from '@turnout/contract';
import { MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { sixDecimals } from '../../store/stamps.ts';
import { closesAt } from '../events/index.ts';
import type { EventClock } from '../registrations/index.ts';
import { type Cell, type InsideCell, type LiveScope, readCells, readInside, readMoves } from './cells.ts';
import { type LiveWorld, readDays, readDevices, readLast, readWorld } from './read.ts';

/** Attendees may change their type without a sign of it at the clock, so everything is counted again at least this often. */
const RECOUNT_EVERY_MS = MINUTE;
/**
 * Counting an event again takes as long as it has check-ins. If it took a second, the next time is nine seconds later at the earliest,
 * so that a large event in which somebody undoes one check-in after the other costs a tenth of a connection at most.
 */
const REST = 9;
const NEVER = '0001-01-01T00:00:00Z';

/**
 * What is known of an event that somebody watches: the counts up to a time of the event clock. Check-ins recorded later are added.
 * When earlier ones have changed (`unsettled_at`), all are counted again.
 */
export class LiveMemory {
  #upTo: string | null = null;
  #cells = new Map<string, Cell>();
  #inside = new Map<string, InsideCell>();
  /** The time of the clock when all were counted. */
  #countedAt = NEVER;
  #recounted = Number.NEGATIVE_INFINITY;
  #recountTook = 0;

  /** The snapshot at the time of the clock. */
  async read(scope: LiveScope, clock: EventClock): Promise<LiveSnapshot> {
    const world = await readWorld(scope);
    await this.#count(scope, world, clock);
    const [byDay, check_ins, devices] = await Promise.all([
      readDays(scope, clock),
      readLast(scope, world),
      readDevices(scope),
    ]);
    return this.#shape(scope, world, clock, byDay, check_ins, devices);
  }

  async #count(scope: LiveScope, world: LiveWorld, clock: EventClock): Promise<void> {
    const zones = world.points.filter((point) => point.kind === 'zone').map((point) => point.id);
    const since = this.#isDue(clock) ? null : this.#upTo;
    const began = performance.now();
    const minutesFrom = new Date(scope.tx.clock.now().getTime() - (LIVE_MINUTES + 1) * MINUTE);
    const [cells, inside] = await Promise.all([
      readCells(scope, since, minutesFrom),
      since === null ? readInside(scope, zones) : readMoves(scope, zones, since),
    ]);
    if (since === null) {
      this.#cells = new Map();
      this.#inside = new Map();
      this.#countedAt = clock.at;
      this.#recounted = performance.now();
      this.#recountTook = this.#recounted - began;
    }
    this.#upTo = clock.at;
    const { points, days, types } = world;
    const has = (list: readonly { id: Id }[], id: Id | null) => id === null || list.some((one) => one.id === id);
    for (const cell of cells) {
      if (!has(points, cell.point) || !has(days, cell.day) || !has(types, cell.type)) continue;
      const key = `${cell.point} ${cell.kind} ${cell.day} ${cell.type} ${cell.refused} ${cell.minute}`;
      add(this.#cells, key, cell);
    }
    for (const cell of inside) add(this.#inside, `${cell.point} ${cell.day}`, cell);
  }

  #isDue(clock: EventClock): boolean {
    if (this.#upTo === null || this.isBehind(clock)) return true;
    const age = performance.now() - this.#recounted;
    return age > RECOUNT_EVERY_MS && age > REST * this.#recountTook;
  }

  /** Whether earlier check-ins have changed since they were counted, and it is time to count them again. */
  isBehind({ unsettled_at }: EventClock): boolean {
    const unsettled = unsettled_at !== null && sixDecimals(unsettled_at) > sixDecimals(this.#countedAt);
    return unsettled && performance.now() - this.#recounted > REST * this.#recountTook;
  }

  #shape(
    { event, tx }: LiveScope,
    world: LiveWorld,
    clock: EventClock,
    byDay: Map<Id, { expected: number; came: number }>,
    check_ins: LiveSnapshot['check_ins'],
    devices: LiveSnapshot['devices'],
  ): LiveSnapshot {
    const sums = this.#sums();
    const now = tx.clock.now().getTime();
    const open = [
      null,
      ...world.days.filter((day) => Date.parse(closesAt(day, event.timezone)) > now).map((day) => day.id),
    ];
    const entries = world.points.filter((point) => point.kind === 'entry');
    const inside = (point: Id, day: Id | null) => this.#inside.get(`${point} ${day}`)?.count ?? 0;
    const total = <T>(of: readonly T[], number: (one: T) => number) => of.reduce((all, one) => all + number(one), 0);
    return trimmed({
      as_of: sixDecimals(clock.at),
      check_in_points: world.points.map(({ id, code, kind }) => ({
        check_in_point: code,
        kind,
        admissions: sums.of('passed', id),
        refusals: sums.of('refused', id),
        inside: total(open, (day) => inside(id, day)),
      })),
      days: world.days.map(({ id, code }) => ({
        day: code,
        ...(byDay.get(id) ?? { expected: 0, came: 0 }),
        admissions: sums.of('entered', id),
        refusals: sums.of('refused', id),
        inside: total(entries, (point) => inside(point.id, id)),
      })),
      attendee_types: world.types.map(({ id, code }) => ({
        attendee_type: code,
        admissions: sums.of('entered', id),
        refusals: sums.of('refused', id),
      })),
      reasons: sums.all('reason').map(([reason, refusals]) => ({ reason, refusals })),
      minutes: sums.all('minute').map(([minute, admissions]) => ({ minute, admissions })),
      check_ins,
      devices,
    });
  }

  /** Adds the cells up, each to all numbers that it belongs to. Ids are unique across points, days and types. */
  #sums(): Sums {
    const sums = new Sums();
    for (const { point, kind, day, type, refused, minute, count } of this.#cells.values()) {
      if (refused !== null) {
        for (const id of [point, day, type]) sums.add('refused', id, count);
        sums.add('reason', refused, count);
        continue;
      }
      sums.add('passed', point, count);
      if (kind !== 'entry') continue;
      for (const id of [day, type]) sums.add('entered', id, count);
      sums.add('minute', minute, count);
    }
    return sums;
  }
}

type Sum = 'passed' | 'entered' | 'refused' | 'reason' | 'minute';

class Sums {
  readonly #sums = new Map<Sum, Map<string, number>>();

  add(sum: Sum, key: string | null, count: number): void {
    if (key === null) return;
    const known = this.#sums.get(sum) ?? new Map<string, number>();
    this.#sums.set(sum, known.set(key, (known.get(key) ?? 0) + count));
  }

  of(sum: Sum, key: string): number {
    return this.#sums.get(sum)?.get(key) ?? 0;
  }

  all(sum: Sum): [string, number][] {
    return [...(this.#sums.get(sum) ?? [])];
  }
}

function add<C extends { count: number }>(cells: Map<string, C>, key: string, cell: C): void {
  const known = cells.get(key);
  if (known === undefined) cells.set(key, { ...cell });
  else known.count += cell.count;
}
