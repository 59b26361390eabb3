import type { RegistrationSource, RegistrationsReport, ReportInterval } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { every, type Sql, sql, unprepared } from '../../store/sql.ts';
import { attendeeInReach, eventGroup, registrationInReach } from '../groups/index.ts';
import { Intervals, type Window } from './intervals.ts';
import { aboutOf, type ReportScope, reportWorld } from './scope.ts';

type What = 'registered' | 'confirmed' | 'cancelled';
type Numbers = Record<What, number>;
const zero = (): Numbers => ({ registered: 0, confirmed: 0, cancelled: 0 });
interface Both {
  people: Numbers;
  registrations: Numbers;
}
const none = (): Both => ({ people: zero(), registrations: zero() });

/** People and registrations that were registered, confirmed and cancelled, in each interval of the event's zone. */
export async function registrationsReport(
  scope: ReportScope,
  by: ReportInterval,
  range: Window,
): Promise<RegistrationsReport> {
  const [about, world, span] = await Promise.all([aboutOf(scope), reportWorld(scope), spanOf(scope)]);
  const intervals = Intervals.of(scope.event.timezone, by, range, span.first, span.last);
  const [people, registrations] = await Promise.all([
    readPeople(scope, intervals, range),
    readRegistrations(scope, intervals, range),
  ]);
  const tally = new Tally();
  for (const { at, what, source, type, count } of people) {
    tally.add(at, 'people', what, count, source);
    tally.addType(at, what, count, type);
  }
  for (const { at, what, source, count } of registrations) tally.add(at, 'registrations', what, count, source);
  return {
    ...about,
    by,
    total: tally.total,
    intervals: intervals.map((index) => {
      const { all, sources, types } = tally.at(index);
      return {
        ...all,
        sources: [...sources].map(([source, both]) => ({ source, ...both })),
        attendee_types: world.types
          .filter((type) => types.has(type.id))
          .map((type) => ({ attendee_type: type.code, people: types.get(type.id)! })),
      };
    }),
  };
}

interface Interval {
  all: Both;
  sources: Map<RegistrationSource, Both>;
  types: Map<Id, Numbers>;
}

class Tally {
  readonly total = none();
  readonly #intervals = new Map<number, Interval>();

  at(index: number): Interval {
    const known = this.#intervals.get(index) ?? { all: none(), sources: new Map(), types: new Map() };
    this.#intervals.set(index, known);
    return known;
  }

  add(index: number, kind: keyof Both, what: What, count: number, source: RegistrationSource): void {
    const { all, sources } = this.at(index);
    const ofSource = sources.get(source) ?? none();
    sources.set(source, ofSource);
    for (const both of [this.total, all, ofSource]) both[kind][what] += count;
  }

  addType(index: number, what: What, count: number, type: Id): void {
    const { types } = this.at(index);
    const numbers = types.get(type) ?? zero();
    types.set(type, numbers);
    numbers[what] += count;
  }
}

/** From the first registration to the last change of any: a registration is touched whenever one of its attendees comes or goes. */
const spanOf = ({ tx, org, event, limit, test }: ReportScope): Promise<{ first: string | null; last: string | null }> =>
  tx.one(sql`
    select min(r.created_at) as first, max(r.updated_at) as last from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and r.test = ${test}
      and ${registrationInReach(limit, 'r', eventGroup(event))}`);

interface IntervalCount {
  /** Index of the interval. */
  at: number;
  what: What;
  source: RegistrationSource;
  count: number;
}

/** Sorts what happened to each row of `rows`, with its times, into the intervals. How many rows that are depends on the range. */
const countsByInterval = (rows: Sql, by: Sql, { bounds, first, end }: Intervals, range: Window): Sql =>
  unprepared(sql`
  select width_bucket(v.at, ${bounds}::timestamptz[]) - 1 as at, v.what, ${by}, count(*)::int as count
  from (${rows}) p
    cross join lateral (values ('registered', p.registered_at), ('confirmed', p.confirmed_at), ('cancelled', p.cancelled_at)) as v(what, at)
  where v.at >= greatest(${first}::timestamptz, ${range.from ?? null}::timestamptz)
    and v.at < least(${end}::timestamptz, ${range.to ?? null}::timestamptz)
  group by 1, 2, ${by}`);

/**
 * Whoever was registered, confirmed or cancelled since the beginning was changed then, too. So the last days of a large event are found
 * by the index of changes: the Overview asks for them every minute, and reading a million people for it took more than five seconds on
 * two cores. The day is for stamps of the event's clock, which may be a little before the time of what happened.
 */
const changedWithin = (range: Window, changed: Sql): Sql | false =>
  range.from !== undefined && sql`${changed} >= ${range.from}::timestamptz - interval '1 day'`;

/**
 * An attendee is confirmed with the registration, or when added to a confirmed one; not if cancelled before that. Where it is not known
 * when an attendee was cancelled (0036_reports.sql), the registration's time or that of the last change stands in.
 */
const readPeople = (
  { tx, org, event, limit, test }: ReportScope,
  intervals: Intervals,
  range: Window,
): Promise<(IntervalCount & { type: Id })[]> =>
  tx.all(
    countsByInterval(
      sql`select c.type, c.source, c.created_at as registered_at, c.cancelled_at,
          case when c.cancelled_at is null or c.cancelled_at > greatest(c.created_at, c.confirmed_at)
            then case when c.confirmed_at is not null then greatest(c.created_at, c.confirmed_at) end end as confirmed_at
        from (
          select a.attendee_type_id as type, r.source, a.created_at, r.confirmed_at,
            case when a.status = 'cancelled' then coalesce(a.cancelled_at, r.cancelled_at, a.updated_at) end as cancelled_at
          from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
          where a.org_id = ${org} and a.event_id = ${event.id} and a.test = ${test} and r.event_id = ${event.id}
            and ${every([attendeeInReach(limit, 'a', eventGroup(event)), changedWithin(range, sql`a.updated_at`)])}) c`,
      sql`p.source, p.type`,
      intervals,
      range,
    ),
  );

const readRegistrations = (
  { tx, org, event, limit, test }: ReportScope,
  intervals: Intervals,
  range: Window,
): Promise<IntervalCount[]> =>
  tx.all(
    countsByInterval(
      sql`select r.source, r.created_at as registered_at, r.confirmed_at, r.cancelled_at from registrations r
        where r.org_id = ${org} and r.event_id = ${event.id} and r.test = ${test}
          and ${every([registrationInReach(limit, 'r', eventGroup(event)), changedWithin(range, sql`r.updated_at`)])}`,
      sql`p.source`,
      intervals,
      range,
    ),
  );
