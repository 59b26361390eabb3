import { type Id, toUlid, ulidOrNull } from '../../common/ids.ts';
import { every, sql } from '../../store/sql.ts';
import { attendeeInReach, eventGroup, ticketFullyInReach, ticketInReach } from '../groups/index.ts';
import { shared } from './export-shared.ts';
import { type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { ifGiven, ifGroupGiven, ownMode, SEPARATOR } from './export-world.ts';

interface Person {
  id: Id;
  first_name: string;
  last_name: string;
  email: string | null;
  attendee_type_id: Id;
  group_id: Id | null;
  day_ids: Id[];
}
interface Row extends ExportRow {
  /** Null if the ticket also admits an attendee whom the caller may not see. */
  code: string | null;
  status: string;
  test: boolean;
  day_ids: Id[] | null;
  registration_id: Id;
  registration_code: string;
  people: Person[];
  issued_at: string;
  voided_at: string | null;
  void_reason: string | null;
  replaced_by: Id | null;
}

const first = (row: Row): Person | undefined => row.people[0];

/**
 * One row per ticket. For a shared ticket, name, type and group are those of its first attendee; `names` lists all of them.
 */
export const ticketSheet: Sheet<'tickets', Row> = {
  title: 'Tickets',
  columns: {
    first_name: plain('First name', (row) => first(row)?.first_name ?? null),
    last_name: plain('Last name', (row) => first(row)?.last_name ?? null),
    email: plain('Email', (row) => first(row)?.email ?? null, 30),
    attendee_type: plain('Type', (row, world) => world.typeCode(first(row)?.attendee_type_id ?? null)),
    group: plain('Group', (row, world) => world.groupCode(first(row)?.group_id ?? null)),
    days: plain('Day', (row, world) => world.dayCodes(row.day_ids ?? row.people.flatMap((person) => person.day_ids))),
    ticket: plain('Ticket', (row) => row.code, 32),
    status: shared.status,
    people: plain('People', (row) => row.people.length, 10),
    registration: shared.registration,
    issued_at: time('Issued at', (row) => row.issued_at),
    voided_at: time('Voided at', (row) => row.voided_at),
    void_reason: plain('Void reason', (row) => row.void_reason),
    names: plain('Names', (row) => row.people.map((one) => `${one.first_name} ${one.last_name}`).join(SEPARATOR), 40),
    updated_at: time('Updated at', (row) => row.at),
    test: shared.test,
    ticket_id: plain('Ticket ID', (row) => toUlid(row.id), 30),
    registration_id: shared.registration_id,
    attendee_ids: plain('Attendee IDs', (row) => row.people.map((one) => toUlid(one.id)).join(SEPARATOR), 30),
    replaced_by: plain('Replaced by', (row) => ulidOrNull(row.replaced_by), 30),
  },
  table: sql`tickets`,
  alias: 't',
  order: 'updated_at',
  where: (scope, filter) => {
    const { attendee_type, day, group } = filter;
    const ofPeople = (attendee_type ?? day ?? group) !== undefined;
    return every([
      sql`t.org_id = ${scope.org} and t.event_id = ${scope.event.id}`,
      ownMode(scope, 't'),
      scope.group !== null && ticketInReach(scope, 't', eventGroup(scope.event)),
      ifGiven(filter.status, 'text', sql`t.status = ${filter.status}`),
      ofPeople &&
        sql`exists (
          select from ticket_people p join attendees a on a.org_id = p.org_id and a.id = p.attendee_id
          where p.org_id = t.org_id and p.ticket_id = t.id and ${every([
            attendeeInReach(scope, 'a', eventGroup(scope.event)),
            ifGiven(attendee_type, 'uuid', sql`a.attendee_type_id = ${attendee_type}`),
            ifGiven(day, 'uuid', sql`${day} = any(coalesce(t.day_ids, a.day_ids))`),
            ifGroupGiven(scope, group, sql`a.group_id`),
          ])})`,
      filter.updated_since !== undefined && sql`t.updated_at >= ${filter.updated_since}::timestamptz`,
    ]);
  },
  joins: sql`join registrations r on r.org_id = t.org_id and r.id = t.registration_id`,
  select: (scope) => sql`
    case when ${ticketFullyInReach(scope, 't', eventGroup(scope.event))} then t.code end as code, t.status, t.test, t.day_ids, t.registration_id, r.code as registration_code, t.issued_at, t.voided_at, t.void_reason,
    t.replaced_by, array(
      select json_build_object('id', a.id, 'first_name', a.first_name, 'last_name', a.last_name, 'email', a.email,
        'attendee_type_id', a.attendee_type_id, 'group_id', a.group_id, 'day_ids', a.day_ids)
      from ticket_people p join attendees a on a.org_id = p.org_id and a.id = p.attendee_id
      where p.org_id = t.org_id and p.ticket_id = t.id and ${attendeeInReach(scope, 'a', eventGroup(scope.event))} order by p.position) as people`,
};
