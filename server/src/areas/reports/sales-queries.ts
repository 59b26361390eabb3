import { HOLDING_PLACES, MAX_SALES_CODES } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { attendeeInReach, eventGroup } from '../groups/index.ts';
import type { Window } from './intervals.ts';
import { type ReportScope, total, whole } from './scope.ts';

const HOLDING = [...HOLDING_PLACES];

const within = ({ from, to }: Window, registered: Sql): Sql => sql`
  ${registered} >= coalesce(${from ?? null}::timestamptz, '-infinity') and ${registered} < coalesce(${to ?? null}::timestamptz, 'infinity')`;

/** Attendees in reach who hold places, with their registrations `r`, whose currency it is. */
const ofAttendees = ({ org, event, limit, test }: ReportScope, range: Window): Sql => sql`
  a.org_id = ${org} and a.event_id = ${event.id} and a.test = ${test} and a.status = any(${HOLDING})
  and r.event_id = ${event.id} and ${attendeeInReach(limit, 'a', eventGroup(event))} and ${within(range, sql`a.created_at`)}`;

/** Registrations that hold places and of which the caller reaches every attendee. */
const ofRegistrations = (scope: ReportScope, range: Window): Sql => sql`
  ${whole(scope)} and r.status = any(${HOLDING}) and ${within(range, sql`r.created_at`)}`;

export interface TicketRow {
  currency: string;
  type: Id;
  /** The name of the price; null: the regular one. */
  name: string | null;
  people: number;
  price_minor: number;
  discount_minor: number;
}

export const readTickets = (scope: ReportScope, range: Window): Promise<TicketRow[]> =>
  scope.tx.all<TicketRow>(sql`
    select r.currency, a.attendee_type_id as type, a.price_name as name, count(*)::int as people,
      ${total(sql`a.price_minor`)} as price_minor, ${total(sql`a.discount_minor`)} as discount_minor
    from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where ${ofAttendees(scope, range)} group by 1, 2, 3`);

export interface LineRow {
  currency: string;
  product: Id;
  option: Id | null;
  units: number;
  handed_out: number;
  price_minor: number;
  discount_minor: number;
}

/** What people have booked for themselves, and for registrations as a whole. */
export const readLines = (scope: ReportScope, range: Window): Promise<LineRow[]> =>
  scope.tx.all<LineRow>(sql`
    select b.currency, (b.line->>'product_id')::uuid as product, (b.line->>'option_id')::uuid as option,
      sum((b.line->>'quantity')::int)::int as units, sum((b.line->>'handed_out')::int)::int as handed_out,
      ${total(sql`(b.line->>'price_minor')::numeric * (b.line->>'quantity')::int`)} as price_minor,
      ${total(sql`(b.line->>'discount_minor')::numeric`)} as discount_minor
    from (
      select r.currency, e.line from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
        cross join lateral jsonb_array_elements(a.products) e(line)
      where ${ofAttendees(scope, range)} and a.products <> '[]'
      union all
      select r.currency, e.line from registrations r cross join lateral jsonb_array_elements(r.products) e(line)
      where ${ofRegistrations(scope, range)} and r.products <> '[]') b
    group by 1, 2, 3`);

export interface CodeRow {
  currency: string;
  /** Null: all codes that are used less often than the others. */
  code: string | null;
  codes: number;
  registrations: number;
  people: number;
  discount_minor: number;
}

/**
 * The code is the one that the latest registration was made with: whoever sees the registration sees it there. Asked by `discount_code`
 * and not by `discount_id`, so that PostgreSQL does not choose the index of the latter, which has the discounts of all events.
 */
export const readCodes = (scope: ReportScope, range: Window): Promise<CodeRow[]> =>
  scope.tx.all<CodeRow>(sql`
    select u.currency, case when u.place <= ${MAX_SALES_CODES} then u.code end as code, count(*)::int as codes,
      sum(u.registrations)::int as registrations, sum(u.people)::int as people, ${total(sql`u.discount_minor`)} as discount_minor
    from (
      select s.*, row_number() over (partition by s.currency order by s.people desc, s.registrations desc, s.discount_id) as place
      from (
        select r.currency, r.discount_id, (array_agg(r.discount_code order by r.created_at desc))[1] as code, count(*)::int as registrations,
          sum(p.people)::int as people, ${total(sql`r.discount_minor`)} as discount_minor
        from registrations r cross join lateral (
          select count(*) as people from attendees a
          where a.org_id = r.org_id and a.registration_id = r.id and a.discount_id is not null and a.status <> 'cancelled') p
        where ${ofRegistrations(scope, range)} and r.discount_code is not null
        group by 1, 2) s) u
    group by 1, 2, case when u.place <= ${MAX_SALES_CODES} then u.place end order by min(u.place)`);
