import type { Id } from '../../common/ids.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { attendeeInReach, eventGroup, inSubtree, registrationFullyInReach } from '../groups/index.ts';
import type { BookedLine } from '../registrations/index.ts';
import { shared } from './export-shared.ts';
import { amount, type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { amountText, type ExportScope, ifGiven, ifGroupGiven, ownMode, registrant } from './export-world.ts';

interface Row extends ExportRow, BookedLine {
  registration_id: Id;
  registration_code: string;
  /** Null: booked for the registration as a whole. Then the names and so on are the registrant's. */
  attendee_id: Id | null;
  attendee_type_id: Id | null;
  group_id: Id | null;
  day_ids: Id[] | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  discount_code: string | null;
  currency: string;
  status: string;
  test: boolean;
  changed_at: string;
}

/** What the registration and each of its attendees has booked, as far as the caller may see it, numbered in this order. */
const booked = (scope: ExportScope): Sql => {
  const event = eventGroup(scope.event);
  return sql`
    cross join lateral (
      select b.*, row_number() over (order by b.position, b.n)::int as line from (
        select -1 as position, e.n, e.booked, null::uuid as attendee_id, null::uuid as attendee_type_id,
          case when ${inSubtree(scope, sql`r.group_id`)} then r.group_id end as group_id, null::uuid[] as day_ids,
          ${registrant(scope, sql`r.first_name`)} as first_name, ${registrant(scope, sql`r.last_name`)} as last_name,
          ${registrant(scope, sql`r.email`)} as email, ${registrant(scope, sql`r.phone`)} as phone, r.status, r.updated_at
        from jsonb_array_elements(r.products) with ordinality e(booked, n)
        where ${registrationFullyInReach(scope, 'r', event)}
        union all
        select a.position, e.n, e.booked, a.id, a.attendee_type_id, a.group_id, a.day_ids, a.first_name, a.last_name, a.email, a.phone,
          a.status, a.updated_at
        from attendees a cross join lateral jsonb_array_elements(a.products) with ordinality e(booked, n)
        where a.org_id = r.org_id and a.registration_id = r.id and ${attendeeInReach(scope, 'a', event)}) b) l`;
};

const lineTotal = ({ price_minor, quantity, discount_minor }: Row): number => price_minor * quantity - discount_minor;

/** One row per line that somebody has booked: units of one product and option, at one price. */
export const productSheet: Sheet<'products', Row> = {
  title: 'Products',
  columns: {
    first_name: shared.first_name,
    last_name: shared.last_name,
    email: shared.email,
    attendee_type: plain('Type', (row, world) => world.typeCode(row.attendee_type_id)),
    group: shared.group,
    product: shared.product,
    option: shared.option,
    quantity: plain('Quantity', (row) => row.quantity, 10),
    price: amount('Price', (row) => amountText(row.price_minor, row.currency)),
    discount: amount('Discount', (row) => amountText(row.discount_minor, row.currency)),
    total: amount('Total', (row) => amountText(lineTotal(row), row.currency)),
    currency: shared.currency,
    handed_out: plain('Handed out', (row) => row.handed_out, 12),
    status: shared.status,
    registration: shared.registration,
    booked_for: shared.booked_for,
    phone: shared.phone,
    days: plain('Day', (row, world) => world.dayCodes(row.day_ids ?? [])),
    product_code: shared.product_code,
    option_code: shared.option_code,
    discount_code: shared.discount_code,
    updated_at: time('Updated at', (row) => row.changed_at),
    test: shared.test,
    attendee_id: shared.attendee_id,
    registration_id: shared.registration_id,
  },
  table: sql`registrations`,
  alias: 'r',
  order: 'updated_at',
  lines: booked,
  where: (scope, filter) =>
    every([
      sql`r.org_id = ${scope.org} and r.event_id = ${scope.event.id}`,
      ownMode(scope, 'r'),
      ifGiven(filter.product, 'uuid', sql`(l.booked->>'product_id')::uuid = ${filter.product}`),
      ifGiven(filter.status, 'text', sql`l.status = ${filter.status}`),
      ifGiven(filter.attendee_type, 'uuid', sql`l.attendee_type_id = ${filter.attendee_type}`),
      ifGiven(filter.day, 'uuid', sql`${filter.day} = any(l.day_ids)`),
      ifGroupGiven(scope, filter.group, sql`l.group_id`),
      filter.updated_since !== undefined && sql`l.updated_at >= ${filter.updated_since}::timestamptz`,
    ]),
  joins: sql``,
  select: (scope, wanted) => sql`
    r.id as registration_id, r.code as registration_code, l.attendee_id, l.attendee_type_id, l.group_id, l.day_ids,
    l.first_name, l.last_name, l.email, l.phone, l.status, r.test, r.currency, l.updated_at as changed_at,
    case when ${wanted.has('discount_code')} and (l.booked->>'discount_minor')::bigint > 0
      and ${registrationFullyInReach(scope, 'r', eventGroup(scope.event))} then r.discount_code end as discount_code,
    (l.booked->>'product_id')::uuid as product_id, (l.booked->>'option_id')::uuid as option_id,
    (l.booked->>'quantity')::int as quantity, (l.booked->>'price_minor')::bigint as price_minor,
    (l.booked->>'discount_minor')::bigint as discount_minor, (l.booked->>'handed_out')::int as handed_out`,
};
