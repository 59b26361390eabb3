import { dayForOverride } from '@turnout/checkin';
import type { CheckIn } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { newestRecorded, type Paging } from '../../road/page.ts';
import { reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { insertAll } from '../../store/bulk.ts';
import { stampEvent, unsettle } from '../../store/clocks.ts';
import { type Id, newId, parseRef, toUlid } from '../../store/ids.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { deleteScans, type EventRow, eventById, ofTestEvent } from '../events/index.ts';
import { checkInInReach, known, limitOf } from '../groups/index.ts';
import { CHECK_IN_COLUMNS, type CheckInRow, checkInShape } from './record.ts';
import { type ScanWorld, scanWorldOf } from './world.ts';

export const CHECK_IN_SELECTED = sql`c.id, c.event_id, c.attendee_id, c.ticket_id, c.check_in_point_id, c.kind, c.day_id, c.group_id, c.result,
  c.admitted, c.reason, c.scanned_at, c.recorded_at, c.client_uuid, c.test, c.skewed, c.offline_result, c.actor_kind, c.actor_id,
  c.actor_name, c.override_of, c.override_reason, c.undone_at`;

/** A key sees check-ins of its own mode; one limited to a group, those of its people. */
export const visible = ({ caller, mode }: Work, event: EventRow): Sql =>
  every([
    sql`c.test = ${mode === 'test'}`,
    caller.group !== null && checkInInReach(limitOf(caller), 'c', known(event)),
  ]);

export const aCheckIn = reference<CheckInRow>({
  kind: 'check_in',
  byCode: false,
  isTest: (row) => row.test,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<CheckInRow>(sql`
      select ${CHECK_IN_SELECTED} from checkins c where c.org_id = ${reach.org} and c.id = ${id}
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

/** Counts for the live dashboard: admissions and people by point, day and type. Undone ones are left out. */
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

/** A person's decision with a reason: the refused row stays, an admitted one is written beside it. */
export async function override(work: Work, found: CheckInRow, reason: string): Promise<CheckIn> {
  const { tx, org, caller } = work;
  const stamp = await stampEvent(tx, org, found.event_id);
  const event = (await eventById(tx, org, found.event_id)) ?? refuse('not_found');
  if (event.status === 'archived')
    refuse('invalid_state', { message: 'The event is archived; nobody is admitted any more.' });
  if (found.admitted) refuse('invalid_state', { message: 'This scan was admitted; there is nothing to override.' });
  const done = await tx.maybe(sql`
    select 1 from checkins where org_id = ${org} and event_id = ${found.event_id} and override_of = ${found.id} and undone_at is null
      and attendee_id = ${found.attendee_id}`);
  if (done !== null) refuse('invalid_state', { message: 'This refusal was overridden already.' });
  const world = await worldFor(work, event);
  const days = await tx.one<{ day_ids: Id[] }>(
    sql`select day_ids from attendees where org_id = ${org} and id = ${found.attendee_id}`,
  );
  const row: CheckInRow = {
    ...found,
    id: newId(tx.clock.now()),
    result: SUCCESS[found.kind]!,
    admitted: true,
    reason: null,
    // Without a day, somebody let in before opening would be admitted a second time after it.
    day_id:
      found.day_id ??
      dayForOverride(world.prepared, found.check_in_point_id, Date.parse(found.scanned_at), days.day_ids),
    recorded_at: stamp,
    client_uuid: null,
    offline_result: null,
    actor_kind: caller.actor.kind,
    actor_id: caller.actor.id,
    actor_name: caller.actor.name,
    override_of: found.id,
    override_reason: reason,
    undone_at: null,
  };
  insertAll(tx, 'checkins', CHECK_IN_COLUMNS, [{ org_id: org, ...row }]);
  await touchPerson(work, event, row, stamp);
  const shape = checkInShape(world, row);
  for (const type of ['checkin.recorded', 'checkin.overridden'] as const) {
    work.raise({ type, event: event.id, group: row.group_id ?? event.group_id, livemode: !row.test, data: shape });
  }
  work.changed({
    kind: 'checkin',
    id: row.id,
    event: event.id,
    group: row.group_id,
    details: { override_of: toUlid(found.id), reason, result: row.result },
    objects: [
      { kind: 'checkin', id: found.id },
      { kind: 'attendee', id: row.attendee_id },
      { kind: 'ticket', id: row.ticket_id },
    ],
  });
  return shape;
}
const SUCCESS: Record<string, string> = {
  entry: 'accepted',
  pre_check: 'pre_checked',
  zone: 'zone_entered',
  exit: 'exited',
};

/** Takes an admission back, as if it had not been: the row stays and says so. */
export async function undo(work: Work, found: CheckInRow): Promise<CheckIn> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, found.event_id);
  const event = (await eventById(tx, org, found.event_id)) ?? refuse('not_found');
  const undone = await tx.maybe<{ undone_at: string }>(sql`
    update checkins set undone_at = ${tx.clock.now()} where org_id = ${org} and id = ${found.id} and undone_at is null and admitted
    returning undone_at`);
  if (undone === null)
    refuse('invalid_state', {
      message: found.admitted ? 'This check-in was undone already.' : 'A refusal cannot be undone.',
    });
  unsettle(tx, org, found.event_id);
  const row = { ...found, undone_at: undone!.undone_at };
  await touchPerson(work, event, row, stamp);
  const shape = checkInShape(await worldFor(work, event), row);
  work.raise({
    type: 'checkin.undone',
    event: event.id,
    group: row.group_id ?? event.group_id,
    livemode: !row.test,
    data: shape,
  });
  work.changed({
    kind: 'checkin',
    id: row.id,
    event: event.id,
    group: row.group_id,
    changes: { undone_at: [null, row.undone_at] },
    objects: [
      { kind: 'attendee', id: row.attendee_id },
      { kind: 'ticket', id: row.ticket_id },
    ],
  });
  return shape;
}

/** Whether the person counts as checked in follows from the rows. */
async function touchPerson({ tx, org }: Work, event: EventRow, row: CheckInRow, stamp: string): Promise<void> {
  if (row.test && !event.test) return;
  await tx.run(sql`
    update attendees set updated_at = ${stamp}, checked_in_at = (
      select min(c.recorded_at) from checkins c where c.org_id = ${org} and c.attendee_id = ${row.attendee_id} and c.test = ${row.test}
        and c.admitted and c.undone_at is null and c.kind = 'entry')
    where org_id = ${org} and id = ${row.attendee_id}`);
}

/** Test check-ins of an event go, with the answers of their scans: the next test starts clean. */
export async function clearTests(work: Work, event: EventRow): Promise<undefined> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  // Scanners in test mode hear of it with their next `since`.
  await tx.run(sql`
    update attendees set updated_at = ${stamp}${event.test ? sql`, checked_in_at = null` : sql``} where org_id = ${org} and id in (
      select attendee_id from checkins where org_id = ${org} and event_id = ${event.id} and test and admitted)`);
  await deleteScans(tx, org, sql`s.event_id = ${event.id} and s.test`);
  await tx.run(sql`delete from unknown_scans where org_id = ${org} and event_id = ${event.id} and test`);
  unsettle(tx, org, event.id);
  const cleared = await tx.run(sql`delete from checkins where org_id = ${org} and event_id = ${event.id} and test`);
  work.changed({ kind: 'event', id: event.id, event: event.id, group: event.group_id, details: { cleared } });
  return undefined;
}
