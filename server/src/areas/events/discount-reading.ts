import { type Discount, discountKey, HOLDING_PLACES } from '@turnout/contract';
import { type Id, isUlid, toUlid, toUuid } from '../../common/ids.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { eventGroup, inReach } from '../groups/index.ts';
import { DISCOUNT_COLUMNS, type DiscountRow } from './discount-rows.ts';
import type { EventRow } from './queries.ts';
import { hasWords } from './search.ts';

/** A discount with the codes of what it names, as it is shown. */
export interface ShownDiscount extends DiscountRow {
  attendee_type_codes: string[] | null;
  product_codes: string[] | null;
  reveal_codes: string[];
  group_code: string | null;
}

const codesOf = (table: 'attendee_types' | 'products', ids: Sql): Sql => sql`array(
  select p.code from ${table === 'products' ? sql`products` : sql`attendee_types`} p
  where p.org_id = d.org_id and p.id = any(${ids}) order by p.code)`;

/** Whoever reaches the event's group sees all of its discounts; others see those whose group they reach. */
const visible = ({ caller }: Pick<Reach, 'caller'>, event: EventRow): Sql =>
  caller.group === null
    ? sql`true`
    : sql`(${inReach(caller, eventGroup(event))} or ${inReach(caller, sql`d.group_id`)})`;

/** The same of the discount that `x.object_id` names (road/read/removed.ts). */
export const removedDiscountIsVisible = (reach: Reach, event: EventRow): Sql => sql`exists (
  select from discounts d where d.org_id = x.org_id and d.id = x.object_id and ${visible(reach, event)} offset 0)`;

export const listDiscounts = (
  reach: Reach,
  event: EventRow,
  where: Sql,
  order: Sql = sql``,
): Promise<ShownDiscount[]> =>
  reach.tx.all<ShownDiscount>(sql`
    select ${DISCOUNT_COLUMNS},
      case when d.attendee_type_ids is not null then ${codesOf('attendee_types', sql`d.attendee_type_ids`)} end as attendee_type_codes,
      case when d.product_ids is not null then ${codesOf('products', sql`d.product_ids`)} end as product_codes,
      ${codesOf('attendee_types', sql`d.reveal_ids`)} as reveal_codes,
      (select g.code from groups g where g.org_id = d.org_id and g.id = d.group_id) as group_code
    from discounts d
    where d.org_id = ${reach.org} and d.event_id = ${event.id} and ${every([visible(reach, event), where])} ${order}`);

/** By its id or its code, which may look like an id. */
export const aDiscount = reference<ShownDiscount, { event: EventRow }>({
  kind: 'discount',
  byCode: true,
  find: async (reach, ref, { event }) => {
    const byCode = sql`d.code_key = ${discountKey(ref)}`;
    const id = isUlid(ref) ? toUuid(ref) : null;
    const found = await listDiscounts(reach, event, id === null ? byCode : sql`(d.id = ${id} or ${byCode})`);
    return found.find((one) => one.id === id) ?? found[0] ?? null;
  },
});

/**
 * Whether the code begins with the search, or the name has its words. An event has at most 20,000 discounts, and those that one job
 * made share their name, so each name is looked at once and none is indexed.
 */
export const discountIsFoundBy = (org: Id, event: Id, search: string): Sql => {
  const key = discountKey(search);
  return sql`(${key === '' ? sql`false` : sql`starts_with(d.code_key, ${key})`} or d.name = any(array(
    select names.name from (select distinct n.name from discounts n where n.org_id = ${org} and n.event_id = ${event}) names
    where ${hasWords(sql`names.name`, search)})))`;
};

/** What these discounts have taken off for those who hold places: in a live event for live registrations, in a test event for its tests. */
export async function givenOf(tx: Tx, org: Id, event: EventRow, ids: readonly Id[]): Promise<(id: Id) => number> {
  if (ids.length === 0) return () => 0;
  const lines = (products: Sql) =>
    sql`(select coalesce(sum((line->>'discount_minor')::bigint), 0) from jsonb_array_elements(${products}) line)`;
  const held = (alias: 'a' | 'r') => {
    const of = (column: string) => name(`${alias}.${column}`);
    return sql`${of('org_id')} = ${org} and ${of('discount_id')} = any(${ids}::uuid[]) and ${of('test')} = ${event.test}
      and ${of('status')} = any(${HOLDING_PLACES})`;
  };
  const rows = await tx.all<{ id: Id; given_minor: number }>(sql`
    select l.discount_id as id, sum(l.minor)::bigint as given_minor from (
      select a.discount_id, a.discount_minor + ${lines(sql`a.products`)} as minor from attendees a where ${held('a')}
      union all
      select r.discount_id, ${lines(sql`r.products`)} from registrations r where ${held('r')}) l
    group by 1`);
  const given = new Map(rows.map((row) => [row.id, row.given_minor]));
  return (id) => given.get(id) ?? 0;
}

export const discountShape = (row: ShownDiscount, event: EventRow, given_minor: number): Discount => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  kind: row.kind,
  value: row.value,
  attendee_types: row.attendee_type_codes,
  products: row.product_codes,
  reveals: row.reveal_codes,
  opens_at: row.opens_at,
  closes_at: row.closes_at,
  max_people: row.max_people,
  max_people_per_registration: row.max_people_per_registration,
  min_people: row.min_people,
  group: row.group_code,
  note: row.note,
  active: row.active,
  used: event.test ? row.used_test : row.used,
  given_minor,
  ...stamps(row),
});
