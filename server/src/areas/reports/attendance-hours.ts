import type { AttendanceReport } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { closesAt } from '../events/index.ts';
import { Intervals, type Window } from './intervals.ts';
import { scanSpan } from './scan-span.ts';
import { ADMITTED, ofCheckIns, type ReportScope, type ReportWorld } from './scope.ts';

/** The hours of a report, and how many people are inside on each day after all passes. */
export async function hoursOf(
  scope: ReportScope,
  world: ReportWorld,
  range: Window,
): Promise<{ hours: AttendanceReport['hours']; insideOn: (day: Id) => number }> {
  const span = await scanSpan(scope, ADMITTED);
  const hours = Intervals.of(scope.event.timezone, 'hour', range, span.first, span.last);
  const [passes, moves] = await Promise.all([readPasses(scope, hours), readMoves(scope, hours)]);
  const inHour = Map.groupBy(passes, (row) => row.hour);
  const insideAt = insideByHour(scope, world, hours, moves);
  const sum = (rows: readonly { count: number }[]) => rows.reduce((total, row) => total + row.count, 0);
  return {
    hours: hours.map((index) => {
      const of = inHour.get(index) ?? [];
      return {
        admissions: sum(of.filter((row) => row.kind === 'entry')),
        exits: sum(of.filter((row) => row.kind === 'exit')),
        inside: insideAt(index),
        check_in_points: [...Map.groupBy(of, (row) => row.point)].map(([point, rows]) => ({
          check_in_point: world.pointCode(point),
          admissions: sum(rows),
        })),
      };
    }),
    insideOn: (day) => sum(moves.filter((row) => row.day === day)),
  };
}

/** The index of a scan's hour: -1 before the first one, the number of hours after the last one. */
const hourOf = (hours: Intervals): Sql =>
  hours.length === 0 ? sql`-1` : sql`width_bucket(k.scanned_at, ${hours.bounds}::timestamptz[]) - 1`;

interface PassRow {
  hour: number;
  point: Id;
  kind: string;
  count: number;
}

const readPasses = (scope: ReportScope, hours: Intervals): Promise<PassRow[]> =>
  scope.tx.all<PassRow>(sql`
    select ${hourOf(hours)} as hour, k.check_in_point_id as point, k.kind, count(*)::int as count
    from checkins k where ${ofCheckIns(scope)} and ${ADMITTED}
      and k.scanned_at >= ${hours.first}::timestamptz and k.scanned_at < ${hours.end}::timestamptz
    group by 1, 2, 3 order by 1, 2`);

/** By how much the number of people inside changed in an hour. */
interface MoveRow {
  hour: number;
  day: Id | null;
  count: number;
}

/**
 * Somebody is inside from a pass in until the next pass out on the same day; passing in twice changes nothing. An exit counts unless it
 * leads out of a zone only, as in `packages/checkin`.
 */
const readMoves = (scope: ReportScope, hours: Intervals): Promise<MoveRow[]> =>
  scope.tx.all<MoveRow>(sql`
    select k.hour, k.day, sum(k.now - k.before)::int as count from (
      select ${hourOf(hours)} as hour, k.day_id as day, (k.kind = 'entry')::int as now,
        coalesce(lag((k.kind = 'entry')::int) over (partition by k.attendee_id, k.day_id order by k.scanned_at, k.seq), 0) as before
      from checkins k left join check_in_points p on p.org_id = k.org_id and p.id = k.check_in_point_id
      where ${ofCheckIns(scope)} and ${ADMITTED} and (k.kind = 'entry' or (k.kind = 'exit' and p.leaves_id is null))) k
    where k.now <> k.before group by 1, 2`);

/** The people inside at the end of each hour. Those who never left are no longer counted once their day has closed. */
function insideByHour(
  { event }: ReportScope,
  world: ReportWorld,
  hours: Intervals,
  moves: readonly MoveRow[],
): (index: number) => number {
  const closing = new Map<Id | null, number>(
    world.days.map((day) => [day.id, Date.parse(closesAt(day, event.timezone))]),
  );
  const inside = new Array<number>(hours.length).fill(0);
  for (const [day, rows] of Map.groupBy(moves, (row) => row.day)) {
    const ofHour = new Map(rows.map((row) => [row.hour, row.count]));
    const closes = closing.get(day) ?? Number.POSITIVE_INFINITY;
    let people = ofHour.get(-1) ?? 0;
    for (let hour = 0; hour < inside.length; hour += 1) {
      people += ofHour.get(hour) ?? 0;
      if (Date.parse(hours.bounds[hour]!) < closes) inside[hour]! += people;
    }
  }
  return (index) => inside[index]!;
}
