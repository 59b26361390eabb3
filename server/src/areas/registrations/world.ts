import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AttendeeTypeRow,
  attendeeTypes,
  type DayRow,
  days,
  type EventRow,
  type QuestionRow,
  questions,
} from '../events/index.ts';

/** An event with its structure, as registering reads it. */
export interface EventWorld {
  event: EventRow;
  days: Map<Id, DayRow>;
  types: Map<Id, AttendeeTypeRow>;
  questions: QuestionRow[];
  /** In the order people expect: by date. */
  dayOrder: Id[];
}

const KEPT = 500;
const cache = new Map<string, { version: number; world: Omit<EventWorld, 'event'> }>();

/**
 * The structure is kept in memory and trusted only if its version is the one just read in this transaction, under the
 * event's clock, which every change of the structure holds too.
 */
export async function worldOf(tx: Tx, org: Id, event: EventRow): Promise<EventWorld> {
  const known = cache.get(event.id);
  if (known !== undefined && known.version === event.world_version) return { event, ...known.world };
  const everything = [sql`true`, sql`order by t.id`] as const;
  const [dayRows, typeRows, questionRows] = await Promise.all([
    days.all(tx, org, event.id, ...everything),
    attendeeTypes.all(tx, org, event.id, ...everything),
    questions.all(tx, org, event.id, ...everything),
  ]);
  const inOrder = [...dayRows].sort((a, b) => (a.date < b.date || (a.date === b.date && a.code < b.code) ? -1 : 1));
  const world = {
    days: new Map(dayRows.map((day) => [day.id, day])),
    types: new Map(typeRows.map((type) => [type.id, type])),
    questions: questionRows,
    dayOrder: inOrder.map((day) => day.id),
  };
  if (cache.size >= KEPT) cache.delete(cache.keys().next().value!);
  cache.set(event.id, { version: event.world_version, world });
  return { event, ...world };
}

/** The days a type is offered for. */
export const daysOf = (world: EventWorld, type: AttendeeTypeRow): Id[] =>
  type.day_ids === null ? world.dayOrder : world.dayOrder.filter((day) => type.day_ids!.includes(day));

export const inDayOrder = (world: EventWorld, ids: readonly Id[]): Id[] =>
  world.dayOrder.filter((day) => ids.includes(day));
