import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { ScanWorld } from './world.ts';

/*
 * What people have booked, as the door needs it: of the products that a point asks for those that somebody has booked, alone or with the
 * whole registration. Nothing of this is read in an event where no point asks for products.
 */

/**
 * In steps, as the tickets are read (`readTickets`): left to itself, PostgreSQL went through all registrations of the organization and all
 * of their people, which took three times as long for half the people of one registration of 4,000 (measured). A product comes as its
 * number in the list: 20,000 people, as many as a batch may have, who booked 100 of them each would be 74 MB of ids.
 */
export async function readBooked(tx: Tx, org: Id, people: readonly Id[], products: readonly Id[]) {
  const numbers = JSON.stringify(Object.fromEntries(products.map((id, n) => [id, n])));
  const rows = await tx.all<{ attendee_id: Id; numbers: number[] }>(sql`
    with people as materialized (
      select id, registration_id, products from attendees where org_id = ${org} and id = any(${people}::uuid[])),
    whole as materialized (
      select id, products from registrations
      where org_id = ${org} and id = any(array(select distinct registration_id from people)))
    select p.id as attendee_id, array(
      select distinct n from (
        select (${numbers}::jsonb ->> (line->>'product_id'))::int as n
        from jsonb_array_elements(p.products || w.products) line) l
      where n is not null) as numbers
    from people p join whole w on w.id = p.registration_id`);
  return rows.map((row) => ({ attendee_id: row.attendee_id, products: row.numbers.map((n) => products[n]!) }));
}

/** A column of the roster's people `a` of registrations `r`: the ids of products; no column where no point asks for any. */
export function bookedAtDoor({ askedProducts }: ScanWorld): Sql {
  if (askedProducts.size === 0) return sql``;
  return sql`, array(
    select distinct l->>'product_id' from jsonb_array_elements(a.products || r.products) l where l->>'product_id' = any(${[...askedProducts.keys()]}::text[]) order by 1) as products`;
}
