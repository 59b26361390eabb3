import { HOLDING_PLACES } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { AttendeeState, RegistrationState } from './state.ts';

/**
 * A cell counts the attendees of an event that agree in everything a summary distinguishes. Cells are stored, and updated under the
 * event clock in the transaction that changes the attendees: a summary may be asked for every second, so it must not read all
 * attendees each time.
 */
export interface AttendeeCell {
  test: boolean;
  status: string;
  source: string;
  attendee_type_id: Id;
  /** Null: in the event as a whole. */
  day_id: Id | null;
  /** Null: the event's group. */
  group_id: Id | null;
  people: number;
}

/** The same for registrations and their money. */
export interface RegistrationCell {
  test: boolean;
  status: string;
  source: string;
  currency: string;
  /**
   * Which registrations are counted. Empty: all of the event. `type:`, `day:` or `group:` with an id: those with an attendee of that
   * type, day or group; `group:` without an id is the event's group. `both:` with the id of a group: those that have attendees of
   * that group and of the event's.
   */
  scope: string;
  /** The groups of those attendees, in order and joined by commas; `-` is the event's group. */
  groups: string;
  registrations: number;
  due_minor: number;
  paid_minor: number;
}

/** How many attendees were added on a day, whatever became of them. */
interface DateCell {
  test: boolean;
  /** In UTC. */
  date: string;
  /** Null: the event's group. */
  group_id: Id | null;
  people: number;
}

const due = ({ status, total_minor, paid_minor }: RegistrationState): number =>
  HOLDING_PLACES.includes(status) ? Math.max(total_minor - paid_minor, 0) : 0;

/** The changes of a transaction: registrations are subtracted from their cells when they are read, and added when they are written. */
export class Counts {
  readonly #attendees = new Map<string, AttendeeCell>();
  readonly #registrations = new Map<string, RegistrationCell>();
  readonly #dates = new Map<string, DateCell>();

