import { type CurrentPrice, type EventStatus, type PricePhase, priceAt } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, listedEvents } from '../events/index.ts';

/** A day of an event, as the pages show it. */
export interface ShownDay {
  id: Id;
  event_id: Id;
  code: string;
  name: string;
  date: string;
  opens_at: string | null;
  closes_at: string | null;
  capacity: number | null;
}

/** An attendee type that is offered. Hidden ones are never read here. */
export interface ShownType {
  id: Id;
  event_id: Id;
  code: string;
  name: string;
  description: string | null;
  /** The regular price. */
  price_minor: number;
  prices: PricePhase[];
  /** What it costs now. */
  price: CurrentPrice;
  on_sale: { from: string | null; until: string | null } | null;
  min_per_registration: number | null;
  max_per_registration: number | null;
  capacity: number | null;
  day_ids: Id[] | null;
  pass_days: number | null;
  approval: boolean;
}

/** How many places are taken and how many registrations wait, in the event, on a day or of a type. */
export interface PlaceCounts {
  event_id: Id;
  scope_id: Id;
  taken: number;
  waiting: number;
}

/** An event with all that decides what can be had of it. */
export interface PublicEvent {
  event: EventRow;
  /** In the order of their dates. */
  days: ShownDay[];
  types: ShownType[];
  placeCounts: ReadonlyMap<Id, PlaceCounts>;
}

/** States in which an event has a page. Drafts are only previewed, and archived events are gone. */
export const SHOWN: readonly EventStatus[] = ['published', 'closed'];

/** Reads days, offered types and counts of these events: three statements, however many events there are. */
export async function readPublic(tx: Tx, org: Id, events: readonly EventRow[]): Promise<PublicEvent[]> {
  const ids = events.map(({ id }) => id);
  const mine = sql`org_id = ${org} and event_id = any(${ids}::uuid[])`;
  const [days, types, placeRows] = await Promise.all([
    tx.all<ShownDay>(sql`
      select id, event_id, code, name, date, opens_at, closes_at, capacity from days where ${mine} order by date, code`),
    tx.all<Omit<ShownType, 'price'>>(sql`
      select id, event_id, code, name, description, price_minor, prices, on_sale, min_per_registration, max_per_registration,
        capacity, day_ids, pass_days, approval from attendee_types
      where ${mine} and visible order by created_at, id`),
    tx.all<PlaceCounts & { test: boolean }>(sql`
      select event_id, scope_id, test, taken, waiting from places where ${mine}`),
  ]);
  const daysOf = byEvent(days);
  const now = tx.clock.now();
  const typesOf = byEvent(types.map((type) => ({ ...type, price: priceAt(type, now) })));
  const takenOf = byEvent(placeRows);
  return events.map((event) => ({
    event,
    days: daysOf.get(event.id) ?? [],
    types: typesOf.get(event.id) ?? [],
    // A test event counts its test registrations, all others their live ones.
    placeCounts: new Map(
      (takenOf.get(event.id) ?? []).filter(({ test }) => test === event.test).map((row) => [row.scope_id, row]),
    ),
  }));
}

const byEvent = <Row extends { event_id: Id }>(rows: readonly Row[]): Map<Id, Row[]> =>
  Map.groupBy(rows, (row) => row.event_id);

/** Where the next page of the list begins. */
export interface After {
  begins_at: string;
  id: Id;
}

/** The published and listed events that are not over, in the order of their dates; one more than a page if there are more. */
export function listPublic(tx: Tx, org: Id, after: After | null, limit: number): Promise<EventRow[]> {
  const from: Sql =
    after === null ? sql`true` : sql`(e.begins_at, e.id) > (${after.begins_at}::timestamptz, ${after.id}::uuid)`;
  return listedEvents(tx, org, tx.clock.now(), from, limit);
}
