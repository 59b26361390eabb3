import { LIVE_CHECK_INS, type LiveCheckIn, type LiveSnapshot } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { attendeeTypes, type CheckInPointRow, checkInPoints, type DayRow, days } from '../events/index.ts';
import { attendeeInReach, eventGroup, inSubtree } from '../groups/index.ts';
import { attendeeCells, checkedIn, type EventClock } from '../registrations/index.ts';
import { type LiveScope, ofLive } from './cells.ts';

/** The structure of the event, to write codes in place of ids. */
export interface LiveWorld {
  days: readonly DayRow[];
  points: readonly CheckInPointRow[];
  types: readonly { id: Id; code: string }[];
}

export async function readWorld({ tx, org, event }: LiveScope): Promise<LiveWorld> {
  const [dayRows, points, types] = await Promise.all([
    days.all(tx, org, event.id, sql`true`, sql`order by t.date, t.code`),
    checkInPoints.all(tx, org, event.id, sql`true`, sql`order by t.id`),
    attendeeTypes.all(tx, org, event.id, sql`true`, sql`order by t.id`),
  ]);
  return { days: dayRows, points, types };
}

/** How many are expected and how many came, by day. */
export async function readDays(
  scope: LiveScope,
  clock: EventClock,
): Promise<Map<Id, { expected: number; came: number }>> {
  const { tx, org, event, limit } = scope;
  const [expected, entered, groups] = await Promise.all([
    tx.all<{ day: Id; people: number }>(sql`
      select c.day_id as day, sum(c.people)::int as people from ${attendeeCells(org, event.id, clock.kept)} c
      where c.test = ${event.test} and c.status = 'confirmed' and c.day_id is not null
        and ${attendeeInReach(limit, 'c', eventGroup(event))} group by 1`),
    checkedIn(tx, org, event.id, event.test, clock),
    limit.group === null
      ? null
      : tx.all<{ id: Id }>(sql`select g.id from groups g where g.org_id = ${org} and ${inSubtree(limit, sql`g.id`)}`),
  ]);
  const reached = groups === null ? null : new Set<Id | null>(groups.map((group) => group.id));
  const byDay = new Map<Id, { expected: number; came: number }>();
  const at = (day: Id) => {
    const known = byDay.get(day) ?? { expected: 0, came: 0 };
    byDay.set(day, known);
    return known;
  };
  for (const { day, people } of expected) at(day).expected += people;
  for (const { day_id, group_id, people } of entered) {
    if (reached === null || reached.has(group_id ?? event.group_id)) at(day_id).came += people;
  }
  return byDay;
}

interface CheckInRow extends Omit<LiveCheckIn, 'id' | 'attendee_id' | 'attendee_type' | 'check_in_point' | 'day'> {
  id: Id;
  attendee_id: Id;
  type: Id;
  point: Id;
  day: Id | null;
}

export async function readLast(scope: LiveScope, world: LiveWorld): Promise<LiveSnapshot['check_ins']> {
  const rows = await scope.tx.all<CheckInRow>(sql`
    select k.id, k.attendee_id, concat_ws(' ', a.first_name, a.last_name) as name, a.attendee_type_id as type,
      k.check_in_point_id as point, k.day_id as day, k.result, k.admitted, k.reason, k.scanned_at, k.recorded_at,
      k.offline_result is not null as offline, k.override_of is not null as override, k.undone_at is not null as undone
    from checkins k join attendees a on a.org_id = k.org_id and a.event_id = k.event_id and a.id = k.attendee_id
    where ${ofLive(scope)} order by k.recorded_at desc, k.id desc limit ${LIVE_CHECK_INS}`);
  const code = (list: readonly { id: Id; code: string }[], id: Id | null) =>
    list.find((one) => one.id === id)?.code ?? null;
  return rows.map(({ type, point, day, ...row }) => ({
    ...row,
    id: toUlid(row.id),
    attendee_id: toUlid(row.attendee_id),
    attendee_type: code(world.types, type) ?? '',
    check_in_point: code(world.points, point) ?? '',
    day: code(world.days, day),
  }));
}

type Devices = NonNullable<LiveSnapshot['devices']>;

/** The paired scanners. A member who is limited to a group sees those of the group. */
export async function readDevices({ tx, org, event, limit }: LiveScope): Promise<Devices> {
  const rows = await tx.all<Omit<Devices[number], 'id'> & { id: Id }>(sql`
    select d.id, d.name, d.queue_length, d.battery, d.seen_at from devices d
    where d.org_id = ${org} and d.event_id = ${event.id} and d.revoked_at is null
      and ${inSubtree(limit, sql`coalesce(d.group_id, ${eventGroup(event)})`)}
    order by d.name, d.id limit ${MAX_DEVICES}`);
  return rows.map((row) => ({ ...row, id: toUlid(row.id) }));
}

const MAX_DEVICES = 500;
