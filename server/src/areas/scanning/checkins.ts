import { type Id, parseRef } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { newestRecorded, type Paging } from '../../road/read/page.ts';
import { reference } from '../../road/request/reference.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { type EventRow, ofTestEvent } from '../events/index.ts';
import { checkInInReach, eventGroup, limitOf } from '../groups/index.ts';
import { type CheckInRow, checkInShape } from './record.ts';
import { type ScanWorld, scanWorldOf } from './world.ts';

export const CHECK_IN_SELECTED = sql`c.id, c.event_id, c.attendee_id, c.ticket_id, c.check_in_point_id, c.kind, c.day_id, c.group_id, c.result,
  c.admitted, c.reason, c.scanned_at, c.recorded_at, c.client_uuid, c.test, c.skewed, c.offline_result, c.actor_kind, c.actor_id,
  c.actor_name, c.device_id, c.device_name, c.override_of, c.override_reason, c.undone_at`;

/** A caller sees the check-ins of its own mode; one that is limited to a group, only those of the group's attendees. */
export const visible = ({ caller, mode }: Work, event: EventRow): Sql =>
  every([
    sql`c.test = ${mode === 'test'}`,
    caller.group !== null && checkInInReach(limitOf(caller), 'c', eventGroup(event)),
  ]);

export const aCheckIn = reference<CheckInRow>({
  kind: 'check_in',
  byCode: false,
  isTest: (row) => row.test,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    // A paired device reaches the check-ins of its own event only.
    const { actor } = reach.caller;
    const ofEvent = actor.kind === 'device' ? sql`c.event_id = ${actor.event}` : sql`true`;
    return reach.tx.maybe<CheckInRow>(sql`
      select ${CHECK_IN_SELECTED} from checkins c where c.org_id = ${reach.org} and c.id = ${id} and ${ofEvent}
        and ${reach.mode === 'test' ? sql`c.test` : sql`(not c.test or ${ofTestEvent('c')})`} and ${checkInInReach(limitOf(reach.caller), 'c')}`);
  },
});

export async function worldFor(work: Pick<Work, 'tx' | 'org'>, event: EventRow): Promise<ScanWorld> {
  const { v } = await work.tx.one<{ v: number }>(
    sql`select groups_version as v from organizations where id = ${work.org}`,
  );
  return scanWorldOf(work.tx, work.org, event, v);
}

export interface CheckInQuery extends Paging {
  result?: string;
  admitted?: boolean;
  from?: string;
  to?: string;
}

export async function listCheckIns(
  work: Work,
  event: EventRow,
  query: CheckInQuery,
  filter: { point?: Id; day?: Id; attendee?: Id },
) {
  const list = newestRecorded(
    ['checkins', event.id, work.mode, query.result, query.admitted, query.from, query.to, filter],
    query,
    'c',
  );
  const rows = await work.tx.all<CheckInRow>(sql`
    select ${CHECK_IN_SELECTED} from checkins c where c.org_id = ${work.org} and c.event_id = ${event.id} and ${every([
      visible(work, event),
      filters([
        query.result !== undefined && sql`c.result = ${query.result}`,
        query.admitted !== undefined && sql`c.admitted = ${query.admitted}`,
        query.from !== undefined && sql`c.recorded_at >= ${query.from}::timestamptz`,
        query.to !== undefined && sql`c.recorded_at < ${query.to}::timestamptz`,
        filter.point !== undefined && sql`c.check_in_point_id = ${filter.point}`,
        filter.day !== undefined && sql`c.day_id = ${filter.day}`,
        filter.attendee !== undefined && sql`c.attendee_id = ${filter.attendee}`,
      ]),
      list.where,
    ])} ${list.order}`);
  const world = await worldFor(work, event);
  return list.page(rows, (row) => checkInShape(world, row));
}

/** Counts for the live dashboard: admissions and people by point, day and type. Undone admissions do not count. */
export async function countCheckIns(work: Work, event: EventRow) {
  const world = await worldFor(work, event);
  const rows = await work.tx.all<{
    point: Id;
    day: Id | null;
    type: Id;
    admissions: number;
    people: number;
    refusals: number;
  }>(sql`
    select c.check_in_point_id as point, c.day_id as day, a.attendee_type_id as type,
      count(*) filter (where c.admitted and c.undone_at is null)::int as admissions,
      count(distinct c.attendee_id) filter (where c.admitted and c.undone_at is null)::int as people,
      count(*) filter (where not c.admitted)::int as refusals
    from checkins c join attendees a on a.org_id = c.org_id and a.id = c.attendee_id
    where c.org_id = ${work.org} and c.event_id = ${event.id} and ${visible(work, event)}
    group by 1, 2, 3 order by 1, 2, 3`);
  return {
    data: rows.map((row) => ({
      check_in_point: world.points.get(row.point)!.code,
      day: row.day === null ? null : (world.days.get(row.day)?.code ?? null),
      attendee_type: world.types.get(row.type)!.code,
      admissions: row.admissions,
      people: row.people,
      refusals: row.refusals,
    })),
  };
}
