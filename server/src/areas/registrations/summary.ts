import { type EventSummary, REGISTRATION_SOURCES, REGISTRATION_STATUSES } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { checkedIn, readClock } from './checked-in.ts';
import { EVENT_GROUP, inReachedGroups, isTest, reachedCells } from './count-scope.ts';
import { attendeeCells, registrationCells } from './counts.ts';
import { groupCodes } from './group-codes.ts';
import { worldOf } from './world.ts';

type ByStatus = EventSummary['people'];
const zeroCounts = (): ByStatus =>
  Object.fromEntries(REGISTRATION_STATUSES.map((status) => [status, 0])) as Record<keyof ByStatus, number>;

/** Adds up attendees and registrations for each part of the summary: an attendee type, a day, a group, a source, or everything. */
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

  /** The ids of the groups that have any. An empty string is the event's group. */
  groups(): string[] {
    return [...this.#tallies.keys()].filter((part) => part.startsWith('group:')).map((part) => part.slice(6));
  }
}

export async function summaryOf(
  work: Work,
  event: EventRow,
  testParameter: boolean | undefined,
): Promise<EventSummary> {
  const { tx, org } = work;
  const test = isTest(work, event, testParameter);
  const [clock, reach, world] = await Promise.all([
    readClock(tx, org, event.id),
    reachedCells(work, event),
    worldOf(tx, org, event),
  ]);
  const scope: CountScope = { tx, org, event: event.id, test, kept: clock.kept, reach };
  const [attendees, registrations, entered] = await Promise.all([
    readAttendees(scope),
    readRegistrations(scope),
    checkedIn(tx, org, event.id, test, clock),
  ]);
  const tallies = new Tallies();
  addAttendees(tallies, attendees);
  const money = addRegistrations(tallies, registrations);
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

/** Which stored counts a summary reads. */
interface CountScope {
  tx: Tx;
  org: Id;
  event: Id;
  test: boolean;
  /** Whether the stored counts are up to date. */
  kept: boolean;
  /** The groups that the caller reaches. Null: all. */
  reach: string[] | null;
}

interface AttendeeRow {
  status: string;
  source: string;
  attendee_type_id: Id;
  day_id: Id | null;
  group_id: Id | null;
  people: number;
}

const readAttendees = ({ tx, org, event, test, kept, reach }: CountScope): Promise<AttendeeRow[]> =>
  tx.all<AttendeeRow>(sql`
    select c.status, c.source, c.attendee_type_id, c.day_id, c.group_id, c.people from ${attendeeCells(org, event, kept)} c
    where c.test = ${test} and c.people <> 0 and ${inReachedGroups(reach)}`);

interface RegistrationRow {
  status: string;
  source: string;
  currency: string;
  scope: string;
  registrations: number;
  due_minor: number;
  paid_minor: number;
}

/** A caller who reaches one attendee of a registration sees the registration. One who reaches all of them also sees its money. */
const readRegistrations = ({ tx, org, event, test, kept, reach }: CountScope): Promise<RegistrationRow[]> =>
  tx.all<RegistrationRow>(sql`
    select c.status, c.source, c.currency, c.scope, sum(c.registrations)::int as registrations,
      coalesce(sum(c.due_minor) filter (where ${reachesAllGroups(reach)}), 0)::bigint as due_minor,
      coalesce(sum(c.paid_minor) filter (where ${reachesAllGroups(reach)}), 0)::bigint as paid_minor
    from ${registrationCells(org, event, kept)} c
    where c.test = ${test} and c.registrations <> 0 and ${reach === null ? sql`true` : sql`string_to_array(c.groups, ',') && ${reach}`}
    group by 1, 2, 3, 4`);

const reachesAllGroups = (reach: string[] | null): Sql =>
  reach === null ? sql`true` : sql`string_to_array(c.groups, ',') <@ ${reach}`;

function addAttendees(tallies: Tallies, rows: readonly AttendeeRow[]): void {
  for (const { status, source, attendee_type_id, day_id, group_id, people } of rows) {
    if (day_id !== null) tallies.add(`day:${day_id}`, 'people', status, people);
    else {
      for (const part of ['', `type:${attendee_type_id}`, `group:${group_id ?? ''}`, `source:${source}`]) {
        tallies.add(part, 'people', status, people);
      }
    }
  }
}

type Money = Map<string, { due_minor: number; paid_minor: number }>;

/** Returns the money by currency. */
function addRegistrations(tallies: Tallies, rows: readonly RegistrationRow[]): Money {
  const money: Money = new Map();
  for (const { status, source, currency, scope, registrations, due_minor, paid_minor } of rows) {
    tallies.add(scope, 'registrations', status, registrations);
    if (scope !== '') continue;
    tallies.add(`source:${source}`, 'registrations', status, registrations);
    const sum = money.get(currency) ?? { due_minor: 0, paid_minor: 0 };
    money.set(currency, { due_minor: sum.due_minor + due_minor, paid_minor: sum.paid_minor + paid_minor });
  }
  return money;
}

/** Attendees without a group are of the event's group, and are added to those who name that group themselves. */
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
      // Registrations with attendees of both kinds were counted with each kind, so they are subtracted once.
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
