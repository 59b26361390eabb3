import { type Id, toUlid } from '../../common/ids.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { checkInInReach, eventGroup, ticketFullyInReach } from '../groups/index.ts';
import { shared } from './export-shared.ts';
import { type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { ifGiven, ifGroupGiven } from './export-world.ts';

interface Row extends ExportRow {
  attendee_id: Id;
  first_name: string;
  last_name: string;
  email: string | null;
  attendee_type_id: Id;
  group_id: Id | null;
  day_id: Id | null;
  check_in_point_id: Id;
  scanned_at: string;
  result: string;
  admitted: boolean;
  reason: string | null;
  offline_result: string | null;
  skewed: boolean;
  ticket_id: Id;
  /** Null if the ticket also admits an attendee whom the caller may not see. */
  ticket_code: string | null;
  registration_code: string;
  actor_name: string;
  override_reason: string | null;
  undone_at: string | null;
  client_uuid: string | null;
  test: boolean;
}

/** `reconciliation` has the same rows as the list `checkins/reconciliation`. */
const REPORTS: Record<string, Sql> = {
  all: sql`true`,
  attendance: sql`c.admitted and c.undone_at is null`,
  reconciliation: sql`c.offline_result is not null and c.offline_result is distinct from c.result`,
};

export const checkInSheet: Sheet<'checkins', Row> = {
  title: 'Check-ins',
  columns: {
    first_name: shared.first_name,
    last_name: shared.last_name,
    attendee_type: shared.attendee_type,
    group: shared.group,
    day: plain('Day', (row, world) => world.dayCode(row.day_id)),
    check_in_point: plain('Check-in point', (row, world) => world.pointCode(row.check_in_point_id)),
    scanned_at: time('Scanned at', (row) => row.scanned_at),
    result: plain('Result', (row) => row.result),
    admitted: plain('Admitted', (row) => row.admitted, 10),
    reason: plain('Reason', (row) => row.reason),
    offline_result: plain('Offline result', (row) => row.offline_result),
    registration: shared.registration,
    ticket: plain('Ticket', (row) => row.ticket_code, 32),
    scanned_by: plain('Scanned by', (row) => row.actor_name),
    override_reason: plain('Override reason', (row) => row.override_reason),
    undone_at: time('Undone at', (row) => row.undone_at),
    recorded_at: time('Recorded at', (row) => row.at),
    email: shared.email,
    skewed: plain('Clock off', (row) => row.skewed, 10),
    client_uuid: plain('Client UUID', (row) => row.client_uuid, 38),
    test: shared.test,
    check_in_id: plain('Check-in ID', (row) => toUlid(row.id), 30),
    attendee_id: plain('Attendee ID', (row) => toUlid(row.attendee_id), 30),
    ticket_id: plain('Ticket ID', (row) => toUlid(row.ticket_id), 30),
  },
  table: sql`checkins`,
  alias: 'c',
  order: 'recorded_at',
  where: (scope, filter) =>
    every([
      // A report never mixes live and test check-ins.
      sql`c.org_id = ${scope.org} and c.event_id = ${scope.event.id} and c.test = ${scope.mode === 'test'}`,
      scope.group !== null && checkInInReach(scope, 'c', eventGroup(scope.event)),
      filter.report !== undefined && REPORTS[filter.report],
      ifGiven(
        filter.attendee_type,
        'uuid',
        sql`exists (
          select from attendees a where a.org_id = c.org_id and a.id = c.attendee_id and a.attendee_type_id = ${filter.attendee_type})`,
      ),
      ifGiven(filter.day, 'uuid', sql`c.day_id = ${filter.day}`),
      ifGiven(filter.check_in_point, 'uuid', sql`c.check_in_point_id = ${filter.check_in_point}`),
      ifGiven(filter.result, 'text', sql`c.result = ${filter.result}`),
      ifGiven(filter.admitted, 'boolean', sql`c.admitted = ${filter.admitted}`),
      ifGroupGiven(scope, filter.group, sql`c.group_id`),
      filter.from !== undefined && sql`c.recorded_at >= ${filter.from}::timestamptz`,
      filter.to !== undefined && sql`c.recorded_at < ${filter.to}::timestamptz`,
    ]),
  joins: sql`
    join attendees a on a.org_id = c.org_id and a.id = c.attendee_id
    join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    join tickets t on t.org_id = c.org_id and t.id = c.ticket_id`,
  select: (scope) => sql`
    c.attendee_id, a.first_name, a.last_name, a.email, a.attendee_type_id, c.group_id, c.day_id, c.check_in_point_id, c.scanned_at,
    c.result, c.admitted, c.reason, c.offline_result, c.skewed, c.ticket_id, case when ${ticketFullyInReach(scope, 't', eventGroup(scope.event))} then t.code end as ticket_code, r.code as registration_code,
    c.actor_name, c.override_reason, c.undone_at, c.client_uuid, c.test`,
};
