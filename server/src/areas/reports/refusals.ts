import type { RefusalsReport } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { Intervals, type Window } from './intervals.ts';
import { scanSpan } from './scan-span.ts';
import { aboutOf, ofCheckIns, type ReportScope, reportWorld } from './scope.ts';

interface Cell {
  point: Id;
  result: string;
  reason: string | null;
  /** Index of the hour; negative or too large: outside of the hours that are shown. */
  hour: number;
  refusals: number;
  overridden: number;
}

/** Refused scans of known tickets, by result, reason, check-in point and hour. A refusal that was overridden stays a refusal. */
export async function refusalsReport(scope: ReportScope, range: Window): Promise<RefusalsReport> {
  const [about, world, span] = await Promise.all([
    aboutOf(scope),
    reportWorld(scope),
    scanSpan(scope, sql`not k.admitted`),
  ]);
  const hours = Intervals.of(scope.event.timezone, 'hour', range, span.first, span.last);
  const cells = await readCells(scope, hours, range);
  const inHour = Map.groupBy(cells, (cell) => cell.hour);
  const atPoint = Map.groupBy(cells, (cell) => cell.point);
  return {
    ...about,
    total: sum(cells),
    results: ranked(cells, (cell) => cell.result).map((of) => ({ result: of[0]!.result, ...sum(of) })),
    reasons: ranked(cells, (cell) => `${cell.result} ${cell.reason}`).map((of) => ({
      result: of[0]!.result,
      reason: of[0]!.reason,
      ...sum(of),
    })),
    check_in_points: world.points.map(({ id, code }) => {
      const of = atPoint.get(id) ?? [];
      return { check_in_point: code, ...sum(of), reasons: reasonsOf(of) };
    }),
    hours: hours.map((index) => {
      const of = inHour.get(index) ?? [];
      return { refusals: sum(of).refusals, reasons: reasonsOf(of) };
    }),
  };
}

const sum = (cells: readonly Cell[]) => ({
  refusals: cells.reduce((total, cell) => total + cell.refusals, 0),
  overridden: cells.reduce((total, cell) => total + cell.overridden, 0),
});

/** The cells by what `key` says of them, the most frequent first. */
function ranked(cells: readonly Cell[], key: (cell: Cell) => string): Cell[][] {
  const groups = [...Map.groupBy(cells, key)].sort(([a, of], [b, than]) => {
    const more = sum(than).refusals - sum(of).refusals;
    return more !== 0 ? more : a < b ? -1 : 1;
  });
  return groups.map(([, of]) => of);
}

const reasonsOf = (cells: readonly Cell[]) =>
  ranked(cells, (cell) => `${cell.reason}`).map((of) => ({ reason: of[0]!.reason, refusals: sum(of).refusals }));

const readCells = (scope: ReportScope, hours: Intervals, range: Window): Promise<Cell[]> =>
  scope.tx.all<Cell>(sql`
    with overrides as materialized (
      select distinct k.override_of from checkins k where ${ofCheckIns(scope)} and k.override_of is not null and k.undone_at is null)
    select k.check_in_point_id as point, k.result, k.reason,
      ${hours.length === 0 ? sql`-1` : sql`width_bucket(k.scanned_at, ${hours.bounds}::timestamptz[]) - 1`} as hour,
      count(*)::int as refusals, count(o.override_of)::int as overridden
    from checkins k left join overrides o on o.override_of = k.id
    where ${ofCheckIns(scope)} and not k.admitted
      and k.scanned_at >= coalesce(${range.from ?? null}::timestamptz, '-infinity')
      and k.scanned_at < coalesce(${range.to ?? null}::timestamptz, 'infinity')
    group by 1, 2, 3, 4`);
