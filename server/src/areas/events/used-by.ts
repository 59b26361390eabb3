import type { Id } from '../../common/ids.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * What refers to a part of an event, in words; empty when nothing does. A part in use can neither be deleted nor get another
 * code: attendees, check-ins and policies show it, and other systems may know it by its code. The caller holds the event's
 * clock, and so does whoever adds a reference, so the answer stays true until the commit.
 */
export type UsedBy = (tx: Tx, org: Id, event: Id, id: Id) => Promise<string[]>;

/**
 * The reasons whose query finds a row. Each `exists` stops at the first row; organizers delete parts and change codes rarely.
 */
async function reasons(tx: Tx, uses: readonly (readonly [reason: string, query: Sql])[]): Promise<string[]> {
  const columns = uses.map(([, query], i) => sql`${i > 0 ? sql`, ` : sql``}exists (${query}) as ${name(`r${i}`)}`);
  const row = await tx.one<Record<string, boolean>>(columns.reduce((all, one) => sql`${all}${one}`, sql`select `));
  return uses.filter((_, i) => row[`r${i}`]).map(([reason]) => reason);
}

const limitedTo = (rows: readonly { what: string; code: string }[]): string[] =>
  rows.map((row) => `the ${row.what} ${row.code} is limited to it`);

/** So many are named at most: thousands of discounts may be limited to one type. */
const NAMED = 5;

export const dayUsedBy: UsedBy = async (tx, org, event, day) => {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'attendee type' as what, code from attendee_types where ${mine} and ${day} = any(day_ids)
    union all
    select 'product', code from products where ${mine} and ${day} = any(day_ids)
    union all
    select 'shared limit', code from quotas where ${mine} and ${day} = any(day_ids)
    union all
    select 'check-in point', code from check_in_points where ${mine} and ${day} = any(day_ids)`);
  const people = await reasons(tx, [
    ['attendees are registered for it', sql`select from attendees where ${mine} and ${day} = any(day_ids)`],
    ['tickets were issued for it', sql`select from tickets where ${mine} and ${day} = any(day_ids)`],
    ['tickets were scanned on it', sql`select from checkins where ${mine} and day_id = ${day}`],
    [
      'a communication is addressed to its attendees',
      sql`select from communications where ${mine} and ${day} = any(day_ids)`,
    ],
  ]);
  return [...people, ...limitedTo(rows)];
};

export const typeUsedBy: UsedBy = async (tx, org, event, type) => {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'question' as what, code from questions where ${mine} and ${type} = any(attendee_type_ids)
    union all
    select 'product', code from products where ${mine} and ${type} = any(attendee_type_ids)
    union all
    select 'shared limit', code from quotas where ${mine} and ${type} = any(attendee_type_ids)
    union all
    select 'discount', code from discounts where ${mine} and (${type} = any(attendee_type_ids) or ${type} = any(reveal_ids))
    union all
    select 'check-in point', code from check_in_points where ${mine} and ${type} = any(attendee_type_ids)
    limit ${NAMED}`);
  const people = await reasons(tx, [
    ['attendees are registered with it', sql`select from attendees where ${mine} and attendee_type_id = ${type}`],
    [
      'a communication is addressed to its attendees',
      sql`select from communications where ${mine} and ${type} = any(attendee_type_ids)`,
    ],
  ]);
  return [...people, ...limitedTo(rows)];
};

/** The lines of an event that name a product, of people and of whole registrations, cancelled ones too. */
const linesOf = (org: Id, event: Id, product: Id) => sql`
  select line->>'option_id' as option_id from (
    select products from attendees where org_id = ${org} and event_id = ${event} and products <> '[]'
    union all
    select products from registrations where org_id = ${org} and event_id = ${event} and products <> '[]') b
  cross join lateral jsonb_array_elements(b.products) line where line->>'product_id' = ${product}`;

export const productUsedBy: UsedBy = async (tx, org, event, product) => {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'shared limit' as what, code from quotas where ${mine} and ${product} = any(product_ids)
    union all
    select 'discount', code from discounts where ${mine} and ${product} = any(product_ids)
    union all
    select 'check-in point', code from check_in_points where ${mine} and ${product} = any(product_ids)
    limit ${NAMED}`);
  const taken = await reasons(tx, [
    ['somebody has booked it', linesOf(org, event, product)],
    ['it was handed out', sql`select from hand_outs where ${mine} and product_id = ${product}`],
  ]);
  return [...taken, ...limitedTo(rows)];
};

/** Those of a product's options that somebody has booked or was given. */
export async function optionsUsed(
  tx: Tx,
  org: Id,
  event: Id,
  product: Id,
  options: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const rows = await tx.all<{ option_id: Id }>(sql`
    select distinct option_id::uuid from (
      ${linesOf(org, event, product)}
      union all
      select option_id::text from hand_outs where org_id = ${org} and event_id = ${event} and product_id = ${product}) l
    where l.option_id = any(${options}::text[])`);
  return new Set(rows.map(({ option_id }) => option_id));
}

export const pointUsedBy: UsedBy = async (tx, org, event, point) => {
  const exits = await tx.all<{ code: string }>(sql`
    select code from check_in_points where org_id = ${org} and event_id = ${event} and leaves_id = ${point}`);
  const scanned = await reasons(tx, [
    ['tickets were scanned at it', sql`select from checkins where org_id = ${org} and check_in_point_id = ${point}`],
    ['codes were scanned at it', sql`select from unknown_scans where org_id = ${org} and check_in_point_id = ${point}`],
    [
      'something was handed out at it',
      sql`select from hand_outs where org_id = ${org} and event_id = ${event} and check_in_point_id = ${point}`,
    ],
  ]);
  return [...scanned, ...exits.map((exit) => `the exit ${exit.code} leads out of it`)];
};
