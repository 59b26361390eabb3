import { type Availability, type EventSummary, REGISTRATION_SOURCES, REGISTRATION_STATUSES } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import type { Id } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { EventRow } from '../events/index.ts';
import { checkedIn, readClock } from './checked-in.ts';
import { peopleCells, registrationCells } from './counts.ts';
import { groupCodes } from './group-codes.ts';
import { Places } from './places.ts';
import { reachedGroups } from './reach.ts';
import { worldOf } from './world.ts';

/** Test registrations have counts of their own; a test key and a test event speak of those. */
const isTest = (work: Work, event: EventRow, asked: boolean | undefined): boolean =>
  asked ?? (work.mode === 'test' || event.test);

/** The groups that the caller reaches, as the cells write them; null: all. */
async function reachedCells(work: Work, event: EventRow): Promise<string[] | null> {
  const only = await reachedGroups(work);
  if (only === undefined) return null;
  return [...only, ...(event.group_id !== null && only.has(event.group_id) ? [EVENT_GROUP] : [])];
}
const EVENT_GROUP = '-';
const inReachedGroups = (reach: string[] | null): Sql =>
  reach === null ? sql`true` : sql`coalesce(c.group_id::text, ${EVENT_GROUP}) = any(${reach})`;

/** How full the event, its days and its types are. All of one instant: reads are repeatable (road.ts). */
export async function availabilityOf(work: Work, event: EventRow, asked: boolean | undefined): Promise<Availability> {
  const { tx, org } = work;
  const test = isTest(work, event, asked);
  const [clock, reach, world, held] = await Promise.all([
    readClock(tx, org, event.id),
    reachedCells(work, event),
    worldOf(tx, org, event),
    Places.counts(tx, org, event.id),
  ]);
  const rows = await tx.all<{ status: string; attendee_type_id: Id; day_id: Id | null; people: number }>(sql`
    select c.status, c.attendee_type_id, c.day_id, sum(c.people)::int as people from ${peopleCells(org, event.id, clock.kept)} c
    where c.test = ${test} and c.status in ('confirmed', 'pending_approval', 'pending_payment', 'waitlisted') and ${inReachedGroups(reach)}
    group by 1, 2, 3`);
  const counts = new Map<Id, { taken: number; held: number; waiting: number }>();
  const add = (scope: Id, status: string, people: number) => {
    const count = counts.get(scope) ?? { taken: 0, held: 0, waiting: 0 };
    count[status === 'confirmed' ? 'taken' : status === 'waitlisted' ? 'waiting' : 'held'] += people;
    counts.set(scope, count);
  };
  for (const { status, attendee_type_id, day_id, people } of rows) {
    if (day_id !== null) add(day_id, status, people);
    else {
      add(event.id, status, people);
      add(attendee_type_id, status, people);
    }
  }
  // What is left, all people count for. Whose event it is may know.
  const knows = reach === null || reach.includes(EVENT_GROUP);
  const places = (scope: Id, capacity: number | null) => ({
    capacity,
    ...(counts.get(scope) ?? { taken: 0, held: 0, waiting: 0 }),
    left:
      capacity === null || !knows
        ? null
        : Math.max(capacity - (held.find((one) => one.scope_id === scope && one.test === test)?.taken ?? 0), 0),
  });
  const cap = work.caller.plan.limits.attendees_per_event;
  const limits = [event.capacity, cap].filter((limit) => limit !== null);
  return {
    test,
    as_of: sixDecimals(clock.at),
    event: places(event.id, limits.length === 0 ? null : Math.min(...limits)),
    days: world.dayOrder.map((id) => ({ day: world.days.get(id)!.code, ...places(id, world.days.get(id)!.capacity) })),
    attendee_types: [...world.types.values()].map((type) => ({
      attendee_type: type.code,
      ...places(type.id, type.capacity),
    })),
  };
}

type ByStatus = EventSummary['people'];
const zeroCounts = (): ByStatus =>
  Object.fromEntries(REGISTRATION_STATUSES.map((status) => [status, 0])) as Record<keyof ByStatus, number>;

/** People and registrations of each part, as they come in. */
class Tallies {
  readonly #tallies = new Map<string, { people: ByStatus; registrations: ByStatus }>();

  of(part: string) {
    const known = this.#tallies.get(part) ?? { people: zeroCounts(), registrations: zeroCounts() };
    this.#tallies.set(part, known);
    return known;
  }

  add(part: string, what: 'people' | 'registrations', status: string, count: number): void {
    this.of(part)[what][status as keyof ByStatus] += count;
  }

