import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';

/** The event clock, as a reader sees it. */
export interface EventClock {
  at: string;
  /** Whether the stored counts are up to date with the clock. */
  kept: boolean;
  /** When earlier check-ins were last changed so that they have to be counted again. */
  unsettled_at: string | null;
}

export const readClock = (tx: Tx, org: Id, event: Id): Promise<EventClock> =>
  tx.one<EventClock>(sql`
    select at, counted_at is not distinct from at as kept, unsettled_at from event_clocks where org_id = ${org} and event_id = ${event}`);

interface EnteredCell {
  day_id: Id;
  /** Null: the event's group. */
  group_id: Id | null;
  people: number;
}

interface Remembered {
  /** The time of the event clock up to which check-ins were counted. */
  at: string;
  cells: Map<string, EnteredCell>;
}

/** How many events are remembered: those that were asked for last, with a few cells each. */
const MAX_REMEMBERED = 500;
const remembered = new Map<string, Remembered>();

/**
 * How many attendees were admitted at an entry, by day and group. Scanning is the hot path, so it writes no counts for this. The
 * first call counts all check-ins of the event, and later calls only those recorded since: their stamps come from the event clock,
 * so an earlier one cannot appear afterwards. When an earlier check-in is undone, the clock says so (`unsettled_at`), and all are
 * counted again.
 */
export async function checkedIn(tx: Tx, org: Id, event: Id, test: boolean, clock: EventClock): Promise<EnteredCell[]> {
  const key = `${event} ${test}`;
  const known = remembered.get(key);
  const since = known !== undefined && isSettled(known, clock) ? known : null;
  if (since !== null && since.at === clock.at) return [...since.cells.values()];
  const rows = await tx.all<EnteredCell>(sql`
    select k.day_id, a.group_id, count(distinct k.attendee_id)::int as people
    from checkins k join attendees a on a.org_id = k.org_id and a.event_id = k.event_id and a.id = k.attendee_id
    where k.org_id = ${org} and k.event_id = ${event} and k.test = ${test} and k.day_id is not null
      and k.kind = 'entry' and k.admitted and k.undone_at is null
      and ${
        since === null
          ? sql`true`
          : sql`k.recorded_at > ${since.at}::timestamptz and not exists (
              select from checkins e where e.org_id = ${org} and e.attendee_id = k.attendee_id and e.admitted and e.undone_at is null
                and e.kind = 'entry' and e.test = ${test} and e.day_id = k.day_id and e.recorded_at <= ${since.at}::timestamptz)`
      }
    group by 1, 2`);
  const cells = new Map(since === null ? [] : [...since.cells].map(([cellKey, cell]) => [cellKey, { ...cell }]));
  for (const row of rows) {
    const cellKey = `${row.day_id} ${row.group_id}`;
    const cell = cells.get(cellKey);
    if (cell === undefined) cells.set(cellKey, row);
    else cell.people += row.people;
  }
  remember(remembered, key, { at: clock.at, cells }, MAX_REMEMBERED);
  return [...cells.values()];
}

interface AdmittedCell {
  /** Null: the event's group. */
  group_id: Id | null;
  people: number;
}
interface CountedUpTo {
  at: string;
  cells: Map<Id | null, number>;
}
/** As `remembered`, for whole events: a list of events asks for a hundred at once. */
const MAX_REMEMBERED_ADMITTED = 5000;
const rememberedAdmitted = new Map<string, CountedUpTo>();

/**
 * How many attendees of each event were ever admitted at an entry, by group. It counts as `checkedIn` does, in one statement for
 * all events; an event that has not changed since it was last asked for is not counted again.
 */
export async function admittedByEvent(
  tx: Tx,
  org: Id,
  events: readonly { event: Id; test: boolean; clock: EventClock }[],
): Promise<Map<Id, AdmittedCell[]>> {
  const known = events.map(({ event, test, clock }) => {
    const last = rememberedAdmitted.get(`${event} ${test}`);
    return last !== undefined && isSettled(last, clock) ? last : null;
  });
  const due = events.map((one, i) => ({ ...one, since: known[i] })).filter((one) => one.since?.at !== one.clock.at);
  const rows = due.length === 0 ? [] : await countAdmitted(tx, org, due);
  const news = Map.groupBy(rows, (row) => row.event_id);
  const result = new Map<Id, AdmittedCell[]>();
  for (const [i, { event, test, clock }] of events.entries()) {
    const cells = new Map(known[i]?.cells);
    for (const { group_id, people } of news.get(event) ?? []) cells.set(group_id, (cells.get(group_id) ?? 0) + people);
    remember(rememberedAdmitted, `${event} ${test}`, { at: clock.at, cells }, MAX_REMEMBERED_ADMITTED);
    result.set(
      event,
      [...cells].map(([group_id, people]) => ({ group_id, people })),
    );
  }
  return result;
}

const countAdmitted = (
  tx: Tx,
  org: Id,
  due: readonly { event: Id; test: boolean; since: CountedUpTo | null | undefined }[],
): Promise<(AdmittedCell & { event_id: Id })[]> =>
  tx.all(sql`
    select e.event_id, a.group_id, count(distinct k.attendee_id)::int as people
    from unnest(${due.map((one) => one.event)}::uuid[], ${due.map((one) => one.test)}::boolean[],
      ${due.map((one) => one.since?.at ?? '-infinity')}::timestamptz[]) as e(event_id, test, since)
    join checkins k on k.org_id = ${org} and k.event_id = e.event_id and k.test = e.test and k.recorded_at > e.since
    join attendees a on a.org_id = k.org_id and a.id = k.attendee_id
    where k.kind = 'entry' and k.admitted and k.undone_at is null
      and (e.since = '-infinity' or not exists (
        select from checkins p where p.org_id = ${org} and p.attendee_id = k.attendee_id and p.event_id = e.event_id and p.admitted
          and p.undone_at is null and p.kind = 'entry' and p.test = e.test and p.recorded_at <= e.since))
    group by 1, 2`);

/** The text of a stamp omits trailing zeros of its fraction, so stamps are compared with six decimals. */
const isSettled = ({ at }: { at: string }, clock: EventClock): boolean =>
  clock.kept && !isAfter(at, clock.at) && (clock.unsettled_at === null || !isAfter(clock.unsettled_at, at));

const isAfter = (a: string, b: string): boolean => sixDecimals(a) > sixDecimals(b);

/** Forgets what was asked for longest ago, if there is no more room. */
function remember<T>(all: Map<string, T>, key: string, what: T, most: number): void {
  all.delete(key);
  if (all.size >= most) all.delete(all.keys().next().value!);
  all.set(key, what);
}
