import type { AttendanceReport } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { closesAt } from '../events/index.ts';
import { attendeeInReach, eventGroup } from '../groups/index.ts';
import { attendeeCells, readClock } from '../registrations/index.ts';
import { hoursOf } from './attendance-hours.ts';
import type { Window } from './intervals.ts';
import { ADMITTED, aboutOf, ofCheckIns, type ReportScope, type ReportWorld, reportWorld } from './scope.ts';

interface Attended {
  expected: number;
  came: number;
  no_shows: number;
  still_expected: number;
}

/**
 * Who was expected and who came, by day, type, check-in point and hour. Whoever has not come is a no-show once all of their days are
 * over; until then they are still expected.
 */
export async function attendanceReport(scope: ReportScope, range: Window): Promise<AttendanceReport> {
  const [about, world, expected, entered, ever, points] = await Promise.all([
    aboutOf(scope),
    reportWorld(scope),
    readExpected(scope),
    readEntered(scope),
    readEver(scope),
    readPoints(scope),
  ]);
  const { hours, insideOn } = await hoursOf(scope, world, range);
  const open = openDays(scope, world);
  const awaited = await readAwaited(scope, world, open);
  const attended = (day: Id | null, type?: Id) => {
    const { missing, ...counts } = attendedBy(expected, day === null ? ever : entered, day, type);
    const still = day === null ? awaited(missing, type) : open.has(day) ? missing : 0;
    return { ...counts, no_shows: missing - still, still_expected: still };
  };
  const isEmpty = ({ expected: all, came }: Attended) => all === 0 && came === 0;
  return {
    ...about,
    total: { ...attended(null), ...passesOf(points) },
    days: world.days.map(({ id, code }) => ({
      day: code,
      ...attended(id),
      ...passesOf(points.filter((row) => row.day === id)),
      inside: insideOn(id),
      attendee_types: world.types
        .map((type) => ({ attendee_type: type.code, ...attended(id, type.id) }))
        .filter((one) => !isEmpty(one)),
    })),
    attendee_types: world.types.map((type) => ({ attendee_type: type.code, ...attended(null, type.id) })),
    check_in_points: world.points.map(({ id, code, kind }) => {
      const [of] = points.filter((row) => row.point === id && row.day === null && row.whole);
      const { admissions = 0, people = 0, refusals = 0 } = of ?? {};
      return { check_in_point: code, kind, admissions, people, refusals };
    }),
    hours,
  };
}

interface ExpectedRow {
  /** Null: in the event as a whole. */
  day: Id | null;
  type: Id;
  people: number;
}

/** The stored counts: exact, and few however many attendees there are. */
async function readExpected({ tx, org, event, limit, test }: ReportScope): Promise<ExpectedRow[]> {
  const { kept } = await readClock(tx, org, event.id);
  return tx.all<ExpectedRow>(sql`
    select c.day_id as day, c.attendee_type_id as type, sum(c.people)::int as people from ${attendeeCells(org, event.id, kept)} c
    where c.test = ${test} and c.status = 'confirmed' and ${attendeeInReach(limit, 'c', eventGroup(event))} group by 1, 2`);
}

interface EnteredRow {
  day: Id | null;
  type: Id;
  came: number;
  /** Of those who came: confirmed, and registered for that day. A test scan may admit somebody who is registered in earnest. */
  expected: number;
}

/** Who entered on each day, once however often. The day is that of the admission, also if the attendee moved to another day since. */
const readEntered = (scope: ReportScope): Promise<EnteredRow[]> =>
  scope.tx.all<EnteredRow>(sql`
    select e.day, a.attendee_type_id as type, count(*)::int as came,
      (count(*) filter (where a.status = 'confirmed' and a.test = ${scope.test} and e.day = any(a.day_ids)))::int as expected
    from (
      select distinct k.attendee_id, k.day_id as day from checkins k
      where ${ofCheckIns(scope)} and k.kind = 'entry' and ${ADMITTED} and k.day_id is not null) e
    join attendees a on a.org_id = ${scope.org} and a.event_id = ${scope.event.id} and a.id = e.attendee_id
    group by 1, 2`);

