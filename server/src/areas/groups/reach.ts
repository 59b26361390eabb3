import type { Id } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import { name, type Sql, sql } from '../../store/sql.ts';

/**
 * What a caller reaches, as conditions in SQL. Nothing outside this area asks it: a caller that is limited to a group reaches
 * exactly the attendees of that group and of the groups below it (its subtree), and what belongs to them. How an object looks
 * to a caller that reaches only some of its attendees is in reduced.ts.
 */
export interface Limit {
  org: Id;
  /** Only this group and those below it; null: the whole organization. */
  group: Id | null;
}

export const limitOf = (caller: Caller): Limit => ({ org: caller.org.id, group: caller.group?.id ?? null });

/**
 * The column names the limit's group or one below it; always true when there is no limit.
 *
 * PostgreSQL looks the subtree up once, as an array. With a join to the groups instead, it read and sorted a whole list: 20,000
 * people for a page of 50 (measured).
 */
export const inSubtree = ({ org, group }: Limit, column: Sql): Sql =>
  group === null
    ? sql`true`
    : sql`${column} = any(array(select s.id from groups s where s.org_id = ${org} and ${group}::uuid = any(s.path)))`;

/** The column names the caller's group or one below it; always true when the caller is not limited to a group. */
export const inReach = (caller: Caller, column: Sql): Sql => inSubtree(limitOf(caller), column);

/** The column names the caller's own group or one above it; never true when the caller is not limited to a group. */
export const aboveReach = (caller: Caller, column: Sql): Sql =>
  caller.group === null
    ? sql`false`
    : sql`${column} in (select unnest(r.path) from groups r where r.org_id = ${caller.org.id} and r.id = ${caller.group.id})`;

/** One of the two groups lies within the other, or one of them is null, which stands for the whole organization. */
export const inOneLine = (org: Id, one: Sql, other: Sql): Sql => sql`(${one} is null or ${other} is null or exists (
  select from groups r join groups s on s.org_id = r.org_id
  where r.org_id = ${org} and r.id = ${one} and s.id = ${other} and (r.id = any(s.path) or s.id = any(r.path))))`;

/** The group of the event that a row belongs to. Where the event is already read, pass `eventGroup(event)` and save the lookup. */
const ofEvent = (alias: string): Sql =>
  sql`(select e.group_id from events e where e.org_id = ${name(`${alias}.org_id`)} and e.id = ${name(`${alias}.event_id`)})`;
export const eventGroup = (event: { group_id: Id | null }): Sql => sql`${event.group_id}::uuid`;

/**
 * An attendee belongs to a group of its own, else to the event's group. The registration's group plays no part here: it was
 * copied to the attendees when they were written.
 */
const groupOf = (alias: string, event: Sql): Sql => sql`coalesce(${name(`${alias}.group_id`)}, ${event})`;

export const attendeeInReach = (limit: Limit, alias: string, event: Sql = ofEvent(alias)): Sql =>
  inSubtree(limit, groupOf(alias, event));

/**
 * An attendee without any group is out of every limited reach; `is not true` because `null = any(…)` is neither true nor false.
 */
const attendeeOutOfReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  sql`(${attendeeInReach(limit, alias, event)}) is not true`;

/** `offset 0` makes PostgreSQL look the attendees up for each row, instead of joining all attendees of the organization. */
const peopleOf = (registration: string, condition: Sql): Sql => sql`exists (
  select from attendees q where q.org_id = ${name(`${registration}.org_id`)} and q.registration_id = ${name(`${registration}.id`)}
    and ${condition} offset 0)`;
const peopleOn = (ticket: string, condition: Sql): Sql => sql`exists (
  select from ticket_people m join attendees q on q.org_id = m.org_id and q.id = m.attendee_id
  where m.org_id = ${name(`${ticket}.org_id`)} and m.ticket_id = ${name(`${ticket}.id`)} and ${condition} offset 0)`;

/** At least one of its attendees is in reach. Such a registration or ticket is shown, reduced to those attendees. */
export const registrationInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : peopleOf(alias, attendeeInReach(limit, 'q', event));
export const ticketInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : peopleOn(alias, attendeeInReach(limit, 'q', event));

/**
 * All of its attendees are in reach, cancelled ones included. Such a registration or ticket is shown in full and may be
 * changed.
 */
export const registrationFullyInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : sql`not ${peopleOf(alias, attendeeOutOfReach(limit, 'q', event))}`;
export const ticketFullyInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : sql`not ${peopleOn(alias, attendeeOutOfReach(limit, 'q', event))}`;

/** A check-in is in reach if its attendee is. */
export const checkInInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null
    ? sql`true`
    : sql`exists (
        select from attendees q where q.org_id = ${name(`${alias}.org_id`)} and q.id = ${name(`${alias}.attendee_id`)}
          and ${attendeeInReach(limit, 'q', event)} offset 0)`;

/** A hand-out is in reach if its attendee is. What was booked for a registration as a whole is shown to those who reach all of it. */
export const handOutInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null
    ? sql`true`
    : sql`(case when ${name(`${alias}.attendee_id`)} is not null then ${checkInInReach(limit, alias, event)} else exists (
        select from registrations r where r.org_id = ${name(`${alias}.org_id`)} and r.id = ${name(`${alias}.registration_id`)}
          and ${registrationFullyInReach(limit, 'r', event)} offset 0) end)`;

/**
 * Whether the registrant is in reach. Attendees with the registrant's contact, e-mail address or name are taken for the
 * registrant, who is then in reach if all of them are. Without such an attendee the registration's group decides, else the
 * event's. `registrantIsSeen` in reduced.ts asks the same of a registration in memory.
 */
export const registrantInReach = (limit: Limit, alias: string, event: Sql = ofEvent(alias)): Sql => {
  if (limit.group === null) return sql`true`;
  const r = (column: string): Sql => name(`${alias}.${column}`);
  return sql`coalesce((
    select bool_and((${attendeeInReach(limit, 'q', event)}) is true) from attendees q
    where q.org_id = ${r('org_id')} and q.registration_id = ${r('id')} and (q.contact_id = ${r('contact_id')}
      or lower(q.email) = lower(${r('email')})
      or (lower(q.first_name) = lower(${r('first_name')}) and lower(q.last_name) = lower(${r('last_name')})))),
    ${inSubtree(limit, groupOf(alias, event))}, false)`;
};
