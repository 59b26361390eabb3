import type { TestTurnout } from '../../../../test/support/turnout.ts';
import { name, sql, unprepared } from '../../store/sql.ts';

/*
 * Counts the rows of an event one by one, by other means than the reports do: everything is read, and JavaScript counts. Times are
 * turned into local ones by `Intl`.
 */

// biome-ignore lint/suspicious/noExplicitAny: rows as they are stored
export type Row = Record<string, any>;
export interface Rows {
  event: Row;
  days: Row[];
  types: Row[];
  points: Row[];
  attendees: Row[];
  /** Live and test attendees: a test scan may admit somebody who is registered in earnest. */
  everybody: Row[];
  registrations: Row[];
  payments: Row[];
  checkins: Row[];
}

/** The rows of an event that a caller sees who reaches these groups; null: everything. */
export async function rowsOf(t: TestTurnout, code: string, test: boolean, groups: string[] | null): Promise<Rows> {
  return t.system(async (tx) => {
    const event = await tx.one<Row>(
      sql`select e.* from events e join organizations o on o.id = e.org_id where o.code = 'acme' and e.code = ${code}`,
    );
    const of = (table: string) =>
      tx.all<Row>(unprepared(sql`select * from ${name(table)} where event_id = ${event.id}`));
    const tree = await tx.all<Row>(sql`select * from groups`);
    const reached = new Set(tree.filter((one) => groups === null || groups.includes(one.code)).map((one) => one.id));
    const isReached = (row: Row) => groups === null || reached.has(row.group_id ?? event.group_id);
    const everybody = await of('attendees');
    const attendees = everybody.filter((row) => row.test === test && isReached(row));
    const ids = new Set(everybody.filter(isReached).map((row) => row.id));
    const partly = new Set(attendees.map((row) => row.registration_id));
    const others = new Set(everybody.filter((row) => !isReached(row)).map((row) => row.registration_id));
    const registrations = (await of('registrations')).filter((row) => partly.has(row.id));
    return {
      event,
      attendees,
      everybody,
      // `whole`: the caller may see all of its attendees, and so its money.
      registrations: registrations.map((row) => ({ ...row, whole: !others.has(row.id) })),
      payments: (await of('payments')).filter(
        (row) => partly.has(row.registration_id) && !others.has(row.registration_id),
      ),
      checkins: (await of('checkins')).filter((row) => row.test === test && ids.has(row.attendee_id)),
      days: (await of('days')).sort((a, b) => (a.date < b.date ? -1 : 1)),
      types: (await of('attendee_types')).sort((a, b) => (a.id < b.id ? -1 : 1)),
      points: (await of('check_in_points')).sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  });
}

/** What a clock in the zone shows, as `2026-10-25T02`, with the offset that tells the two hours apart in which clocks go back. */
export function localHour(timezone: string, at: string): string {
  const known = hours.get(`${timezone} ${at}`);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
  const hour = `${parts.year}-${parts.month}-${parts.day}T${parts.hour} ${parts.timeZoneName}`;
  hours.set(`${timezone} ${at}`, hour);
  return hour;
}
const hours = new Map<string, string>();
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const two = { month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      ...two,
      timeZoneName: 'longOffset',
    });
  formats.set(timeZone, format);
  return format;
}
export const localDay = (timezone: string, at: string): string => localHour(timezone, at).slice(0, 10);
export function localWeek(timezone: string, at: string): string {
  const day = new Date(`${localDay(timezone, at)}T00:00:00Z`);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
}
const LABEL = { hour: localHour, day: localDay, week: localWeek } as const;
export const labelOf = (by: keyof typeof LABEL, timezone: string, at: string): string => LABEL[by](timezone, at);

const sum = (rows: readonly Row[], field: string): number => rows.reduce((total, row) => total + Number(row[field]), 0);
const times = (rows: readonly Row[], field: string, label: (at: string) => string, of: string) =>
  rows.filter((row) => row[field] !== null && label(row[field]) === of).length;

/** When an attendee was registered, confirmed and cancelled. */
function lifeOf(rows: Rows): Row[] {
  return rows.attendees.map((attendee) => {
    const registration = rows.registrations.find((one) => one.id === attendee.registration_id)!;
    const cancelled = attendee.status === 'cancelled' ? (attendee.cancelled_at ?? registration.cancelled_at) : null;
    const later = (a: string, b: string) =>
      Date.parse(a) > Date.parse(b) || (Date.parse(a) === Date.parse(b) && a > b) ? a : b;
    const confirmed = registration.confirmed_at === null ? null : later(attendee.created_at, registration.confirmed_at);
    return {
      ...attendee,
      source: registration.source,
      registered: attendee.created_at,
      cancelled,
      confirmed:
        confirmed !== null && (cancelled === null || later(cancelled, confirmed) !== confirmed) ? confirmed : null,
    };
  });
}

