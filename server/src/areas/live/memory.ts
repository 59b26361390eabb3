import { LIVE_MINUTES, type LiveSnapshot, trimmed } from '@turnout/contract';
import { MINUTE } from '../../clock.ts';
import type { Id } from '../../store/ids.ts';
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

/**
 * What is known of an event that somebody watches: the counts up to a time of the event clock. Check-ins recorded later are added.
 * When earlier ones have changed (`unsettled_at`), all are counted again.
 */
export class LiveMemory {
  #upTo: string | null = null;
  #cells = new Map<string, Cell>();
  #inside = new Map<string, InsideCell>();
  /** The time of the clock up to which earlier check-ins were settled when they were counted. */
  #countedAt = '';
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

  #isDue({ unsettled_at }: EventClock): boolean {
    if (this.#upTo === null) return true;
    const age = performance.now() - this.#recounted;
    const unsettled = unsettled_at !== null && sixDecimals(unsettled_at) > sixDecimals(this.#countedAt);
    return (unsettled || age > RECOUNT_EVERY_MS) && age > REST * this.#recountTook;
  }

  #shape(
    { event, tx }: LiveScope,
    world: LiveWorld,
    clock: EventClock,
    byDay: Map<Id, { expected: number; came: number }>,
    check_ins: LiveSnapshot['check_ins'],
    devices: LiveSnapshot['devices'],
  ): LiveSnapshot {
    const cells = [...this.#cells.values()];
    const inside = [...this.#inside.values()];
    const now = tx.clock.now().getTime();
    const open = new Set<Id | null>([null]);
    for (const day of world.days) if (Date.parse(closesAt(day, event.timezone)) > now) open.add(day.id);
    const entries = new Set(world.points.filter((point) => point.kind === 'entry').map((point) => point.id));
    return trimmed({
      as_of: sixDecimals(clock.at),
      check_in_points: world.points.map(({ id, code, kind }) => ({
        check_in_point: code,
        kind,
        admissions: sum(cells, (cell) => cell.point === id && cell.refused === null),
        refusals: sum(cells, (cell) => cell.point === id && cell.refused !== null),
        inside: sum(inside, (cell) => cell.point === id && open.has(cell.day)),
      })),
      days: world.days.map(({ id, code }) => ({
        day: code,
        ...(byDay.get(id) ?? { expected: 0, came: 0 }),
        admissions: sum(cells, (cell) => cell.day === id && isEntry(cell)),
        refusals: sum(cells, (cell) => cell.day === id && cell.refused !== null),
        inside: sum(inside, (cell) => cell.day === id && entries.has(cell.point)),
      })),
      attendee_types: world.types.map(({ id, code }) => ({
        attendee_type: code,
        admissions: sum(cells, (cell) => cell.type === id && isEntry(cell)),
        refusals: sum(cells, (cell) => cell.type === id && cell.refused !== null),
      })),
      reasons: grouped(cells, (cell) => cell.refused).map(([reason, refusals]) => ({ reason, refusals })),
      minutes: grouped(cells, (cell) => cell.minute).map(([minute, admissions]) => ({ minute, admissions })),
      check_ins,
      devices,
    });
  }
}

const isEntry = (cell: Cell): boolean => cell.kind === 'entry' && cell.refused === null;

function add<C extends { count: number }>(cells: Map<string, C>, key: string, cell: C): void {
  const known = cells.get(key);
  if (known === undefined) cells.set(key, { ...cell });
  else known.count += cell.count;
}

const sum = <C extends { count: number }>(cells: readonly C[], which: (cell: C) => boolean): number =>
  cells.reduce((total, cell) => (which(cell) ? total + cell.count : total), 0);

const grouped = (cells: readonly Cell[], key: (cell: Cell) => string | null): [string, number][] => {
  const sums = new Map<string, number>();
  for (const cell of cells) {
    const of = key(cell);
    if (of !== null) sums.set(of, (sums.get(of) ?? 0) + cell.count);
  }
  return [...sums];
};
