import { OVERVIEW_DAYS } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { join, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { admittedByEvent, type EventClock } from './checked-in.ts';
import { EVENT_GROUP, isTest } from './count-scope.ts';
import { attendeeCells, countedDates, registrationCells } from './counts.ts';
import { reachedGroups } from './reach.ts';

/** What a list of events shows of each. `GET /events/{event}/availability` and `/summary` tell the same of one event, and more. */
export interface EventCounts {
  /** Attendees, by what they are. */
  taken: number;
  held: number;
  waiting: number;
  checked_in: number;
  /** Attendees who were added on each of the last days, the oldest day first. */
  registered_by_day: number[];
  /** Registrations. */
  to_approve: number;
  unpaid: number;
}

/** One row for each event, as the table `e`: its id, whether test registrations are counted, and its group. */
interface CountedEvents {
  table: Sql;
  /** The groups that the caller reaches. Null: all. */
  reached: Id[] | null;
  /** Events whose stored counts are up to date. */
  upToDate: Id[];
  /** Events that a process of an earlier build has changed since they were last counted. Normally there are none. */
  uncounted: Id[];
}

/**
 * The counts of many events, with the same few statements however many there are. A caller limited to a group counts its own
 * attendees. The road reads repeatably, so all counts are of the same instant.
 */
export async function countsOfEvents(work: Work, events: readonly EventRow[]): Promise<Map<Id, EventCounts>> {
  const { tx, org } = work;
  const ids = events.map((event) => event.id);
  const tests = events.map((event) => isTest(work, event, undefined));
  const [clocks, reached] = await Promise.all([readClocks(work, ids), reachedGroups(work)]);
  const countedEvents: CountedEvents = {
    table: sql`unnest(${ids}::uuid[], ${tests}::boolean[], ${events.map((event) => event.group_id)}::uuid[]) as e(event_id, test, group_id)`,
    reached: reached === undefined ? null : [...reached],
    upToDate: ids.filter((id) => clocks.get(id)?.kept === true),
    uncounted: ids.filter((id) => clocks.get(id)?.kept !== true),
  };
  const counting = events.map(({ id }, i) => ({ event: id, test: tests[i]!, clock: clocks.get(id)! }));
  const [people, registrations, entered, dates] = await Promise.all([
    readPeople(work, countedEvents),
    readRegistrations(work, countedEvents),
    admittedByEvent(tx, org, counting),
    readDates(work, countedEvents),
  ]);
  const counts = new Map<Id, EventCounts>(
    ids.map((id) => [id, { ...NO_COUNTS, registered_by_day: new Array<number>(OVERVIEW_DAYS).fill(0) }]),
  );
  for (const { event_id, day, count } of dates) counts.get(event_id)!.registered_by_day[day] = count;
  for (const row of people) counts.get(row.event_id)![PEOPLE[row.status]!] += row.count;
  for (const row of registrations) counts.get(row.event_id)![REGISTRATIONS[row.status]!] += row.count;
  for (const { id, group_id } of events) {
    for (const cell of entered.get(id) ?? []) {
      const group = cell.group_id ?? group_id;
      if (reached === undefined || (group !== null && reached.has(group))) counts.get(id)!.checked_in += cell.people;
    }
  }
  return counts;
}

const NO_COUNTS = { taken: 0, held: 0, waiting: 0, checked_in: 0, to_approve: 0, unpaid: 0 };
const PEOPLE: Readonly<Record<string, 'taken' | 'held' | 'waiting'>> = {
  confirmed: 'taken',
  pending_approval: 'held',
  pending_payment: 'held',
  waitlisted: 'waiting',
};
const REGISTRATIONS: Readonly<Record<string, 'to_approve' | 'unpaid'>> = {
  pending_approval: 'to_approve',
  pending_payment: 'unpaid',
};

async function readClocks({ tx, org }: Work, events: readonly Id[]): Promise<Map<Id, EventClock>> {
  const rows = await tx.all<EventClock & { event_id: Id }>(sql`
    select event_id, at, counted_at is not distinct from at as kept, unsettled_at from event_clocks
    where org_id = ${org} and event_id = any(${events})`);
  return new Map(rows.map((row) => [row.event_id, row]));
}

interface CountRow {
  event_id: Id;
  status: string;
  count: number;
}

function readPeople({ tx, org }: Work, { table, reached, upToDate, uncounted }: CountedEvents): Promise<CountRow[]> {
  const cells = withUncounted(
    sql`select event_id, test, status, day_id, group_id, people from people_counts where org_id = ${org} and event_id = any(${upToDate})`,
    uncounted,
    (event) =>
      sql`select ${event}::uuid, u.test, u.status, u.day_id, u.group_id, u.people from ${attendeeCells(org, event, false)} u`,
  );
  const inReach = reached === null ? sql`true` : sql`coalesce(c.group_id, e.group_id) = any(${reached})`;
  return tx.all<CountRow>(sql`
    select c.event_id, c.status, sum(c.people)::int as count
    from (${cells}) c join ${table} on e.event_id = c.event_id and e.test = c.test
    where c.day_id is null and c.status = any(${Object.keys(PEOPLE)}) and ${inReach} group by 1, 2`);
}

/** Attendees by the day on which they were added: 0 is the first of the days that are shown, the last one is today. */
function readDates(
  { tx, org }: Work,
  { table, reached, upToDate, uncounted }: CountedEvents,
): Promise<{ event_id: Id; day: number; count: number }[]> {
  const today = tx.clock.now().toISOString().slice(0, 10);
  const first = sql`${today}::date - ${OVERVIEW_DAYS - 1}::int`;
  const cells = withUncounted(
    sql`select event_id, test, date, group_id, people from registered_by_day
      where org_id = ${org} and event_id = any(${upToDate}) and date >= ${first}`,
    uncounted,
    (event) => sql`select ${event}::uuid, u.test, u.date, u.group_id, u.people from (${countedDates(org, event)}) u`,
  );
  const inReach = reached === null ? sql`true` : sql`coalesce(c.group_id, e.group_id) = any(${reached})`;
  return tx.all(sql`
    select c.event_id, c.date - (${first}) as day, greatest(sum(c.people), 0)::int as count
    from (${cells}) c join ${table} on e.event_id = c.event_id and e.test = c.test
    where c.date between ${first} and ${today}::date and ${inReach} group by 1, 2`);
}

/** A caller who reaches one attendee of a registration sees the registration. */
function readRegistrations(
  { tx, org }: Work,
  { table, reached, upToDate, uncounted }: CountedEvents,
): Promise<CountRow[]> {
  const cells = withUncounted(
    sql`select event_id, test, status, scope, groups, registrations from registration_counts where org_id = ${org} and event_id = any(${upToDate})`,
    uncounted,
    (event) =>
      sql`select ${event}::uuid, u.test, u.status, u.scope, u.groups, u.registrations from ${registrationCells(org, event, false)} u`,
  );
  const inReach =
    reached === null
      ? sql`true`
      : sql`string_to_array(c.groups, ',') && (${reached}::text[]
          || case when e.group_id = any(${reached}::uuid[]) then ${EVENT_GROUP} end)`;
  return tx.all<CountRow>(sql`
    select c.event_id, c.status, sum(c.registrations)::int as count
    from (${cells}) c join ${table} on e.event_id = c.event_id and e.test = c.test
    where c.scope = '' and c.status = any(${Object.keys(REGISTRATIONS)}) and ${inReach} group by 1, 2`);
}

/** The stored cells, and those of events that have to be counted from their rows. */
const withUncounted = (stored: Sql, uncounted: readonly Id[], count: (event: Id) => Sql): Sql =>
  uncounted.length === 0 ? stored : unprepared(join([stored, ...uncounted.map(count)], ' union all '));