export function countRegistrations(rows: Rows, by: keyof typeof LABEL, starts: readonly string[]) {
  const label = (at: string) => labelOf(by, rows.event.timezone, at);
  const people = lifeOf(rows);
  const registrations = rows.registrations.map((row) => ({
    ...row,
    registered: row.created_at,
    confirmed: row.confirmed_at,
    cancelled: row.cancelled_at,
  }));
  const numbers = (of: readonly Row[], at: string) => ({
    registered: times(of, 'registered', label, at),
    confirmed: times(of, 'confirmed', label, at),
    cancelled: times(of, 'cancelled', label, at),
  });
  const some = (one: Record<string, number>) => Object.values(one).some((n) => n > 0);
  return starts.map((start) => {
    const at = label(start);
    const both = (source?: string) => {
      const of = (row: Row) => source === undefined || row.source === source;
      return { people: numbers(people.filter(of), at), registrations: numbers(registrations.filter(of), at) };
    };
    return {
      ...both(),
      sources: ['form', 'api', 'import', 'platform']
        .map((source) => ({ source, ...both(source) }))
        .filter((one) => some(one.people) || some(one.registrations)),
      attendee_types: rows.types
        .map((type) => ({
          attendee_type: type.code,
          people: numbers(
            people.filter((row) => row.attendee_type_id === type.id),
            at,
          ),
        }))
        .filter((one) => some(one.people)),
    };
  });
}

const admitted = (row: Row) => row.admitted && row.undone_at === null;
const distinct = (rows: readonly Row[]) => new Set(rows.map((row) => row.attendee_id)).size;

export function countAttendance(rows: Rows, now: Date) {
  const entries = rows.checkins.filter((row) => admitted(row) && row.kind === 'entry');
  // A day without a time of its own closes at midnight: then the clocks of the zone show a later date.
  const isOpen = (day: Row) =>
    day.closes_at !== null
      ? Date.parse(day.closes_at) > now.getTime()
      : localDay(rows.event.timezone, now.toISOString()) <= day.date;
  const attended = (day?: Row, type?: Row) => {
    const isOf = (row: Row) => type === undefined || row.attendee_type_id === type.id;
    const expected = rows.attendees.filter(
      (row) => row.status === 'confirmed' && isOf(row) && (day === undefined || row.day_ids.includes(day.id)),
    );
    const came = new Set(
      entries.filter((row) => day === undefined || row.day_id === day.id).map((row) => row.attendee_id),
    );
    const missing = expected.filter((row) => !came.has(row.id));
    const isAwaited = (row: Row) =>
      rows.days.some((one) => (day === undefined || one === day) && row.day_ids.includes(one.id) && isOpen(one));
    return {
      expected: expected.length,
      came: rows.everybody.filter((row) => came.has(row.id) && isOf(row)).length,
      no_shows: missing.filter((row) => !isAwaited(row)).length,
      still_expected: missing.filter(isAwaited).length,
    };
  };
  const passes = (day?: Row) => {
    const of = (kind: string) =>
      rows.checkins.filter((row) => admitted(row) && row.kind === kind && (day === undefined || row.day_id === day.id))
        .length;
    return { admissions: of('entry'), exits: of('exit') };
  };
  return {
    total: { ...attended(), ...passes() },
    days: rows.days.map((day) => ({
      day: day.code,
      ...attended(day),
      ...passes(day),
      inside: insideOf(rows, day.id, Number.POSITIVE_INFINITY),
      attendee_types: rows.types
        .map((type) => ({ attendee_type: type.code, ...attended(day, type) }))
        .filter((one) => one.expected + one.came > 0),
    })),
    attendee_types: rows.types.map((type) => ({ attendee_type: type.code, ...attended(undefined, type) })),
    check_in_points: rows.points.map((point) => {
      const here = rows.checkins.filter((row) => row.check_in_point_id === point.id);
      return {
        check_in_point: point.code,
        kind: point.kind,
        admissions: here.filter(admitted).length,
        people: distinct(here.filter(admitted)),
        refusals: here.filter((row) => !row.admitted).length,
      };
    }),
  };
}

