import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { checkInInReach, eventGroup, type Limit } from '../groups/index.ts';

/*
 * The numbers of a live page that add up: a new check-in adds to a few cells and changes no other. They are read from all check-ins
 * once, and then only from those recorded since.
 */

/** What one live page is about: an event, as whoever is limited to this group sees it. */
export interface LiveScope {
  tx: Tx;
  org: Id;
  event: EventRow;
  limit: Limit;
}

/** Live check-ins, or in a test event test check-ins, as `k`. */
export const ofLive = ({ org, event, limit }: LiveScope): Sql => sql`
  k.org_id = ${org} and k.event_id = ${event.id} and k.test = ${event.test} and ${checkInInReach(limit, 'k', eventGroup(event))}`;

const ADMITTED = sql`k.admitted and k.undone_at is null`;
const after = (since: string | null): Sql => (since === null ? sql`true` : sql`k.recorded_at > ${since}::timestamptz`);

/** Check-ins that agree in all of this. */
export interface Cell {
  point: Id;
  kind: string;
  day: Id | null;
  type: Id;
  /** Why they were refused; null if they were admitted. */
  refused: string | null;
  /** The minute of an admission at an entry, if it is one of the last. */
  minute: string | null;
  count: number;
}

export const readCells = (scope: LiveScope, since: string | null, minutesFrom: Date): Promise<Cell[]> =>
  scope.tx.all<Cell>(sql`
    select k.check_in_point_id as point, k.kind, k.day_id as day, a.attendee_type_id as type,
      case when not k.admitted then coalesce(k.reason, k.result) end as refused,
      case when k.admitted and k.kind = 'entry' and k.scanned_at >= ${minutesFrom}::timestamptz
        then date_trunc('minute', k.scanned_at, 'UTC') end as minute,
      count(*)::int as count
    from checkins k join attendees a on a.org_id = k.org_id and a.event_id = k.event_id and a.id = k.attendee_id
    where ${ofLive(scope)} and ${after(since)} and (not k.admitted or k.undone_at is null)
    group by 1, 2, 3, 4, 5, 6`);

/** People inside: of a zone, or of the venue by the entry through which they came in last. */
export interface InsideCell {
  point: Id;
  day: Id | null;
  count: number;
}

/**
 * Somebody is inside a zone, or inside the venue, if their last pass of the day went in. The spaces are the venue, which goes by the id
 * of the event, and the zones. An exit that leads out of no particular zone leads out of all of them, as in `packages/checkin`.
 */
const inside = (scope: LiveScope, zones: readonly Id[], condition: Sql): Promise<InsideCell[]> =>
  scope.tx.all<InsideCell>(sql`
    select l.day, l.point, count(*)::int as count from (
      select distinct on (s.space, k.attendee_id, k.day_id) k.day_id as day,
        case when k.kind <> 'exit' then k.check_in_point_id end as point
      from checkins k left join check_in_points p on p.org_id = k.org_id and p.id = k.check_in_point_id
        join unnest(${[scope.event.id, ...zones]}::uuid[]) as s(space) on case k.kind
          when 'entry' then s.space = k.event_id
          when 'zone' then s.space = k.check_in_point_id
          when 'exit' then p.leaves_id is null or p.leaves_id = s.space end
      where ${ofLive(scope)} and ${ADMITTED} and ${condition}
      order by s.space, k.attendee_id, k.day_id, k.scanned_at desc, k.seq desc) l
    where l.point is not null group by 1, 2`);

export const readInside = (scope: LiveScope, zones: readonly Id[]): Promise<InsideCell[]> =>
  inside(scope, zones, sql`true`);

/**
 * By how much the numbers inside changed: only the people who were scanned since are looked at, as they were then and as they are now.
 * Their passes are found by person, so this costs as much as there are new scans, however many there were before.
 */
export async function readMoves(scope: LiveScope, zones: readonly Id[], since: string): Promise<InsideCell[]> {
  const rows = await scope.tx.all<{ id: Id }>(sql`
    select distinct k.attendee_id as id from checkins k where ${ofLive(scope)} and ${after(since)} and ${ADMITTED}`);
  if (rows.length === 0) return [];
  const these = sql`k.attendee_id = any(${rows.map((row) => row.id)})`;
  const [now, then] = await Promise.all([
    inside(scope, zones, these),
    inside(scope, zones, sql`${these} and k.recorded_at <= ${since}::timestamptz`),
  ]);
  return [...now, ...then.map((cell) => ({ ...cell, count: -cell.count }))];
}
