import {
  type CurrentPrice,
  type EventStatus,
  isOnSale,
  type PricePhase,
  type ProductTaker,
  priceAt,
} from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, listedEvents, type ProductOption } from '../events/index.ts';

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

/** A product that is offered now. Hidden ones, and those that are not on sale, are never read here. */
export interface ShownProduct {
  id: Id;
  event_id: Id;
  code: string;
  name: string;
  description: string | null;
  price_minor: number;
  options: ProductOption[];
  capacity: number | null;
  per: ProductTaker;
  max: number;
  required: boolean;
  attendee_type_ids: Id[] | null;
  day_ids: Id[] | null;
  on_sale: { from: string | null; until: string | null } | null;
}

/** A limit that products share with each other, or with people. */
export interface SharedLimit {
  id: Id;
  event_id: Id;
  capacity: number;
  product_ids: Id[];
}

/** How many are taken and how many registrations wait, in one scope: the event, a day, a type, a product, an option or a shared limit. */
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
  products: ShownProduct[];
  limits: SharedLimit[];
  placeCounts: ReadonlyMap<Id, PlaceCounts>;
}

/** States in which an event has a page. Drafts are only previewed, and archived events are gone. */
export const SHOWN: readonly EventStatus[] = ['published', 'closed'];

/** Reads what these events offer and what is taken of it: five statements, however many events there are. */
export async function readPublic(tx: Tx, org: Id, events: readonly EventRow[]): Promise<PublicEvent[]> {
  const ids = events.map(({ id }) => id);
  const mine = sql`org_id = ${org} and event_id = any(${ids}::uuid[])`;
  const [days, types, products, limits, placeRows] = await Promise.all([
    tx.all<ShownDay>(sql`
      select id, event_id, code, name, date, opens_at, closes_at, capacity from days where ${mine} order by date, code`),
    readTypes(tx, sql`${mine} and visible`),
    tx.all<ShownProduct>(sql`
      select id, event_id, code, name, description, price_minor, options, capacity, per, max, required, attendee_type_ids, day_ids,
        on_sale from products
      where ${mine} and visible order by created_at, id`),
    tx.all<SharedLimit>(sql`
      select id, event_id, capacity, product_ids from quotas where ${mine} and product_ids is not null`),
    tx.all<PlaceCounts & { test: boolean }>(sql`
      select event_id, scope_id, test, taken, waiting from places where ${mine}`),
  ]);
  const daysOf = byEvent(days);
  const now = tx.clock.now();
  const typesOf = byEvent(types);
  const productsOf = byEvent(products.filter((product) => isOnSale(product.on_sale, now)));
  const limitsOf = byEvent(limits);
  const takenOf = byEvent(placeRows);
  return events.map((event) => ({
    event,
    days: daysOf.get(event.id) ?? [],
    types: typesOf.get(event.id) ?? [],
    products: productsOf.get(event.id) ?? [],
    limits: limitsOf.get(event.id) ?? [],
    // A test event counts its test registrations, all others their live ones.
    placeCounts: new Map(
      (takenOf.get(event.id) ?? []).filter(({ test }) => test === event.test).map((row) => [row.scope_id, row]),
    ),
  }));
}

async function readTypes(tx: Tx, where: Sql): Promise<ShownType[]> {
  const now = tx.clock.now();
  const rows = await tx.all<Omit<ShownType, 'price'>>(sql`
    select id, event_id, code, name, description, price_minor, prices, on_sale, min_per_registration, max_per_registration,
      capacity, day_ids, pass_days, approval from attendee_types
    where ${where} order by created_at, id`);
  return rows.map((type) => ({ ...type, price: priceAt(type, now) }));
}

/** Hidden types that a code reveals. */
export const readRevealed = (tx: Tx, org: Id, event: Id, ids: readonly Id[]): Promise<ShownType[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : readTypes(tx, sql`org_id = ${org} and event_id = ${event} and id = any(${ids}::uuid[]) and not visible`);

/** Whether the event has any code, so that it makes sense to ask for one. */
export const hasCodes = async (tx: Tx, org: Id, event: Id): Promise<boolean> =>
  (await tx.maybe(sql`select from discounts where org_id = ${org} and event_id = ${event} and active limit 1`)) !==
  null;

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
