import type { Caller } from '../../road/caller.ts';
import type { Id } from '../../store/ids.ts';
import { name, type Sql, sql } from '../../store/sql.ts';

/**
 * The group's wall in SQL, the one place that draws it: whoever is limited to a group reaches exactly the people of its subtree,
 * and what is theirs. What is left of an object that is theirs in part is in reduced.ts.
 */
export interface Limit {
  org: Id;
  /** Only this group and those below it; null: the whole organization. */
  group: Id | null;
}

export const limitOf = (caller: Caller): Limit => ({ org: caller.org.id, group: caller.group?.id ?? null });

/**
 * An array, looked up once: joined with the groups instead, a list was read whole and sorted (20,000 people for a page of 50 [m]).
 */
export const inSubtree = ({ org, group }: Limit, column: Sql): Sql =>
  group === null
    ? sql`true`
    : sql`${column} = any(array(select s.id from groups s where s.org_id = ${org} and ${group}::uuid = any(s.path)))`;

/** The group of the event that a row lies in; where the event is at hand, `known` spares the look. */
const ofEvent = (alias: string): Sql =>
  sql`(select e.group_id from events e where e.org_id = ${name(`${alias}.org_id`)} and e.id = ${name(`${alias}.event_id`)})`;
export const known = (event: { group_id: Id | null }): Sql => sql`${event.group_id}::uuid`;

/** A person's group is its own, else the event's: the registration's became its own when it was written (state.ts). */
const groupOf = (alias: string, event: Sql): Sql => sql`coalesce(${name(`${alias}.group_id`)}, ${event})`;

export const personInReach = (limit: Limit, alias: string, event: Sql = ofEvent(alias)): Sql =>
  inSubtree(limit, groupOf(alias, event));

/** Somebody without any group is in nobody's reach, and `null = any(…)` is neither true nor false. */
const personOutOfReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  sql`(${personInReach(limit, alias, event)}) is not true`;

/** `offset 0`: looked up for each row, never joined with all people of the organization. */
const peopleOf = (registration: string, condition: Sql): Sql => sql`exists (
  select from attendees q where q.org_id = ${name(`${registration}.org_id`)} and q.registration_id = ${name(`${registration}.id`)}
    and ${condition} offset 0)`;
const peopleOn = (ticket: string, condition: Sql): Sql => sql`exists (
  select from ticket_people m join attendees q on q.org_id = m.org_id and q.id = m.attendee_id
  where m.org_id = ${name(`${ticket}.org_id`)} and m.ticket_id = ${name(`${ticket}.id`)} and ${condition} offset 0)`;

/** Somebody of it is in reach: then it is shown, reduced to them. */
export const registrationInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : peopleOf(alias, personInReach(limit, 'q', event));
export const ticketInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : peopleOn(alias, personInReach(limit, 'q', event));

/** Everybody of it is in reach, cancelled people too: then it is shown whole, and acted on. */
export const registrationWhole = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : sql`not ${peopleOf(alias, personOutOfReach(limit, 'q', event))}`;
export const ticketWhole = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null ? sql`true` : sql`not ${peopleOn(alias, personOutOfReach(limit, 'q', event))}`;

/** Whose check-in it is: it follows the person. */
export const checkInInReach = (limit: Limit, alias: string, event?: Sql): Sql =>
  limit.group === null
    ? sql`true`
    : sql`exists (
        select from attendees q where q.org_id = ${name(`${alias}.org_id`)} and q.id = ${name(`${alias}.attendee_id`)}
          and ${personInReach(limit, 'q', event)} offset 0)`;

/**
 * The registrant is one of the people, where contact, address or name say so, and is then reached with that person; else of the
 * registration's group, else of the event's. The same question of a shape: `registrantIsSeen` in reduced.ts.
 */
export const registrantInReach = (limit: Limit, alias: string, event: Sql = ofEvent(alias)): Sql => {
  if (limit.group === null) return sql`true`;
  const r = (column: string): Sql => name(`${alias}.${column}`);
  return sql`coalesce((
    select bool_and((${personInReach(limit, 'q', event)}) is true) from attendees q
    where q.org_id = ${r('org_id')} and q.registration_id = ${r('id')} and (q.contact_id = ${r('contact_id')}
      or lower(q.email) = lower(${r('email')})
      or (lower(q.first_name) = lower(${r('first_name')}) and lower(q.last_name) = lower(${r('last_name')})))),
    ${inSubtree(limit, groupOf(alias, event))}, false)`;
};
