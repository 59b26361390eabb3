import type { Activity, ActivityKind } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import {
  attendeeInReach,
  eventGroup,
  type Limit,
  limitOf,
  registrantInReach,
  registrationFullyInReach,
  registrationInReach,
} from '../groups/index.ts';

/*
 * What has happened lately at an event, from the rows themselves: the audit log is not for everybody who may see people, and keeps what
 * was erased under other rules. Of each kind the newest rows are looked at, by an index. What is not to be told is left out of these, so a
 * caller limited to a group that was quiet lately is told of little or nothing. Names and numbers are read only of what is told. So the
 * cost grows neither with the event nor with how many people one registration has.
 */

/** So many rows of each kind are looked at. */
const NEWEST = 200;
const USUAL_LIMIT = 10;

interface Scope {
  org: Id;
  event: EventRow;
  test: boolean;
  limit: Limit;
}

interface ActivityRow {
  kind: ActivityKind;
  at: string;
  registration_id: Id;
  attendee_id: Id | null;
  name: string | null;
  people: number;
  attendee_types: string[];
  amount_minor: number | null;
  currency: string | null;
  day: string | null;
  check_in_point: string | null;
}

export async function activityOf(
  work: Work,
  event: EventRow,
  query: { limit?: number; test?: boolean },
): Promise<Activity[]> {
  const { tx, org, caller } = work;
  const scope: Scope = { org, event, test: query.test ?? work.mode === 'test', limit: limitOf(caller) };
  const rows = await tx.all<ActivityRow>(sql`
    select x.kind, x.at, x.registration_id, x.attendee_id, ${registrantName(scope)} as name, p.people, x.amount_minor, x.currency,
      array(select t.code from attendee_types t where t.org_id = ${org} and t.id = any(p.types) order by t.code) as attendee_types,
      (select d.code from days d where d.org_id = ${org} and d.id = x.day_id) as day,
      (select c.code from check_in_points c where c.org_id = ${org} and c.id = x.check_in_point_id) as check_in_point
    from (
      select * from (${registered(scope)} union all ${paid(scope)} union all ${checkedIn(scope)} union all ${cancelled(scope)}) u
      order by u.at desc, u.registration_id desc limit ${query.limit ?? USUAL_LIMIT}) x
    join registrations r on r.org_id = ${org} and r.id = x.registration_id
    cross join lateral ${peopleInReach(scope)} p
    order by x.at desc, x.registration_id desc`);
  return rows.map(({ registration_id, attendee_id, ...row }) => ({
    ...row,
    registration_id: toUlid(registration_id),
    attendee_id: attendee_id === null ? null : toUlid(attendee_id),
  }));
}

/** Whom `x` is about, as far as the caller reaches them: the attendee who was checked in, or all attendees of the registration. */
const peopleInReach = ({ org, event, limit }: Scope): Sql => sql`(
  select count(*)::int as people, array_agg(distinct a.attendee_type_id) as types,
    (array_agg(concat_ws(' ', a.first_name, a.last_name) order by a.position))[1] as first_name
  from attendees a
  where a.org_id = ${org} and a.registration_id = x.registration_id and (x.attendee_id is null or a.id = x.attendee_id)
    and ${attendeeInReach(limit, 'a', eventGroup(event))})`;

const registrantName = ({ event, limit }: Scope): Sql => sql`
  coalesce(case when x.attendee_id is null and ${registrantInReach(limit, 'r', eventGroup(event))}
    then nullif(concat_ws(' ', r.first_name, r.last_name), '') end, p.first_name)`;

const NO_MONEY = sql`null::bigint as amount_minor, null::text as currency`;
const NO_DOOR = sql`null::uuid as day_id, null::uuid as check_in_point_id`;
const OF_REGISTRATION = sql`r.id as registration_id, null::uuid as attendee_id`;

const registered = (scope: Scope): Sql => sql`
  (select 'registered' as kind, r.created_at as at, ${OF_REGISTRATION}, ${NO_MONEY}, ${NO_DOOR}
  from (
    select n.* from registrations n where n.org_id = ${scope.org} and n.event_id = ${scope.event.id} and n.test = ${scope.test}
    order by n.created_at desc limit ${NEWEST}) r
  where ${registrationInReach(scope.limit, 'r', eventGroup(scope.event))})`;

const cancelled = (scope: Scope): Sql => sql`
  (select 'cancelled', r.cancelled_at, ${OF_REGISTRATION}, ${NO_MONEY}, ${NO_DOOR}
  from (
    select n.* from registrations n
    where n.org_id = ${scope.org} and n.event_id = ${scope.event.id} and n.status = 'cancelled'
    order by n.updated_at desc limit ${NEWEST}) r
  where r.test = ${scope.test} and r.cancelled_at is not null
    and ${registrationInReach(scope.limit, 'r', eventGroup(scope.event))})`;

/** Money is that of the whole registration, so all of its attendees must be in reach, as for the list of payments. */
const paid = (scope: Scope): Sql => sql`
  (select 'paid', m.created_at, ${OF_REGISTRATION}, m.amount_minor, m.currency, ${NO_DOOR}
  from (
    select n.* from payments n where n.org_id = ${scope.org} and n.event_id = ${scope.event.id}
    order by n.created_at desc limit ${NEWEST}) m
    join registrations r on r.org_id = m.org_id and r.id = m.registration_id
  where m.test = ${scope.test} and m.status <> 'failed' and ${registrationInReach(scope.limit, 'r', eventGroup(scope.event))}
    and ${registrationFullyInReach(scope.limit, 'r', eventGroup(scope.event))})`;

/** By the clock of the device that scanned, unless that clock was wrong. */
const checkedIn = (scope: Scope): Sql => sql`
  (select 'checked_in', case when k.skewed then k.recorded_at else k.scanned_at end, a.registration_id, a.id, ${NO_MONEY}, k.day_id,
    k.check_in_point_id
  from (
    select n.* from checkins n where n.org_id = ${scope.org} and n.event_id = ${scope.event.id} and n.test = ${scope.test}
    order by n.recorded_at desc, n.id desc limit ${NEWEST}) k
    join attendees a on a.org_id = k.org_id and a.id = k.attendee_id
  where k.kind = 'entry' and k.admitted and k.undone_at is null
    and ${attendeeInReach(scope.limit, 'a', eventGroup(scope.event))})`;