  /** The groups that anybody is of; '' is the event's. */
  groups(): string[] {
    return [...this.#tallies.keys()].filter((part) => part.startsWith('group:')).map((part) => part.slice(6));
  }
}

export async function summaryOf(work: Work, event: EventRow, asked: boolean | undefined): Promise<EventSummary> {
  const { tx, org } = work;
  const test = isTest(work, event, asked);
  const [clock, reach, world] = await Promise.all([
    readClock(tx, org, event.id),
    reachedCells(work, event),
    worldOf(tx, org, event),
  ]);
  const tallies = new Tallies();
  const [people, registrations, entered] = await Promise.all([
    tx.all<{
      status: string;
      source: string;
      attendee_type_id: Id;
      day_id: Id | null;
      group_id: Id | null;
      people: number;
    }>(sql`
      select c.status, c.source, c.attendee_type_id, c.day_id, c.group_id, c.people from ${peopleCells(org, event.id, clock.kept)} c
      where c.test = ${test} and c.people <> 0 and ${inReachedGroups(reach)}`),
    // Those who see one of its people see a registration, those who see all of them its money.
    tx.all<{
      status: string;
      source: string;
      currency: string;
      scope: string;
      registrations: number;
      due_minor: number;
      paid_minor: number;
    }>(sql`
      select c.status, c.source, c.currency, c.scope, sum(c.registrations)::int as registrations,
        coalesce(sum(c.due_minor) filter (where ${reachesAllGroups(reach)}), 0)::bigint as due_minor,
        coalesce(sum(c.paid_minor) filter (where ${reachesAllGroups(reach)}), 0)::bigint as paid_minor
      from ${registrationCells(org, event.id, clock.kept)} c
      where c.test = ${test} and c.registrations <> 0 and ${reach === null ? sql`true` : sql`string_to_array(c.groups, ',') && ${reach}`}
      group by 1, 2, 3, 4`),
    checkedIn(tx, org, event.id, test, clock),
  ]);
  for (const { status, source, attendee_type_id, day_id, group_id, people: count } of people) {
    if (day_id !== null) tallies.add(`day:${day_id}`, 'people', status, count);
    else {
      for (const part of ['', `type:${attendee_type_id}`, `group:${group_id ?? ''}`, `source:${source}`]) {
        tallies.add(part, 'people', status, count);
      }
    }
  }
  const money = new Map<string, { due_minor: number; paid_minor: number }>();
  for (const { status, source, currency, scope, registrations: count, due_minor, paid_minor } of registrations) {
    tallies.add(scope, 'registrations', status, count);
    if (scope !== '') continue;
    tallies.add(`source:${source}`, 'registrations', status, count);
    const sum = money.get(currency) ?? { due_minor: 0, paid_minor: 0 };
    money.set(currency, { due_minor: sum.due_minor + due_minor, paid_minor: sum.paid_minor + paid_minor });
  }
  if (!money.has(event.currency)) money.set(event.currency, { due_minor: 0, paid_minor: 0 });
  const checkedInOn = (day: Id) =>
    entered
      .filter((one) => one.day_id === day && (reach === null || reach.includes(one.group_id ?? EVENT_GROUP)))
      .reduce((sum, one) => sum + one.people, 0);
  const groups = tallies.groups();
  const codes = await groupCodes(tx, org, groups.filter(Boolean));
  return {
    test,
    as_of: sixDecimals(clock.at),
    ...tallies.of(''),
    attendee_types: [...world.types.values()].map(({ id, code }) => ({
      attendee_type: code,
      ...tallies.of(`type:${id}`),
    })),
    days: world.dayOrder.map((id) => ({
      day: world.days.get(id)!.code,
      ...tallies.of(`day:${id}`),
      checked_in: checkedInOn(id),
    })),
    groups: byGroup(event, tallies, groups, codes),
    sources: REGISTRATION_SOURCES.map((source) => ({ source, ...tallies.of(`source:${source}`) })),
    money: [...money].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, sums]) => ({ currency, ...sums })),
  };
}

const reachesAllGroups = (reach: string[] | null): Sql =>
  reach === null ? sql`true` : sql`string_to_array(c.groups, ',') <@ ${reach}`;

/** Somebody of no group is of the event's, and stands beside those who say so themselves. */
function byGroup(
  event: EventRow,
  tallies: Tallies,
  groups: readonly string[],
  codes: ReadonlyMap<Id, string>,
): EventSummary['groups'] {
  const merged = new Map<string | null, { people: ByStatus; registrations: ByStatus }>();
  for (const group of groups) {
    const code = group === '' ? event.group_code : (codes.get(group) ?? null);
    const sum = merged.get(code) ?? { people: zeroCounts(), registrations: zeroCounts() };
    for (const what of ['people', 'registrations'] as const) {
      for (const status of REGISTRATION_STATUSES) sum[what][status] += tallies.of(`group:${group}`)[what][status];
      // Counted once with each: those that have people who say so and people who do not.
      if (group !== '' || event.group_id === null) continue;
      const twice = tallies.of(`both:${event.group_id}`);
      for (const status of REGISTRATION_STATUSES) sum[what][status] -= twice[what][status];
    }
    merged.set(code, sum);
  }
  return [...merged]
    .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([group, tally]) => ({ group, ...tally }));
}
