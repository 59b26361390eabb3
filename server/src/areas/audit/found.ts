import { MINUTE } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';

/**
 * The ids of all audit entries about an object, of any kind. An entry about a registration, or about one of its attendees,
 * tickets or payments, names all of those that it touched. So an attendee's entries are found through the registration: the log
 * needs no index by attendee, and registering need not maintain one. Whatever else an entry touched, beside the object it is
 * about, is in `audit_objects`.
 */
export const touching = (org: Id, object: Id): Sql => sql`
  with registration as materialized (
    select id from registrations where org_id = ${org} and id = ${object}
    union all select registration_id from attendees where org_id = ${org} and id = ${object}
    union all select registration_id from tickets where org_id = ${org} and id = ${object}
    union all select registration_id from payments where org_id = ${org} and id = ${object}
  ), family as materialized (
    select id from registration
    union all select a.id from registration r join attendees a on a.org_id = ${org} and a.registration_id = r.id
    union all select t.id from registration r join tickets t on t.org_id = ${org} and t.registration_id = r.id
    union all select p.id from registration r join payments p on p.org_id = ${org} and p.registration_id = r.id
  )
  select l.id from audit_log l where l.org_id = ${org} and l.object_id = ${object} and ${INDEXED}
  union select l.id from family f join audit_log l on l.org_id = ${org} and l.object_id = f.id and ${INDEXED}
    where l.changes->'objects' @> ${JSON.stringify([{ id: toUlid(object) }])}::jsonb
  union select o.id from audit_objects o where o.org_id = ${org} and o.object_id = ${object}
  union select * from (${scanOf(org, object)}) scan`;

/** The index by object leaves out scans (migration 0023); PostgreSQL uses it only where the query leaves them out, too. */
export const INDEXED = sql`l.action <> 'checkin.recorded'`;

/**
 * The entry of a scan is written in the same transaction as its check-in, a moment later. So it is the first entry about the
 * check-in within the minute after the time in the check-in's id.
 */
const scanOf = (org: Id, object: Id): Sql => {
  const at = timeOf(object);
  return sql`
    select l.id from checkins c
    join audit_log l on l.org_id = c.org_id and l.action = 'checkin.recorded'
      and (l.object_id = c.id or l.changes->'objects' @> ${JSON.stringify([{ id: toUlid(object) }])}::jsonb)
    where c.org_id = ${org} and c.id = ${object} and l.org_id = ${org}
      and l.id >= ulid_floor(${at}) and l.id < ulid_floor(${new Date(at.getTime() + MINUTE)})
    order by l.id limit 1`;
};

/** A ULID begins with the time at which it was made. */
const timeOf = (id: Id): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