/** People whose last pass of the day before `until` was an entry. */
export function insideOf(rows: Rows, day: string | null, until: number): number {
  const last = new Map<string, Row>();
  for (const row of rows.checkins) {
    const leaves = rows.points.find((point) => point.id === row.check_in_point_id)?.leaves_id ?? null;
    if (!admitted(row) || row.day_id !== day || Date.parse(row.scanned_at) >= until) continue;
    if (row.kind !== 'entry' && !(row.kind === 'exit' && leaves === null)) continue;
    const known = last.get(row.attendee_id);
    const at = Date.parse(row.scanned_at);
    if (
      known === undefined ||
      at > Date.parse(known.scanned_at) ||
      (at === Date.parse(known.scanned_at) && row.seq > known.seq)
    )
      last.set(row.attendee_id, row);
  }
  return [...last.values()].filter((row) => row.kind === 'entry').length;
}

export function countHours(rows: Rows, starts: readonly string[], closes: (day: Row) => number) {
  const label = (at: string) => localHour(rows.event.timezone, at);
  return starts.map((start, i) => {
    const here = rows.checkins.filter((row) => admitted(row) && label(row.scanned_at) === label(start));
    const end = starts[i + 1] === undefined ? Number.POSITIVE_INFINITY : Date.parse(starts[i + 1]!);
    return {
      admissions: here.filter((row) => row.kind === 'entry').length,
      exits: here.filter((row) => row.kind === 'exit').length,
      inside: rows.days
        .filter((day) => closes(day) > Date.parse(start))
        .reduce((total, day) => total + insideOf(rows, day.id, end), insideOf(rows, null, end)),
      check_in_points: rows.points
        .map((point) => ({
          check_in_point: point.code,
          admissions: here.filter((row) => row.check_in_point_id === point.id).length,
        }))
        .filter((one) => one.admissions > 0),
    };
  });
}

export function countRefusals(rows: Rows) {
  const refused = rows.checkins.filter((row) => !row.admitted);
  const overridden = new Set(
    rows.checkins.filter((row) => row.override_of !== null && row.undone_at === null).map((row) => row.override_of),
  );
  const of = (some: readonly Row[]) => ({
    refusals: some.length,
    overridden: some.filter((row) => overridden.has(row.id)).length,
  });
  return {
    total: of(refused),
    byReason: Object.fromEntries(
      [...Map.groupBy(refused, (row) => `${row.result} ${row.reason}`)].map(([key, some]) => [key, of(some)]),
    ),
    byPoint: rows.points.map((point) => ({
      check_in_point: point.code,
      ...of(refused.filter((row) => row.check_in_point_id === point.id)),
    })),
    byHour: (start: string) =>
      refused.filter((row) => localHour(rows.event.timezone, row.scanned_at) === localHour(rows.event.timezone, start))
        .length,
  };
}

const HOLDING = ['pending_approval', 'pending_payment', 'confirmed'];

export function countMoney(rows: Rows) {
  const whole = rows.registrations.filter((row) => row.whole);
  const holding = whole.filter((row) => HOLDING.includes(row.status));
  const received = rows.payments.filter((row) => row.status !== 'failed' || row.charged_back_minor > 0);
  const of = (some: readonly Row[]) => ({
    payments: some.length,
    received_minor: sum(some, 'amount_minor'),
    refunded_minor: sum(some, 'refunded_minor'),
    charged_back_minor: sum(some, 'charged_back_minor'),
    net_minor: sum(some, 'amount_minor') - sum(some, 'refunded_minor') - sum(some, 'charged_back_minor'),
  });
  const due = (row: Row) => Math.max((HOLDING.includes(row.status) ? row.total_minor : 0) - row.paid_minor, 0);
  const credit = (row: Row) => Math.max(row.paid_minor - (HOLDING.includes(row.status) ? row.total_minor : 0), 0);
  const group = (key: (row: Row) => string) =>
    [...Map.groupBy(received, key)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, some]) => ({ name, ...of(some) }));
  return {
    ...of(received),
    due_minor: whole.reduce((total, row) => total + due(row), 0),
    credit_minor: whole.reduce((total, row) => total + credit(row), 0),
    paid_minor: sum(whole, 'paid_minor'),
    methods: group((row) => row.method),
    days: group((row) => localDay(rows.event.timezone, row.created_at)),
    charged: rows.types.map((type) => ({
      attendee_type: type.code,
      charged_minor: sum(
        rows.attendees.filter(
          (row) =>
            row.attendee_type_id === type.id &&
            row.status !== 'cancelled' &&
            holding.some((one) => one.id === row.registration_id && one.total_minor > 0),
        ),
        'price_minor',
      ),
    })),
  };
}
