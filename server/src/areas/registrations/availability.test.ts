import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { keepCounts } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let org: Id;
const keys: Record<'live' | 'test' | 'north' | 'south' | 'member', string> = {} as never;
beforeAll(async () => {
  t = await startTest({ clock: noonClock() });
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  keys.live = (await t.key('acme', { scopes: ['read', 'write', 'admin', 'scanner'] })).secret;
  keys.test = (await t.key('acme', { mode: 'test', scopes: ['read', 'write', 'scanner'] })).secret;
  for (const code of ['north', 'south']) await done('POST', '/v1/groups', { code, name: code });
  await done('POST', '/v1/groups', { code: 'polar', name: 'Polar', parent: 'north' });
  for (const code of ['north', 'south'] as const) keys[code] = (await t.key('acme', { group: code })).secret;
  keys.member = await t.session('acme', 'owner');
});
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown, key = keys.live): Promise<Row> {
  const reply = await t.call(method, path, { key, body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body;
}
const available = (code: string, key = keys.live, query = '') =>
  done('GET', `/v1/events/${code}/availability${query}`, undefined, key);
const summary = (code: string, key = keys.live, query = '') =>
  done('GET', `/v1/events/${code}/summary${query}`, undefined, key);

async function makeEvent(code: string, more: object = {}): Promise<string> {
  const path = `/v1/events/${code}`;
  await done('POST', '/v1/events', { code, name: code, timezone: 'UTC', ...more });
  const today = t.clock.now().toISOString().slice(0, 10);
  const tomorrow = new Date(t.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  await done('POST', `${path}/days`, { code: 'd1', date: today, capacity: 9 });
  await done('POST', `${path}/days`, { code: 'd2', date: tomorrow });
  await done('POST', `${path}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 1000 });
  await done('POST', `${path}/attendee-types`, { code: 'guest', name: 'Guest', capacity: 6 });
  await done('POST', `${path}/attendee-types`, { code: 'asked', name: 'Asked', approval: true });
  await done('POST', `${path}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await done('POST', `${path}/publish`);
  return path;
}

const STATUSES = ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed', 'declined', 'cancelled', 'expired'];
const HOLDING = ['pending_approval', 'pending_payment', 'confirmed'];
const nobody = () => Object.fromEntries(STATUSES.map((status) => [status, 0]));

/** The expected answers for a caller who reaches these groups, counted from the rows one by one. */
async function counted(code: string, test: boolean, reach: string[] | null) {
  const rows = await t.system(async (tx) => {
    const event = await tx.one<Row>(sql`select * from events where org_id = ${org} and code = ${code}`);
    const mine = sql`org_id = ${org} and event_id = ${event.id}`;
    return {
      event,
      days: await tx.all<Row>(sql`select * from days where ${mine} order by date, code`),
      types: await tx.all<Row>(sql`select * from attendee_types where ${mine} order by id`),
      groups: await tx.all<Row>(sql`select * from groups where org_id = ${org}`),
      people: await tx.all<Row>(sql`select * from attendees where ${mine} and test = ${test}`),
      registrations: await tx.all<Row>(sql`select * from registrations where ${mine} and test = ${test}`),
      checkins: await tx.all<Row>(sql`select * from checkins where ${mine} and test = ${test}`),
    };
  });
  const { event } = rows;
  const codeOf = new Map(rows.groups.map((group) => [group.id, group.code]));
  const groupOf = (person: Row) => codeOf.get(person.group_id ?? event.group_id) ?? null;
  const reached = (person: Row) => reach === null || reach.includes(groupOf(person)!);
  const people = rows.people.filter(reached);
  const registrations = rows.registrations.filter((one) => people.some((person) => person.registration_id === one.id));
  const comes = (person: Row) =>
    person.status !== 'cancelled' ||
    rows.registrations.find((one) => one.id === person.registration_id).status === 'cancelled';
  const tally = (isIn: (person: Row) => boolean, ofRegistration?: (registration: Row) => boolean) => {
    const result = { people: nobody(), registrations: nobody() };
    for (const person of people.filter(isIn)) result.people[person.status]! += 1;
    for (const one of registrations) {
      const some = people.some((person) => person.registration_id === one.id && comes(person) && isIn(person));
      if (ofRegistration === undefined ? some : ofRegistration(one)) result.registrations[one.status]! += 1;
    }
    return result;
  };
  const everyone = (one: Row) => rows.people.filter((person) => person.registration_id === one.id).every(reached);
  const whole = registrations.filter(everyone);
  const sum = (of: (one: Row) => number) => whole.reduce((total, one) => total + of(one), 0);
  const ownEvent = reach === null || (event.group_id !== null && reach.includes(codeOf.get(event.group_id)!));
  const places = (capacity: number | null, isIn: (person: Row) => boolean) => {
    const of = (list: Row[], statuses: string[]) =>
      list.filter((one) => isIn(one) && statuses.includes(one.status)).length;
    return {
      capacity,
      taken: of(people, ['confirmed']),
      held: of(people, ['pending_approval', 'pending_payment']),
      waiting: of(people, ['waitlisted']),
      left: capacity === null || !ownEvent ? null : Math.max(0, capacity - of(rows.people, HOLDING)),
    };
  };
  const codes = [...new Set(people.map(groupOf))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
  const onDay = (day: Row) => (person: Row) => person.day_ids.includes(day.id);
  const ofType = (type: Row) => (person: Row) => person.attendee_type_id === type.id;
  return {
    availability: {
      test,
      event: places(event.capacity, () => true),
      days: rows.days.map((day) => ({ day: day.code, ...places(day.capacity, onDay(day)) })),
      attendee_types: rows.types.map((type) => ({ attendee_type: type.code, ...places(type.capacity, ofType(type)) })),
      products: [],
      quotas: [],
    },
    overview: {
      ...(({ left: _left, ...own }) => own)(places(event.capacity, () => true)),
      to_approve: registrations.filter((one) => one.status === 'pending_approval').length,
      unpaid: registrations.filter((one) => one.status === 'pending_payment').length,
      checked_in: people.filter((person) =>
        rows.checkins.some(
          (one) => one.attendee_id === person.id && one.kind === 'entry' && one.admitted && one.undone_at === null,
        ),
      ).length,
    },
    summary: {
      test,
      ...tally(
        () => true,
        () => true,
      ),
      attendee_types: rows.types.map((type) => ({ attendee_type: type.code, ...tally(ofType(type)) })),
      days: rows.days.map((day) => ({
        day: day.code,
        ...tally(onDay(day)),
        checked_in: people.filter((person) =>
          rows.checkins.some(
            (one) =>
              one.attendee_id === person.id &&
              one.day_id === day.id &&
              one.kind === 'entry' &&
              one.admitted &&
              one.undone_at === null,
          ),
        ).length,
      })),
      groups: codes.map((group) => ({ group, ...tally((person) => groupOf(person) === group) })),
      sources: ['form', 'api', 'import', 'platform'].map((source) => {
        const from = new Set(rows.registrations.filter((one) => one.source === source).map((one) => one.id));
        return {
          source,
          ...tally(
            (person) => from.has(person.registration_id),
            (one) => from.has(one.id),
          ),
        };
      }),
      money: [
        {
          currency: 'EUR',
          due_minor: sum((one) => (HOLDING.includes(one.status) ? Math.max(0, one.total_minor - one.paid_minor) : 0)),
          paid_minor: sum((one) => one.paid_minor),
        },
      ],
    },
  };
}

const NORTH = ['north', 'polar'];
async function compare(code: string): Promise<void> {
  const { group } = await done('GET', `/v1/events/${code}`);
  for (const [key, query, test, reach] of [
    [keys.live, '', false, null],
    [keys.live, '?test=true', true, null],
    [keys.test, '', true, null],
    [keys.north, '', false, NORTH],
    [keys.south, '', false, ['south']],
  ] as const) {
    if (key === keys.south && group !== null) continue; // it does not see the event
    const truth = await counted(code, test, reach as string[] | null);
    expect(await available(code, key, query)).toEqual({ ...truth.availability, as_of: expect.any(String) });
    expect(await summary(code, key, query)).toEqual({ ...truth.summary, as_of: expect.any(String) });
    if (query !== '') continue; // the overview has no parameters
    const { events } = await done('GET', '/v1/overview', undefined, key);
    expect(events.find((one: Row) => one.code === code)).toMatchObject(truth.overview);
  }
}

/** A fixed seed, so that every run takes the same steps. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test('after a random series of all actions, the counts agree with the rows', async () => {
  const roll = dice(7);
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const path = await makeEvent('walk', { capacity: 14, registration: { waitlist: true } });
  const call = (method: string, at: string, body?: unknown, key = keys.live) => t.call(method, at, { key, body });
  let refused = 0;
  for (let step = 0; step < 110; step += 1) {
    const key = roll(5) === 0 ? keys.test : keys.live;
    const { data } = await done('GET', `${path}/registrations?limit=200`, undefined, key);
    const own = data.filter((one: Row) => one.test === (key === keys.test));
    const one = own.length === 0 || roll(3) === 0 ? null : pick(own as Row[]);
    const person = one === null ? null : pick(one.attendees as Row[]);
    const answers = await (async () => {
      if (one === null || person === null) {
        const attendees = Array.from({ length: 1 + roll(3) }, (_, i) => ({
          attendee_type: pick(['adult', 'guest', 'guest', 'asked']),
          first_name: 'Ada',
          last_name: `No${step}-${i}`,
          days: pick([['d1'], ['d2'], ['d1', 'd2']]),
          ...(roll(2) === 0 && { group: pick(['north', 'south', 'polar']) }),
        }));
        return call(
          'POST',
          `${path}/registrations`,
          { attendees, send_emails: false, ...(roll(3) === 0 && { group: null }) },
          key,
        );
      }
      const at = `${path}/registrations/${one.id}`;
      const ticket = person.tickets[0];
      switch (roll(11)) {
        case 0:
          return call('POST', `${at}/approve`, undefined, key);
        case 1:
          return call('POST', `${at}/${pick(['cancel', 'decline'])}`, {}, key);
        case 2:
          return call('POST', `${at}/payments`, { amount_minor: pick([400, 1000, 3000]), method: 'cash' }, key);
        case 3:
          return call('PATCH', `${path}/attendees/${person.id}`, { group: pick(['north', 'south', 'polar']) }, key);
        case 4:
          return call(
            'PATCH',
            `${path}/attendees/${person.id}`,
            { attendee_type: 'guest', days: pick([['d1'], ['d2']]) },
            key,
          );
        case 5:
          return call('POST', `${path}/attendees/${person.id}/cancel`, undefined, key);
        case 6:
          return call(
            'POST',
            `${at}/attendees`,
            { attendee_type: 'adult', first_name: 'Bo', last_name: `Late${step}`, days: ['d2'] },
            key,
          );
        default: {
          if (ticket === undefined) return call('GET', at, undefined, key);
          const scanned = await call(
            'POST',
            `${path}/scan`,
            { code: ticket.code, check_in_point: 'gate', client_uuid: randomUUID() },
            key,
          );
          const [checkin] = scanned.body.checkins ?? [];
          if (checkin?.admitted && roll(4) === 0)
            await t.call('POST', `/app/api/checkins/${checkin.id}/undo`, {
              headers: { cookie: `turnout_session=${keys.member}` },
            });
          return scanned;
        }
      }
    })();
    if (answers.status >= 400) refused += 1;
    expect(answers.status, answers.text).toBeLessThan(500);
    // The capacity changes, too, and registrations are promoted from the waitlist.
    if (step === 40) await done('PATCH', path, { capacity: 20 });
    // From now on attendees without a group belong to the event's group.
    if (step === 70) await done('PATCH', path, { group: 'north' });
    if (step % 10 === 9) await compare('walk');
  }
  await compare('walk');
  // The control: enough happened to make the comparison meaningful.
  expect(refused).toBeLessThan(70);
  const { people, money } = await summary('walk');
  expect(Object.values(people as Record<string, number>).filter((count) => count > 0).length).toBeGreaterThan(2);
  expect(money[0].paid_minor).toBeGreaterThan(0);
  const [{ wrong }] = await t.system((tx) =>
    tx.all<Row>(sql`select count(*)::int as wrong from people_counts where people < 0`),
  );
  expect(wrong).toBe(0);
}, 240_000);

test('taken, held, waiting and left count what their definitions say', async () => {
  const path = await makeEvent('full', { capacity: 4, registration: { waitlist: true } });
  const register = (attendee_type: string, n: number) =>
    done('POST', `${path}/registrations`, {
      attendees: Array.from({ length: n }, (_, i) => ({
        attendee_type,
        first_name: 'Ada',
        last_name: `P${i}`,
        days: ['d1'],
      })),
      send_emails: false,
    });
  await register('guest', 2);
  await register('adult', 1);
  await register('guest', 2);
  expect(await available('full')).toMatchObject({
    event: { capacity: 4, taken: 2, held: 1, waiting: 2, left: 1 },
    days: [
      { day: 'd1', capacity: 9, taken: 2, held: 1, waiting: 2, left: 6 },
      { day: 'd2', capacity: null, taken: 0, held: 0, waiting: 0, left: null },
    ],
    attendee_types: [
      { attendee_type: 'adult', capacity: null, taken: 0, held: 1, waiting: 0, left: null },
      { attendee_type: 'guest', capacity: 6, taken: 2, held: 0, waiting: 2, left: 4 },
      { attendee_type: 'asked', taken: 0 },
    ],
  });
});

test('checked_in counts each attendee once a day, without undone check-ins, and test scans apart', async () => {
  const path = await makeEvent('door');
  const attendees = ['A', 'B'].map((last_name) => ({
    attendee_type: 'guest',
    first_name: 'Ada',
    last_name,
    days: ['d1'],
  }));
  const made = await done('POST', `${path}/registrations`, { attendees, send_emails: false });
  const scan = (i: number, key = keys.live) =>
    done(
      'POST',
      `${path}/scan`,
      { code: made.attendees[i].tickets[0].code, check_in_point: 'gate', client_uuid: randomUUID() },
      key,
    );
  const came = async (query = '') => (await summary('door', keys.live, query)).days.map((day: Row) => day.checked_in);
  expect(await came()).toEqual([0, 0]);
  const { checkins } = await scan(0);
  expect(await came()).toEqual([1, 0]);
  await scan(0); // a duplicate
  await scan(1);
  expect(await came()).toEqual([2, 0]);
  await scan(0, keys.test);
  expect([await came(), await came('?test=true')]).toEqual([
    [2, 0],
    [1, 0],
  ]);
  const undone = await t.call('POST', `/app/api/checkins/${checkins[0].id}/undo`, {
    headers: { cookie: `turnout_session=${keys.member}` },
  });
  expect(undone.status, undone.text).toBe(200);
  expect(await came()).toEqual([1, 0]);
  await scan(0);
  expect(await came()).toEqual([2, 0]);
  await done('DELETE', `${path}/checkins/test`);
  expect([await came(), await came('?test=true')]).toEqual([
    [2, 0],
    [0, 0],
  ]);
});

test('as_of stays the same while nothing changes, and is later after a change', async () => {
  const path = await makeEvent('still');
  const [one, two] = [await available('still'), await summary('still')];
  expect([(await available('still')).as_of, two.as_of]).toEqual([one.as_of, one.as_of]);
  const attendees = [{ attendee_type: 'guest', first_name: 'Ada', last_name: 'L', days: ['d1'] }];
  await done('POST', `${path}/registrations`, { attendees, send_emails: false });
  expect((await available('still')).as_of > one.as_of).toBe(true);
});

test('changes by a process of an earlier build are counted, and the stored counts are up to date again afterwards', async () => {
  const path = await makeEvent('older', { capacity: 50 });
  const person = (last_name: string) => ({ attendee_type: 'guest', first_name: 'Ada', last_name, days: ['d1'] });
  const { id } = await done('POST', `${path}/registrations`, { attendees: [person('A')], send_emails: false });
  // Such a process changes the clock and the rows, and does not know of the counts.
  await t.system(async (tx) => {
    await tx.run(sql`update event_clocks set at = at + interval '1 second'
      where event_id = (select event_id from registrations where id = ${toUuid(id)})`);
    await tx.run(sql`update registrations set status = 'cancelled' where id = ${toUuid(id)}`);
    await tx.run(sql`update attendees set status = 'cancelled' where registration_id = ${toUuid(id)}`);
    await tx.run(
      sql`update places set taken = 0 where event_id = (select event_id from registrations where id = ${toUuid(id)})`,
    );
  });
  await compare('older');
  const kept = () =>
    t.system((tx) =>
      tx.one<Row>(sql`
        select counted_at is not distinct from at as kept from event_clocks
        where event_id = (select event_id from registrations where id = ${toUuid(id)})`),
    );
  expect((await kept()).kept).toBe(false);
  expect(await keepCounts(t.pool, t.clock)).toBeGreaterThan(0);
  expect((await kept()).kept).toBe(true);
  await compare('older');
  await t.system((tx) =>
    tx.run(sql`update event_clocks set at = at + interval '1 second'
      where event_id = (select event_id from registrations where id = ${toUuid(id)})`),
  );
  await done('POST', `${path}/registrations`, { attendees: [person('B')], send_emails: false });
  expect((await kept()).kept).toBe(true);
  await compare('older');
  expect((await summary('older')).people).toMatchObject({ cancelled: 1, confirmed: 1 });
});

test('the plan’s limit is the event’s capacity where it is lower', async () => {
  const path = await makeEvent('planned', { capacity: 4 });
  const attendees = ['Ada', 'Byron'].map((first_name) => ({
    ...{ attendee_type: 'guest', first_name, last_name: 'P' },
    days: ['d1'],
  }));
  await done('POST', `${path}/registrations`, { attendees, send_emails: false });
  const usual = (await t.call('GET', '/v1/me', { key: keys.live })).body.plan.limits.attendees_per_event;
  await t.plan('acme', 'scale', [['attendees_per_event', '3']]);
  expect((await available('planned')).event).toMatchObject({ capacity: 3, taken: 2, left: 1 });
  await t.plan('acme', 'scale', [['attendees_per_event', String(usual)]]);
  expect((await available('planned')).event).toMatchObject({ capacity: 4, taken: 2, left: 2 });
});