/** Who entered at all. */
const readEver = (scope: ReportScope): Promise<EnteredRow[]> =>
  scope.tx.all<EnteredRow>(sql`
    select null::uuid as day, a.attendee_type_id as type, count(*)::int as came,
      (count(*) filter (where a.status = 'confirmed' and a.test = ${scope.test}))::int as expected
    from (select distinct k.attendee_id from checkins k where ${ofCheckIns(scope)} and k.kind = 'entry' and ${ADMITTED}) e
    join attendees a on a.org_id = ${scope.org} and a.event_id = ${scope.event.id} and a.id = e.attendee_id
    group by 2`);

function attendedBy(
  expected: readonly ExpectedRow[],
  entered: readonly EnteredRow[],
  day: Id | null,
  type: Id | undefined,
): { expected: number; came: number; missing: number } {
  const here = (row: { day: Id | null; type: Id }) => row.day === day && (type === undefined || row.type === type);
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const all = sum(expected.filter(here).map((row) => row.people));
  const came = entered.filter(here);
  return {
    expected: all,
    came: sum(came.map((row) => row.came)),
    missing: all - sum(came.map((row) => row.expected)),
  };
}

/** The days that have not closed. */
function openDays({ tx, event }: ReportScope, { days }: ReportWorld): ReadonlySet<Id> {
  const now = tx.clock.now().getTime();
  return new Set(days.filter((day) => Date.parse(closesAt(day, event.timezone)) > now).map(({ id }) => id));
}

/**
 * How many of those who are missing may still come on one of their days, of one type or all. Only while some days are over and others are
 * not do people have to be looked at: the stored counts do not tell whether somebody is missing on two days.
 */
async function readAwaited(
  scope: ReportScope,
  { days }: ReportWorld,
  open: ReadonlySet<Id>,
): Promise<(missing: number, type: Id | undefined) => number> {
  const { tx, org, event, limit, test } = scope;
  const isOver = event.ends_at !== null && Date.parse(event.ends_at) <= tx.clock.now().getTime();
  if (days.length === 0 ? !isOver : open.size === days.length) return (missing) => missing;
  if (open.size === 0) return () => 0;
  const rows = await tx.all<{ type: Id; people: number }>(sql`
    select a.attendee_type_id as type, count(*)::int as people from attendees a
    where a.org_id = ${org} and a.event_id = ${event.id} and a.test = ${test} and a.status = 'confirmed'
      and ${attendeeInReach(limit, 'a', eventGroup(event))} and a.day_ids && ${[...open]}::uuid[]
      and not exists (
        select from checkins k where ${ofCheckIns(scope)} and k.attendee_id = a.id and k.kind = 'entry' and ${ADMITTED})
    group by 1`);
  return (_, type) =>
    rows.reduce((total, row) => total + (type === undefined || row.type === type ? row.people : 0), 0);
}

interface PointRow {
  point: Id;
  day: Id | null;
  /** The point as a whole, not one of its days. */
  whole: boolean;
  kind: string;
  admissions: number;
  people: number;
  refusals: number;
}

/** By point, and by point and day. The kind is that of the scan: a point may have changed its kind since. */
const readPoints = (scope: ReportScope): Promise<PointRow[]> =>
  scope.tx.all<PointRow>(sql`
    select k.check_in_point_id as point, k.day_id as day, grouping(k.day_id, k.kind) > 0 as whole, k.kind,
      (count(*) filter (where ${ADMITTED}))::int as admissions,
      (count(distinct k.attendee_id) filter (where ${ADMITTED}))::int as people,
      (count(*) filter (where not k.admitted))::int as refusals
    from checkins k where ${ofCheckIns(scope)}
    group by grouping sets ((k.check_in_point_id, k.day_id, k.kind), (k.check_in_point_id))`);

function passesOf(rows: readonly PointRow[]): { admissions: number; exits: number } {
  const of = (kind: string) =>
    rows.filter((row) => !row.whole && row.kind === kind).reduce((total, row) => total + row.admissions, 0);
  return { admissions: of('entry'), exits: of('exit') };
}