  add(registration: RegistrationState, sign: 1 | -1): void {
    const { test, status, source, currency } = registration;
    const scopes = new Map<string, Set<Id | null>>();
    const enter = (scope: string, group: Id | null) => {
      const groups = scopes.get(scope);
      if (groups === undefined) scopes.set(scope, new Set([group]));
      else groups.add(group);
    };
    const comes = (attendee: AttendeeState) => !attendee.cancelled || status === 'cancelled';
    const ofEvent = registration.attendees.some((attendee) => attendee.group_id === null && comes(attendee));
    for (const attendee of registration.attendees) {
      const { attendee_type_id, group_id } = attendee;
      const own = attendee.cancelled ? 'cancelled' : status;
      this.#addDate({ test, date: attendee.created_at.slice(0, 10), group_id, people: sign });
      for (const day_id of [null, ...attendee.day_ids]) {
        this.#addAttendees({ test, status: own, source, attendee_type_id, day_id, group_id, people: sign });
      }
      enter('', group_id);
      if (!comes(attendee)) continue;
      enter(`type:${attendee_type_id}`, group_id);
      enter(`group:${group_id ?? ''}`, group_id);
      if (ofEvent && group_id !== null) enter(`both:${group_id}`, group_id);
      for (const day of attendee.day_ids) enter(`day:${day}`, group_id);
    }
    for (const [scope, groups] of scopes) {
      this.#addRegistration({
        test,
        status,
        source,
        currency,
        scope,
        groups: groupList([...groups]),
        registrations: sign,
        due_minor: scope === '' ? sign * due(registration) : 0,
        paid_minor: scope === '' ? sign * registration.paid_minor : 0,
      });
    }
  }

  #addAttendees(cell: AttendeeCell): void {
    const key = `${cell.test} ${cell.status} ${cell.source} ${cell.attendee_type_id} ${cell.day_id} ${cell.group_id}`;
    const known = this.#attendees.get(key);
    if (known === undefined) this.#attendees.set(key, cell);
    else known.people += cell.people;
  }

  #addDate(cell: DateCell): void {
    const key = `${cell.test} ${cell.date} ${cell.group_id}`;
    const known = this.#dates.get(key);
    if (known === undefined) this.#dates.set(key, cell);
    else known.people += cell.people;
  }

  #addRegistration(cell: RegistrationCell): void {
    const key = `${cell.test} ${cell.status} ${cell.source} ${cell.currency} ${cell.scope} ${cell.groups}`;
    const known = this.#registrations.get(key);
    if (known === undefined) {
      this.#registrations.set(key, cell);
      return;
    }
    known.registrations += cell.registrations;
    known.due_minor += cell.due_minor;
    known.paid_minor += cell.paid_minor;
  }

  write(tx: Tx, org: Id, event: Id): void {
    const people = [...this.#attendees.values()].filter((cell) => cell.people !== 0);
    if (people.length > 0) {
      tx.send(sql`
        insert into people_counts (org_id, event_id, test, status, source, attendee_type_id, day_id, group_id, people)
        select ${org}, ${event}, c.* from json_to_recordset(${JSON.stringify(people)}::json) as c(
          test boolean, status text, source text, attendee_type_id uuid, day_id uuid, group_id uuid, people int)
        on conflict (org_id, event_id, test, status, source, attendee_type_id, day_id, group_id)
          do update set people = people_counts.people + excluded.people`);
    }
    const registrations = [...this.#registrations.values()].filter(
      (cell) => cell.registrations !== 0 || cell.due_minor !== 0 || cell.paid_minor !== 0,
    );
    if (registrations.length > 0) {
      tx.send(sql`
        insert into registration_counts (org_id, event_id, test, status, source, currency, scope, groups, registrations, due_minor, paid_minor)
        select ${org}, ${event}, c.* from json_to_recordset(${JSON.stringify(registrations)}::json) as c(
          test boolean, status text, source text, currency text, scope text, groups text, registrations int, due_minor bigint,
          paid_minor bigint)
        on conflict (org_id, event_id, test, status, source, currency, scope, md5(groups))
          do update set registrations = registration_counts.registrations + excluded.registrations,
            due_minor = registration_counts.due_minor + excluded.due_minor,
            paid_minor = registration_counts.paid_minor + excluded.paid_minor`);
    }
    const dates = [...this.#dates.values()].filter((cell) => cell.people !== 0);
    if (dates.length > 0) {
      tx.send(sql`
        insert into registered_by_day (org_id, event_id, test, date, group_id, people)
        select ${org}, ${event}, c.* from json_to_recordset(${JSON.stringify(dates)}::json) as c(
          test boolean, date date, group_id uuid, people int)
        on conflict (org_id, event_id, test, date, group_id)
          do update set people = registered_by_day.people + excluded.people`);
    }
  }
}

/** The groups in the order of PostgreSQL, in which null comes last. */
const groupList = (groups: (Id | null)[]): string =>
  groups
    .sort((a, b) => ((a ?? '~') < (b ?? '~') ? -1 : 1))
    .map((group) => group ?? '-')
    .join();

/** The cells of an event, counted from its attendees and registrations. */
const countedAttendees = (org: Id, event: Id): Sql => sql`
  select a.test, a.status, r.source, a.attendee_type_id, d.day_id, a.group_id, count(*)::int as people
  from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id,
    unnest(array_append(a.day_ids, null)) as d(day_id)
  where a.org_id = ${org} and a.event_id = ${event} and r.event_id = ${event} group by 1, 2, 3, 4, 5, 6`;

const countedRegistrations = (org: Id, event: Id): Sql => sql`
  select c.test, c.status, c.source, c.currency, c.scope, c.groups, count(*)::int as registrations,
    sum(case when c.scope = '' and c.status = any(${[...HOLDING_PLACES]}) then greatest(c.total_minor - c.paid_minor, 0) else 0 end)::bigint as due_minor,
    sum(case when c.scope = '' then c.paid_minor else 0 end)::bigint as paid_minor
  from (
    select r.id, r.test, r.status, r.source, r.currency, r.total_minor, r.paid_minor, p.scope,
      array_to_string(array_agg(distinct a.group_id order by a.group_id), ',', '-') as groups
    from registrations r join attendees a on a.org_id = r.org_id and a.registration_id = r.id and a.event_id = r.event_id
      cross join lateral (
        select ''
        union all
        select scope from unnest(array['type:' || a.attendee_type_id, 'group:' || coalesce(a.group_id::text, '')]
            || array(select 'day:' || day from unnest(a.day_ids) as day)
            || case when a.group_id is not null and exists (
              select from attendees n where n.org_id = a.org_id and n.registration_id = a.registration_id and n.group_id is null
                and (n.status <> 'cancelled' or r.status = 'cancelled')) then array['both:' || a.group_id] else '{}' end) as scope
        where a.status <> 'cancelled' or r.status = 'cancelled') as p(scope)
    where r.org_id = ${org} and r.event_id = ${event} group by 1, 2, 3, 4, 5, 6, 7, 8) c
  group by 1, 2, 3, 4, 5, 6`;

/** How many attendees were added on each day, counted from the attendees. */
export const countedDates = (org: Id, event: Id): Sql => sql`
  select a.test, (a.created_at at time zone 'UTC')::date as date, a.group_id, count(*)::int as people
  from attendees a where a.org_id = ${org} and a.event_id = ${event} group by 1, 2, 3`;

/** Counts an event again, under its clock. Needed after a process of an earlier build, which keeps no counts, has changed the event. */
export function recount(org: Id, event: Id): Sql[] {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  return [
    sql`delete from people_counts where ${mine}`,
    sql`delete from registration_counts where ${mine}`,
    sql`delete from registered_by_day where ${mine}`,
    sql`insert into people_counts (org_id, event_id, test, status, source, attendee_type_id, day_id, group_id, people)
      select ${org}::uuid, ${event}::uuid, c.* from (${countedAttendees(org, event)}) c`,
    sql`insert into registration_counts (org_id, event_id, test, status, source, currency, scope, groups, registrations, due_minor, paid_minor)
      select ${org}::uuid, ${event}::uuid, c.* from (${countedRegistrations(org, event)}) c`,
    sql`insert into registered_by_day (org_id, event_id, test, date, group_id, people)
      select ${org}::uuid, ${event}::uuid, c.* from (${countedDates(org, event)}) c`,
    sql`update event_clocks set counted_at = at, unsettled_at = at where ${mine}`,
  ];
}

/** The cells as a table to select from: the stored ones, or if they are not up to date, counted from the rows. */
export const attendeeCells = (org: Id, event: Id, kept: boolean): Sql =>
  kept
    ? sql`(select test, status, source, attendee_type_id, day_id, group_id, people from people_counts
        where org_id = ${org} and event_id = ${event})`
    : sql`(${countedAttendees(org, event)})`;

export const registrationCells = (org: Id, event: Id, kept: boolean): Sql =>
  kept
    ? sql`(select test, status, source, currency, scope, groups, registrations, due_minor, paid_minor from registration_counts
        where org_id = ${org} and event_id = ${event})`
    : sql`(${countedRegistrations(org, event)})`;
