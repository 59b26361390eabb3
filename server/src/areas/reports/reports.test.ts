import { randomUUID } from 'node:crypto';
import Papa from 'papaparse';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { takeProviderEvent } from '../registrations/index.ts';
import {
  countAttendance,
  countHours,
  countMoney,
  countRefusals,
  countRegistrations,
  labelOf,
  type Row,
  rowsOf,
} from './reports.support.ts';

/*
 * One event over the night in which clocks go back in Berlin. Everything that changes a number happens to it: cancelling, moving to
 * another day, refunds, charge-backs, undoing, overriding, tests. Then every report is compared with counting the rows.
 */

const clock = new HeldClock(Date.parse('2026-10-01T08:00:00Z'));
let t: TestTurnout;
let org: string;
let key: string;
let testKey: string;
/** Keys by the group that they are limited to, with the groups that they reach. */
const limited: Record<string, { key: string; reach: string[] }> = {};
let session: string;

const post = (path: string, body: unknown = {}, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const get = (path: string, as = key) => t.call('GET', `/v1${path}`, { key: as });
async function done(call: Promise<Reply>): Promise<Reply['body']> {
  const reply = await call;
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}
const report = (what: string, query = '', as = key) => done(get(`/events/fair/reports/${what}${query}`, as));

let serial = 0;
const person = (attendee_type: string, days: string[], group?: string) => ({
  attendee_type,
  first_name: 'Pat',
  last_name: `No${++serial}`,
  days,
  ...(group !== undefined && { group }),
});
const register = (attendees: object[], as = key) =>
  done(post('/events/fair/registrations', { attendees, send_emails: false }, as));
const pay = (id: string, amount_minor: number, method = 'cash') =>
  done(post(`/events/fair/registrations/${id}/payments`, { amount_minor, method }));
const scan = (attendee: { tickets: { code: string }[] }, point: string, as = key) =>
  done(
    post(
      '/events/fair/scan',
      { code: attendee.tickets[0]!.code, check_in_point: point, client_uuid: randomUUID() },
      as,
    ),
  );
const byMember = (path: string, body: unknown = {}) =>
  done(t.call('POST', `/app/api${path}`, { body, headers: { cookie: `${SESSION_COOKIE}=${session}` } }));
const online = (registration: string, event: object) =>
  takeProviderEvent({ pool: t.pool, clock, log: pino({ level: 'silent' }) }, 'stripe', {
    org,
    event: eventId,
    registration: toUuid(registration),
    ...event,
  } as never);
let eventId: string;

beforeAll(async () => {
  t = await startTest({ clock });
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const body of [{ code: 'north' }, { code: 'hill', parent: 'north' }, { code: 'south' }])
    await done(post('/groups', { name: body.code, ...body }));
  for (const [group, reach] of [
    ['north', ['north', 'hill']],
    ['hill', ['hill']],
    ['south', ['south']],
  ] as const)
    limited[group] = { key: (await t.key('acme', { group })).secret, reach: [...reach] };
  const event = await done(
    post('/events', {
      code: 'fair',
      name: 'Fair',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      ticketing: 'per_person',
    }),
  );
  eventId = toUuid(event.id);
  await done(post('/events/fair/days', { code: 'sat', date: '2026-10-24', closes_at: '2026-10-25T04:00:00Z' }));
  await done(post('/events/fair/days', { code: 'sun', date: '2026-10-25' }));
  for (const [code, price_minor] of [
    ['adult', 1000],
    ['child', 400],
    ['crew', 0],
  ] as const)
    await done(post('/events/fair/attendee-types', { code, name: code, price_minor }));
  for (const body of [
    { code: 'gate', kind: 'entry', policy: { limit: 'unlimited', closes_minutes_after: 600 } },
    { code: 'crew-gate', kind: 'entry', policy: { attendee_types: ['crew'], limit: 'unlimited' } },
    { code: 'hall', kind: 'zone', policy: { limit: 'unlimited' } },
    { code: 'out', kind: 'exit' },
    { code: 'hall-out', kind: 'exit', policy: { leaves: 'hall' } },
  ])
    await done(post('/events/fair/check-in-points', { name: body.code, ...body }));
  await done(post('/events/fair/publish'));
  await sales();
  await doors();
  // Another organization with the same codes, of which nothing may be counted.
  await t.org('other');
  const foreign = (await t.key('other')).secret;
  await done(post('/events', { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin' }, foreign));
  await done(post('/events/fair/days', { code: 'sat', date: '2026-10-31' }, foreign));
  await done(post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' }, foreign));
  await done(post('/events/fair/publish', {}, foreign));
  await register([person('adult', ['sat'])], foreign);
});
afterAll(() => t.stop());

// biome-ignore lint/suspicious/noExplicitAny: registrations as the API shows them
const people: any[] = [];

/** Three weeks of registering, paying and changing one's mind, at all hours. */
async function sales(): Promise<void> {
  const groups = [undefined, 'north', 'hill', 'south'];
  for (let i = 0; i < 40; i += 1) {
    clock.advance(3 * HOUR + i * 7 * MINUTE);
    const group = groups[i % 4];
    const attendees = [person(['adult', 'child', 'crew'][i % 3]!, i % 2 === 0 ? ['sat'] : ['sat', 'sun'], group)];
    if (i % 3 === 0) attendees.push(person('child', ['sun'], groups[(i + 1) % 4]));
    if (i % 5 === 0) attendees.push(person('adult', ['sat'], group));
    const made = await register(attendees);
    const total = made.total_minor;
    if (total > 0 && i % 7 !== 6) {
      clock.advance(2 * HOUR);
      const paid = i % 6 === 5 ? Math.floor(total / 2) : total + (i % 11 === 0 ? 50 : 0);
      if (i % 4 === 1) {
        const reference = `pi_${i}`;
        await online(made.id, { kind: 'paid', reference, amount_minor: paid, currency: 'EUR' });
        if (i % 8 === 1) await online(made.id, { kind: 'charged_back', reference, charged_back_minor: paid });
        if (i % 8 === 5) await online(made.id, { kind: 'refunded', reference, refunded_minor: 100 });
        if (i === 21)
          await online(made.id, { kind: 'failed', reference: 'pi_declined', amount_minor: 300, currency: 'EUR' });
      } else {
        const payment = await pay(made.id, paid, ['cash', 'transfer', 'card'][i % 3]);
        clock.advance(4 * HOUR);
        if (i % 10 === 8) await done(post(`/payments/${payment.id}/refund`, { amount_minor: 100 }));
      }
    }
    const path = `/events/fair/registrations/${made.id}`;
    clock.advance(HOUR);
    if (i % 9 === 3) await done(post(`/events/fair/attendees/${made.attendees.at(-1).id}/cancel`));
    if (i % 13 === 4) await done(post(`${path}/cancel`));
    if (i % 13 === 5) await done(post(`${path}/attendees`, person('crew', ['sun'], group)));
    people.push((await done(get(path))) as Row);
  }
  await register([person('adult', ['sat'])], testKey);
  await pay((await register([person('adult', ['sat'])], testKey)).id, 1000).catch(() => {});
}

/** Saturday evening until Sunday, through the night in which it is 02:30 twice. */
async function doors(): Promise<void> {
  clock.jump('2026-10-24T15:20:00Z');
  session = await t.session('acme', 'owner');
  const admitted = people
    .flatMap((one) => one.attendees)
    .filter((one) => one.tickets?.some((of: Row) => of.status === 'valid'));
  const checkIns = async () => (await done(get('/events/fair/checkins?limit=200'))).data as Row[];
  for (const [i, one] of admitted.entries()) {
    clock.advance(37 * MINUTE);
    await scan(one, 'gate');
    if (i % 3 === 0) await scan(one, 'crew-gate');
    if (i % 2 === 0) await scan(one, 'hall');
    if (i % 4 === 0) await scan(one, 'hall-out');
    if (i % 5 === 1) await scan(one, 'out');
    if (i % 10 === 1) await scan(one, 'gate');
    if (i % 6 === 2) await scan(one, 'gate', testKey);
  }
  const all = await checkIns();
  const refused = all.filter((one) => !one.admitted);
  expect(refused.length).toBeGreaterThan(5);
  for (const one of refused.slice(0, 4)) await byMember(`/checkins/${one.id}/override`, { reason: 'known' });
  const entered = all.filter((one) => one.admitted && one.check_in_point === 'gate');
  for (const one of entered.slice(0, 3)) await byMember(`/checkins/${one.id}/undo`);
  const overrides = (await checkIns()).filter((one) => one.override !== null);
  await byMember(`/checkins/${overrides[0]!.id}/undo`);
  // Some who came are moved to the other day, cancelled or moved to another group afterwards.
  const [moved, gone, regrouped] = entered.slice(4).map((one) => one.attendee_id);
  await done(t.call('PATCH', `/v1/events/fair/attendees/${moved}`, { key, body: { days: ['sun'] } }));
  await post(`/events/fair/attendees/${gone}/cancel`);
  await done(t.call('PATCH', `/v1/events/fair/attendees/${regrouped}`, { key, body: { group: 'south' } }));
}

/** Each caller: everybody, and each limited key; live and test. */
const callers = () => [
  { who: 'everybody', as: key, reach: null, test: false },
  { who: 'everybody, tests', as: key, reach: null, test: true },
  ...Object.entries(limited).map(([who, of]) => ({ who, as: of.key, reach: of.reach, test: false })),
];

test('the world of these tests has everything that changes a number', async () => {
  const rows = await rowsOf(t, 'fair', false, null);
  expect(rows.attendees.some((row) => row.cancelled_at !== null)).toBe(true);
  expect(rows.registrations.some((row) => row.cancelled_at !== null)).toBe(true);
  expect(rows.checkins.some((row) => row.undone_at !== null)).toBe(true);
  expect(rows.payments.some((row) => row.charged_back_minor > 0 && row.status === 'failed')).toBe(true);
  expect(rows.payments.some((row) => row.charged_back_minor === 0 && row.status === 'failed')).toBe(true);
  expect(rows.payments.some((row) => row.refunded_minor > 0)).toBe(true);
  expect(new Set(rows.checkins.map((row) => row.kind))).toEqual(new Set(['entry', 'zone', 'exit']));
  const hours = new Set(rows.checkins.map((row) => labelOf('hour', 'Europe/Berlin', row.scanned_at)));
  expect([...hours].filter((hour) => hour.startsWith('2026-10-25T02'))).toHaveLength(2);
});

describe('registrations over time', () => {
  test.each(['hour', 'day', 'week'] as const)('by %s are those of the rows, for every caller', async (by) => {
    for (const { who, as, reach, test: tests } of callers()) {
      // Fewer hours than there are, so that what lies outside is left out.
      const window = by === 'hour' ? '&from=2026-10-03T00:00:00Z&to=2026-10-09T00:00:00Z' : '';
      const found = await report('registrations', `?by=${by}&test=${tests}${window}`, as);
      const rows = await rowsOf(t, 'fair', tests, reach);
      const starts = found.intervals.map((one: Row) => one.starts_at);
      const counted = countRegistrations(rows, by, starts);
      expect(
        found.intervals.map(({ starts_at: _s, ends_at: _e, sources, ...one }: Row) => ({
          ...one,
          sources: [...sources].sort((a, b) => (a.source < b.source ? -1 : 1)),
        })),
        who,
      ).toEqual(counted);
      if (by === 'hour') continue;
      const made = rows.attendees.length;
      expect([found.total.people.registered, found.total.registrations.registered]).toEqual([
        made,
        rows.registrations.length,
      ]);
      expect(found.total.people.cancelled).toBe(rows.attendees.filter((row) => row.status === 'cancelled').length);
    }
  });

  test('have no gaps, and a day in which clocks go back has 25 hours', async () => {
    const { intervals } = await report('registrations', '?by=day&from=2026-10-24T12:00:00Z&to=2026-10-27T12:00:00Z');
    const hours = intervals.map((one: Row) => (Date.parse(one.ends_at) - Date.parse(one.starts_at)) / HOUR);
    expect(hours).toEqual([24, 25, 24, 24]);
    for (const [i, one] of intervals.entries())
      expect(one.starts_at).toBe(intervals[i - 1]?.ends_at ?? '2026-10-23T22:00:00Z');
    const weeks = (await report('registrations', '?by=week')).intervals;
    expect(weeks[0].starts_at).toBe('2026-09-27T22:00:00Z'); // a Monday in Berlin
  });

  test('are narrowed to what happened between `from` and `to`, also in the middle of an interval', async () => {
    const rows = await rowsOf(t, 'fair', false, null);
    const [from, to] = ['2026-10-05T10:00:00Z', '2026-10-09T11:00:00Z'];
    const within = rows.registrations.filter(({ created_at: at }) => at >= from && at < to).length;
    expect(within).toBeGreaterThan(3);
    const found = await report('registrations', `?from=${from}&to=${to}`);
    expect(found.total.registrations.registered).toBe(within);
  });
});

describe('attendance', () => {
  // claim: test-scans-left-out
  test('is that of the rows, for every caller', async () => {
    for (const { who, as, reach, test: tests } of callers()) {
      const { hours: _, test: of, as_of, timezone, ...found } = await report('attendance', `?test=${tests}`, as);
      const rows = await rowsOf(t, 'fair', tests, reach);
      expect(found, who).toEqual(countAttendance(rows, clock.now()));
      expect([of, timezone, typeof as_of]).toEqual([tests, 'Europe/Berlin', 'string']);
    }
  });

  test('calls nobody a no-show whose days are not all over', async () => {
    const now = clock.now();
    const seen: Row[] = [];
    try {
      for (const at of ['2026-10-20T08:00:00Z', '2026-10-25T05:00:00Z', '2026-10-25T23:30:00Z']) {
        clock.jump(at);
        for (const { who, as, reach, test: tests } of callers()) {
          const {
            hours: _h,
            test: _t,
            as_of: _a,
            timezone: _z,
            ...found
          } = await report(...(['attendance', `?test=${tests}`, as] as const));
          expect(found, `${who} at ${at}`).toEqual(
            countAttendance(await rowsOf(t, 'fair', tests, reach), new Date(at)),
          );
          if (who === 'everybody') seen.push(found);
        }
      }
    } finally {
      clock.jump(now);
    }
    const [before, between, after] = seen;
    expect(before!.total.no_shows).toBe(0);
    expect(before!.total.still_expected).toBeGreaterThan(3);
    // Saturday is over, Sunday is not: who was registered for both may still come.
    expect(between!.days.map((one: Row) => [one.day, one.still_expected > 0])).toEqual([
      ['sat', false],
      ['sun', true],
    ]);
    expect(between!.days[0].no_shows).toBeGreaterThan(0);
    expect(after!.total).toMatchObject({ no_shows: before!.total.still_expected, still_expected: 0 });
  });

  test('by hour is that of the rows; the hour that comes twice is two hours', async () => {
    for (const { who, as, reach } of callers().filter((one) => !one.test)) {
      const { hours } = await report('attendance', '', as);
      const rows = await rowsOf(t, 'fair', false, reach);
      const closes = (day: Row) => Date.parse(day.closes_at ?? '2026-10-25T23:00:00Z');
      const starts = hours.map((one: Row) => one.starts_at);
      expect(
        hours.map(({ starts_at: _s, ends_at: _e, check_in_points, ...one }: Row) => ({
          ...one,
          check_in_points: [...check_in_points].sort((a, b) => (a.check_in_point < b.check_in_point ? -1 : 1)),
        })),
        who,
      ).toEqual(
        countHours(rows, starts, closes).map((one) => ({
          ...one,
          check_in_points: one.check_in_points.sort((a, b) => (a.check_in_point < b.check_in_point ? -1 : 1)),
        })),
      );
      if (who !== 'everybody') continue;
      expect(new Set(starts.map((at: string) => labelOf('hour', 'Europe/Berlin', at))).size).toBe(starts.length);
      expect(starts).toEqual(expect.arrayContaining(['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z']));
      expect(hours.some((one: Row) => one.inside > 0)).toBe(true);
    }
  });
});

describe('refusals', () => {
  test('are those of the rows, for every caller', async () => {
    for (const { who, as, reach, test: tests } of callers()) {
      const found = await report('refusals', `?test=${tests}`, as);
      const counted = countRefusals(await rowsOf(t, 'fair', tests, reach));
      expect(found.total, who).toEqual(counted.total);
      expect(
        Object.fromEntries(found.reasons.map(({ result, reason, ...of }: Row) => [`${result} ${reason}`, of])),
      ).toEqual(counted.byReason);
      expect(found.check_in_points.map(({ reasons: _, ...of }: Row) => of)).toEqual(counted.byPoint);
      expect(found.hours.map((one: Row) => one.refusals)).toEqual(
        found.hours.map((one: Row) => counted.byHour(one.starts_at)),
      );
      for (const of of [...found.check_in_points, ...found.hours])
        expect(of.reasons.reduce((total: number, one: Row) => total + one.refusals, 0)).toBe(of.refusals);
    }
  });

  test('that a member overrode stay refusals, and are told', async () => {
    expect((await report('refusals')).total.overridden).toBe(3); // four were, and one was undone
  });
});

describe('money', () => {
  test('is that of the rows, for every caller', async () => {
    for (const { who, as, reach, test: tests } of callers()) {
      const { currencies } = await report('money', `?test=${tests}`, as);
      expect(currencies).toHaveLength(1);
      const [{ currency, methods, days, attendee_types, ...found }] = currencies;
      const counted = countMoney(await rowsOf(t, 'fair', tests, reach));
      const { methods: ofMethods, days: ofDays, charged, paid_minor, ...totals } = counted;
      expect([currency, found], who).toEqual(['EUR', totals]);
      expect(found.net_minor).toBe(paid_minor);
      const named = (list: Row[], field: string) =>
        list.map(({ [field]: name, ...of }) => ({ name, ...of })).sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(named(methods, 'method')).toEqual(ofMethods);
      expect(named(days, 'date')).toEqual(ofDays);
      for (const type of charged)
        expect(attendee_types.find((one: Row) => one.attendee_type === type.attendee_type)?.charged_minor ?? 0).toBe(
          type.charged_minor,
        );
      const sum = (field: string) => attendee_types.reduce((total: number, one: Row) => total + one[field], 0);
      expect(sum('due_minor')).toBe(found.due_minor);
      expect(sum('paid_minor')).toBe(paid_minor - found.credit_minor);
    }
  });

  test('is narrowed by `from` and `to`, except for what is due now', async () => {
    const [all] = (await report('money')).currencies;
    const [some] = (await report('money', '?from=2026-10-05T00:00:00Z&to=2026-10-10T00:00:00Z')).currencies;
    expect(some.payments).toBeGreaterThan(0);
    expect(some.payments).toBeLessThan(all.payments);
    expect(some.days.every(({ date }: Row) => date >= '2026-10-05' && date <= '2026-10-10')).toBe(true);
    expect([some.due_minor, some.attendee_types]).toEqual([all.due_minor, all.attendee_types]);
  });
});

describe('as a file', () => {
  const file = async (what: string, body: object = {}, as = key): Promise<Row[]> => {
    const job = await done(post('/exports', { what: `report_${what}`, format: 'csv', event: 'fair', ...body }, as));
    const text = await (await fetch(t.url + new URL(job.result_url).pathname)).text();
    return Papa.parse<Row>(text.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data;
  };
  const number = (rows: Row[], breakdown: string, heading: string) =>
    rows.filter((row) => row.Breakdown === breakdown).reduce((total, row) => total + Number(row[heading]), 0);

  test('each report has the numbers of the operation, also for a key limited to a group', async () => {
    for (const as of [key, limited.north!.key]) {
      const registrations = await file('registrations', { filter: { by: 'week' } }, as);
      const over = await report('registrations', '?by=week', as);
      expect(registrations.filter((row) => row.Breakdown === 'interval')).toHaveLength(over.intervals.length);
      for (const breakdown of ['total', 'interval', 'source', 'attendee_type'])
        expect(number(registrations, breakdown, 'People registered')).toBe(over.total.people.registered);
      expect(number(registrations, 'source', 'Registrations cancelled')).toBe(over.total.registrations.cancelled);

      const attendance = await file('attendance', {}, as);
      const came = await report('attendance', '', as);
      expect(number(attendance, 'total', 'Came')).toBe(came.total.came);
      expect(number(attendance, 'attendee_type', 'No shows')).toBe(came.total.no_shows);
      expect(number(attendance, 'attendee_type', 'Still expected')).toBe(came.total.still_expected);
      expect(number(attendance, 'day', 'Admissions')).toBe(came.total.admissions);
      expect(number(attendance, 'hour', 'Exits')).toBe(came.total.exits);
      expect(number(attendance, 'hour_and_check_in_point', 'Admissions')).toBe(
        number(attendance, 'check_in_point', 'Admissions'),
      );

      const refusals = await file('refusals', {}, as);
      const { total } = await report('refusals', '', as);
      for (const breakdown of [
        'total',
        'result',
        'reason',
        'check_in_point',
        'check_in_point_and_reason',
        'hour',
        'hour_and_reason',
      ])
        expect(number(refusals, breakdown, 'Refusals')).toBe(total.refusals);

      const money = await file('money', {}, as);
      const [sums] = (await report('money', '', as)).currencies;
      for (const breakdown of ['total', 'method', 'date'])
        expect(Math.round(number(money, breakdown, 'Received') * 100)).toBe(sums.received_minor);
      expect(Math.round(number(money, 'attendee_type', 'Due') * 100)).toBe(sums.due_minor);
    }
  });

  test('times are those of the event’s zone, and the name of the file says what it is', async () => {
    const [, first] = await file('registrations');
    expect(first).toMatchObject({
      Breakdown: 'interval',
      'Starts at': '2026-10-01 00:00:00',
      'Ends at': '2026-10-02 00:00:00',
    });
    const job = await done(post('/exports', { what: 'report_money', format: 'xlsx', event: 'fair' }));
    const { headers } = await fetch(t.url + new URL(job.result_url).pathname);
    expect(headers.get('content-disposition')).toContain('fair-report-money-');
  });

  test.each([
    [{ filter: { by: 'year' } }, 'filter/by'],
    [{ filter: { status: 'confirmed' } }, 'filter/status'],
    [{ filter: { from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' } }, 'filter/from'],
    [{ filter: { from: '2026-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' } }, 'filter/to'],
    [{ filter: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'filter/to'],
    [{ filter: { by: 'hour', from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'filter/from'],
    [{ columns: ['first_name'] }, 'columns/0'],
  ])('400 for %j', async (more, path) => {
    const body = { what: 'report_registrations', format: 'csv', event: 'fair', ...more };
    const reply = await post('/exports', body);
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, path]);
  });
});

test('a scanner with a wrong clock does not break a report', async () => {
  // An event of its own: these scans are in the totals of its reports, and in none of the hours that they show.
  await done(post('/events', { code: 'astray', name: 'Astray', timezone: 'UTC' }));
  await done(post('/events/astray/days', { code: 'd', date: clock.now().toISOString().slice(0, 10) }));
  await done(post('/events/astray/attendee-types', { code: 'adult', name: 'Adult' }));
  await done(post('/events/astray/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' }));
  await done(post('/events/astray/publish'));
  const attendees = [person('adult', ['d'])];
  const made = await done(post('/events/astray/registrations', { attendees, send_emails: false }));
  const { code } = made.attendees[0].tickets[0];
  const right = clock.now().toISOString();
  const results: string[] = [];
  for (const scanned_at of [right, right, '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    const body = { code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at };
    const reply = await post('/events/astray/scan', body);
    expect(reply.status).toBe(200);
    results.push(reply.body.result);
  }
  expect(results.slice(0, 2)).toEqual(['accepted', 'duplicate']);
  for (const what of ['attendance', 'refusals']) {
    const { hours } = await done(get(`/events/astray/reports/${what}`));
    expect(hours.length).toBeGreaterThan(0);
    expect(hours.length).toBeLessThanOrEqual(1000);
  }
});

const REPORTS = ['registrations', 'attendance', 'refusals', 'money'];

describe('an event without anything', () => {
  test('has reports full of zeros', async () => {
    await done(post('/events', { code: 'empty', name: 'Empty', timezone: 'Asia/Kathmandu' }));
    for (const what of REPORTS) {
      const { body, status } = await get(`/events/empty/reports/${what}`);
      expect([what, status]).toEqual([what, 200]);
      expect(body.intervals ?? body.hours ?? body.currencies[0].days).toEqual([]);
    }
    const { hours } = (await get('/events/empty/reports/attendance?from=2026-10-01T00:00:00Z&to=2026-10-01T02:00:00Z'))
      .body;
    expect(hours.map((one: Row) => one.starts_at)).toEqual([
      '2026-09-30T23:15:00Z',
      '2026-10-01T00:15:00Z',
      '2026-10-01T01:15:00Z',
    ]);
  });

  test('is not found by a key of another organization', async () => {
    await t.org('third');
    const foreign = (await t.key('third')).secret;
    for (const what of REPORTS) expect((await get(`/events/fair/reports/${what}`, foreign)).status).toBe(404);
  });
});

describe('400 for what a query must not be', () => {
  test.each([
    'by=month',
    'by=hour&by=day',
    'from=yesterday',
    'from=0001-01-01T00:00:00Z',
    'to=9999-12-31T23:59:59Z',
    'from=2026-10-02T00:00:00Z&to=2026-10-01T00:00:00Z',
    'from=2026-10-02T00:00:00Z&to=2026-10-02T00:00:00Z',
    'by=hour&from=2000-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'by=day&from=1900-01-01T00:00:00Z&to=2200-01-01T00:00:00Z',
    'test=maybe',
    'from=%00',
    "by=day'%20or%201=1",
    'group=north',
  ])('%s', async (query) => {
    const { status, body } = await get(`/events/fair/reports/registrations?${query}`);
    expect([status, body.error?.code]).toEqual([400, 'validation_failed']);
  });

  test('a thousand hours are answered, one more is not', async () => {
    const ask = (to: string) => get(`/events/fair/reports/refusals?from=2026-01-01T00:00:00Z&to=${to}`);
    expect((await ask('2026-02-11T16:00:00Z')).body.hours).toHaveLength(1000);
    expect((await ask('2026-02-11T16:00:01Z')).status).toBe(400);
  });
});
