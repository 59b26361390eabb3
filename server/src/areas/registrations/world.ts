import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AttendeeTypeRow,
  attendeeTypes,
  type DayRow,
  days,
  type EventRow,
  type ProductRow,
  products,
  type QuestionRow,
  type QuotaRow,
  questions,
  quotas,
} from '../events/index.ts';

/** An event with its structure: days, attendee types, products, shared limits and questions. */
export interface EventWorld {
  event: EventRow;
  days: Map<Id, DayRow>;
  types: Map<Id, AttendeeTypeRow>;
  products: Map<Id, ProductRow>;
  quotas: Map<Id, QuotaRow>;
  questions: QuestionRow[];
  /** Whether a question is filterable, so that whoever saves attendees also writes their answers (`writeAnswers`). */
  filtered: boolean;
  /** The days in order of their dates. */
  dayOrder: Id[];
}

/** How many events' structures are kept in memory. */
const KEPT = 500;
const cache = new Map<string, { version: number; world: Omit<EventWorld, 'event'> }>();

/**
 * The structure of an event. It is cached in memory, and used only if its version is the one that this transaction has read with the
 * event. Every change of the structure holds the event clock, so under the clock it cannot change.
 */
export async function worldOf(tx: Tx, org: Id, event: EventRow): Promise<EventWorld> {
  const known = cache.get(event.id);
  if (known !== undefined && known.version === event.world_version) return { event, ...known.world };
  const everything = [sql`true`, sql`order by t.id`] as const;
  const [dayRows, typeRows, productRows, quotaRows, questionRows] = await Promise.all([
    days.all(tx, org, event.id, ...everything),
    attendeeTypes.all(tx, org, event.id, ...everything),
    products.all(tx, org, event.id, ...everything),
    quotas.all(tx, org, event.id, ...everything),
    questions.all(tx, org, event.id, ...everything),
  ]);
  const inOrder = [...dayRows].sort((a, b) => (a.date < b.date || (a.date === b.date && a.code < b.code) ? -1 : 1));
  const world = {
    days: new Map(dayRows.map((day) => [day.id, day])),
    types: new Map(typeRows.map((type) => [type.id, type])),
    products: new Map(productRows.map((product) => [product.id, product])),
    quotas: new Map(quotaRows.map((quota) => [quota.id, quota])),
    questions: questionRows,
    filtered: questionRows.some((question) => question.filter_id !== null),
    dayOrder: inOrder.map((day) => day.id),
  };
  if (cache.size >= KEPT) cache.delete(cache.keys().next().value!);
  cache.set(event.id, { version: event.world_version, world });
  return { event, ...world };
}

/** The days for which an attendee type is offered. */
export const daysOf = (world: EventWorld, type: AttendeeTypeRow): Id[] =>
  type.day_ids === null ? world.dayOrder : world.dayOrder.filter((day) => type.day_ids!.includes(day));

export const inDayOrder = (world: EventWorld, ids: readonly Id[]): Id[] =>
  world.dayOrder.filter((day) => ids.includes(day));
