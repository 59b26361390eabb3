import { type Id, toUlid } from '../../common/ids.ts';
import { every, sql } from '../../store/sql.ts';
import { eventGroup, handOutInReach, inSubtree } from '../groups/index.ts';
import { type BookedUnit, shared } from './export-shared.ts';
import { type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { ifGiven, ifGroupGiven, ownMode, registrant } from './export-world.ts';

interface Row extends ExportRow, BookedUnit {
  registration_id: Id;
  registration_code: string;
  /** Null: booked for the registration as a whole. Then the names and so on are the registrant's. */
  attendee_id: Id | null;
  attendee_type_id: Id | null;
  group_id: Id | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  check_in_point_id: Id | null;
  handed_out_at: string;
  actor_name: string;
  surplus: boolean;
  undone_at: string | null;
  undo_reason: string | null;
  test: boolean;
}

/** The group of today, as in the other exports: somebody may have been moved since. */
const GROUP = sql`case when h.attendee_id is null
  then (select r.group_id from registrations r where r.org_id = h.org_id and r.id = h.registration_id)
  else (select a.group_id from attendees a where a.org_id = h.org_id and a.id = h.attendee_id) end`;

/** One row per unit that was handed out, those that were taken back included. */
export const handOutSheet: Sheet<'hand_outs', Row> = {
  title: 'Hand-outs',
  columns: {
    handed_out_at: time('Handed out at', (row) => row.handed_out_at),
    product: shared.product,
    option: shared.option,
    first_name: shared.first_name,
    last_name: shared.last_name,
    attendee_type: plain('Type', (row, world) => world.typeCode(row.attendee_type_id)),
    group: shared.group,
    registration: shared.registration,
    check_in_point: plain('Check-in point', (row, world) => world.pointCode(row.check_in_point_id)),
    handed_out_by: plain('Handed out by', (row) => row.actor_name),
    surplus: plain('Surplus', (row) => row.surplus, 10),
    undone_at: time('Undone at', (row) => row.undone_at),
    undo_reason: plain('Undo reason', (row) => row.undo_reason),
    email: shared.email,
    booked_for: shared.booked_for,
    product_code: shared.product_code,
    option_code: shared.option_code,
    updated_at: time('Updated at', (row) => row.at),
    test: shared.test,
    hand_out_id: plain('Hand-out ID', (row) => toUlid(row.id), 30),
    attendee_id: shared.attendee_id,
    registration_id: shared.registration_id,
  },
  table: sql`hand_outs`,
  alias: 'h',
  order: 'updated_at',
  where: (scope, filter) =>
    every([
      sql`h.org_id = ${scope.org} and h.event_id = ${scope.event.id}`,
      ownMode(scope, 'h'),
      scope.group !== null && handOutInReach(scope, 'h', eventGroup(scope.event)),
      ifGiven(filter.product, 'uuid', sql`h.product_id = ${filter.product}`),
      ifGiven(filter.check_in_point, 'uuid', sql`h.check_in_point_id = ${filter.check_in_point}`),
      ifGiven(
        filter.attendee_type,
        'uuid',
        sql`exists (
          select from attendees a where a.org_id = h.org_id and a.id = h.attendee_id and a.attendee_type_id = ${filter.attendee_type})`,
      ),
      ifGroupGiven(scope, filter.group, GROUP),
      filter.updated_since !== undefined && sql`h.updated_at >= ${filter.updated_since}::timestamptz`,
      filter.from !== undefined && sql`h.handed_out_at >= ${filter.from}::timestamptz`,
      filter.to !== undefined && sql`h.handed_out_at < ${filter.to}::timestamptz`,
    ]),
  joins: sql`
    join registrations r on r.org_id = h.org_id and r.id = h.registration_id
    left join attendees a on a.org_id = h.org_id and a.id = h.attendee_id`,
  select: (scope) => sql`
    case when ${inSubtree(scope, GROUP)} then ${GROUP} end as group_id, h.registration_id, r.code as registration_code, h.attendee_id, a.attendee_type_id, h.product_id, h.option_id,
    case when a.id is null then ${registrant(scope, sql`r.first_name`)} else a.first_name end as first_name,
    case when a.id is null then ${registrant(scope, sql`r.last_name`)} else a.last_name end as last_name,
    case when a.id is null then ${registrant(scope, sql`r.email`)} else a.email end as email,
    h.check_in_point_id, h.handed_out_at, h.actor_name, h.surplus, h.undone_at, h.undo_reason, h.test`,
};
