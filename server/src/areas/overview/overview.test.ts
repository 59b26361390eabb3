import { randomUUID } from 'node:crypto';
import { type Overview, ROLES } from '@turnout/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let acme: Id;
let key: string;
beforeAll(async () => {
  t = await startTest({ clock: noonClock() });
  acme = await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const [code, parent] of [
    ['north', null],
    ['city', 'north'],
    ['south', null],
  ]) {
    await made('/groups', { code, name: code, parent });
  }
});
afterAll(() => t.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
async function made(path: string, body: object = {}, as = key): Promise<any> {
  const reply = await t.call('POST', `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
const overview = async (as = key): Promise<Overview> => (await t.call('GET', '/v1/overview', { key: as })).body;
const from = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString();

test('running events come first, then the next ones by their beginning, then the last ones; no archived ones', async () => {
  const org = await t.org('order');
  const own = (await t.key('order')).secret;
  const times: [string, number | null, number | null][] = [
    ['over-long-ago', -9 * DAY, -8 * DAY],
    ['undated', null, null],
    ['next-week', 7 * DAY, 8 * DAY],
    ['running-longer', -2 * DAY, 5 * DAY],
    ['over-yesterday', -2 * DAY, -DAY],
    ['tomorrow', DAY, 2 * DAY],
    ['running', -HOUR, HOUR],
    ['begun-without-end', -2 * HOUR, null],
    ['begun-long-ago-without-end', -3 * DAY, null],
    ['ends-sometime', null, 3 * DAY],
    ['archived', DAY, 2 * DAY],
  ];
  for (const [code, starts, ends] of times) {
    await made('/events', { code, name: code, starts_at: starts && from(starts), ends_at: ends && from(ends) }, own);
  }
  await t.system((tx) =>
    tx.run(sql`update events set status = 'archived' where org_id = ${org} and code = 'archived'`),
  );
  const { events, more } = await overview(own);
  expect(more).toBe(false);
  expect(events.map((event) => `${event.code} ${event.when}`)).toEqual([
    'running-longer now',
    'begun-without-end now',
    'running now',
    'tomorrow next',
    'ends-sometime next',
    'next-week next',
    'undated next',
    'over-yesterday past',
    'begun-long-ago-without-end past',
    'over-long-ago past',
  ]);
});

/** An event of today with a free type, one that is approved, and one that costs something. */
async function open(code: string, more: object = {}): Promise<string> {
  const path = `/events/${code}`;
  await made('/events', { code, name: code, timezone: 'UTC', ...more });
  await made(`${path}/days`, { code: 'd1', date: t.clock.now().toISOString().slice(0, 10) });
  await made(`${path}/attendee-types`, { code: 'guest', name: 'Guest' });
  await made(`${path}/attendee-types`, { code: 'asked', name: 'Asked', approval: true });
  await made(`${path}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 1000 });
  await made(`${path}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await made(`${path}/publish`);
  return path;
}
let serial = 0;
const register = (path: string, attendee_type: string, groups: (string | null)[], as = key) =>
  made(
    `${path}/registrations`,
    {
      attendees: groups.map((group) => ({
        attendee_type,
        first_name: 'Ada',
        last_name: `No${++serial}`,
        days: ['d1'],
        ...(group !== null && { group }),
      })),
      send_emails: false,
    },
    as,
  );
const scan = (path: string, code: string) =>
  made(`${path}/scan`, { code, check_in_point: 'gate', client_uuid: randomUUID() });
const rowOf = async (code: string, as = key) => (await overview(as)).events.find((event) => event.code === code);

describe('counts', () => {
  test('say how full an event is and what waits, for the whole organization and for a group', async () => {
    const path = await open('fair', { capacity: 6, registration: { waitlist: true } });
    const mixed = await register(path, 'guest', ['north', 'south']);
    await register(path, 'asked', ['city']);
    await register(path, 'paying', ['south', 'south']);
    await register(path, 'guest', [null]);
    await register(path, 'guest', ['north', 'south']);
    await scan(path, mixed.attendees[0].tickets[0].code);
    expect(await rowOf('fair')).toMatchObject({
      when: 'now',
      status: 'published',
      capacity: 6,
      taken: 3,
      held: 3,
      waiting: 2,
      to_approve: 1,
      unpaid: 1,
      checked_in: 1,
    });
    const north = (await t.key('acme', { group: 'north' })).secret;
    const south = (await t.key('acme', { group: 'south' })).secret;
    const counts = { capacity: 6, taken: 1, waiting: 1 };
    expect(await rowOf('fair', north)).toMatchObject({ ...counts, held: 1, to_approve: 1, unpaid: 0, checked_in: 1 });
    expect(await rowOf('fair', south)).toMatchObject({ ...counts, held: 2, to_approve: 0, unpaid: 1, checked_in: 0 });
  });

  test('of check-ins follow each scan, each undone one and each change of group', async () => {
    const path = await open('door');
    const { attendees } = await register(path, 'guest', ['north', 'north', 'south']);
    const came = async (as = key) => (await rowOf('door', as))!.checked_in;
    const north = (await t.key('acme', { group: 'north' })).secret;
    expect(await came()).toBe(0);
    const { checkins } = await scan(path, attendees[0].tickets[0].code);
    expect(await came()).toBe(1);
    await scan(path, attendees[0].tickets[0].code);
    await scan(path, attendees[2].tickets[0].code);
    expect([await came(), await came(north)]).toEqual([2, 1]);
    const moved = await t.call('PATCH', `/v1${path}/attendees/${attendees[2].id}`, { key, body: { group: 'city' } });
    expect(moved.status).toBe(200);
    expect([await came(), await came(north)]).toEqual([2, 2]);
    const session = await t.session('acme', 'desk');
    const undone = await t.call('POST', `/app/api/checkins/${checkins[0].id}/undo`, {
      headers: { cookie: `turnout_session=${session}` },
    });
    expect(undone.status).toBe(200);
    expect([await came(), await came(north)]).toEqual([1, 1]);
  });

  test('are those of test registrations for a test key, and in a test event', async () => {
    const path = await open('modes');
    const testKey = (await t.key('acme', { mode: 'test' })).secret;
    await register(path, 'guest', [null]);
    await register(path, 'guest', [null, null], testKey);
    expect([(await rowOf('modes'))!.taken, (await rowOf('modes', testKey))!.taken]).toEqual([1, 2]);
  });

  test('tell on which of the last days people were added, in each group, and keep those who cancel or are moved', async () => {
    const path = await open('curve');
    const north = (await t.key('acme', { group: 'north' })).secret;
    const curve = async (as = key) => (await rowOf('curve', as))!.registered_by_day;
    const today = async () => [(await curve()).at(-1), (await curve(north)).at(-1)];
    const { id, attendees } = await register(path, 'guest', ['north', 'south', null]);
    expect(await curve()).toHaveLength(30);
    expect(await today()).toEqual([3, 1]);
    await made(`${path}/registrations/${id}/cancel`);
    expect(await today()).toEqual([3, 1]);
    const moved = await register(path, 'guest', ['south']);
    await t.call('PATCH', `/v1${path}/attendees/${moved.attendees[0].id}`, { key, body: { group: 'city' } });
    expect(await today()).toEqual([4, 2]);
    // As if they had been added earlier: a day within reach of the curve, and one before it.
    await t.system(async (tx) => {
      const at = (days: number) => new Date(t.clock.now().getTime() - days * DAY);
      await tx.run(sql`update attendees set created_at = ${at(29)} where id = ${toUuid(attendees[0].id)}`);
      await tx.run(sql`update attendees set created_at = ${at(30)} where id = ${toUuid(attendees[1].id)}`);
      await tx.run(sql`update event_clocks set counted_at = null
        where event_id = (select id from events where org_id = ${acme} and code = 'curve')`);
    });
    const uncounted = await curve();
    expect([uncounted[0], uncounted.at(-1)]).toEqual([1, 2]);
    // The next change counts the event again.
    await register(path, 'guest', [null]);
    const counted = await curve();
    expect([counted[0], counted.at(-1)]).toEqual([1, 3]);
    expect(counted.slice(1, -1).every((count) => count === 0)).toBe(true);
  });

  test('are right when a process of an earlier build has changed the event', async () => {
    const path = await open('older');
    await register(path, 'guest', ['north', null]);
    await register(path, 'asked', ['south']);
    await t.system(async (tx) => {
      const { id } = await tx.one<{ id: Id }>(sql`select id from events where org_id = ${acme} and code = 'older'`);
      await tx.run(sql`delete from people_counts where event_id = ${id}`);
      await tx.run(sql`delete from registration_counts where event_id = ${id}`);
      await tx.run(sql`delete from registered_by_day where event_id = ${id}`);
      await tx.run(sql`update event_clocks set counted_at = null where event_id = ${id}`);
    });
    expect(await rowOf('older')).toMatchObject({ taken: 2, held: 1, to_approve: 1 });
    const north = (await t.key('acme', { group: 'north' })).secret;
    expect(await rowOf('older', north)).toMatchObject({ taken: 1, held: 0, to_approve: 0 });
  });

  test('the capacity is that of the plan if it is lower, or half taken', async () => {
    await t.org('small');
    await t.plan('small', 'scale', [['attendees_per_event', '7']]);
    const own = (await t.key('small')).secret;
    await made('/events', { code: 'large', name: 'Large', capacity: 100 }, own);
    await made('/events', { code: 'tiny', name: 'Tiny', capacity: 3 }, own);
    const { events } = await overview(own);
    expect(Object.fromEntries(events.map(({ code, capacity }) => [code, capacity]))).toEqual({ large: 7, tiny: 3 });
    const open = await made('/events', { code: 'open', name: 'Open' }, own);
    await made('/events/open/days', { code: 'd1', date: '2036-12-01' }, own);
    await made('/events/open/attendee-types', { code: 'adult', name: 'Adult' }, own);
    expect((await t.call('POST', '/v1/events/open/publish', { key: own })).status).toBe(200);
    const capacity = async () => (await overview(own)).events.find(({ id }) => id === open.id)?.capacity;
    const three = {
      attendees: Array.from({ length: 3 }, () => ({ attendee_type: 'adult', first_name: 'A', last_name: 'B' })),
    };
    await made('/events/open/registrations', three, own);
    expect(await capacity()).toBeNull();
    await made('/events/open/registrations', { attendees: three.attendees.slice(0, 1) }, own);
    expect(await capacity()).toBe(7);
  });
});

test('a caller limited to a group sees the events that GET /events lists for it, and nobody sees another organization', async () => {
  await made('/events', { code: 'of-south', name: 'South', group: 'south' });
  await made('/events', { code: 'of-city', name: 'City', group: 'city' });
  await made('/events', { code: 'of-north', name: 'North', group: 'north' });
  const city = (await t.key('acme', { group: 'city' })).secret;
  const listed = (await t.call('GET', '/v1/events?limit=200', { key: city })).body.data;
  const { events } = await overview(city);
  const codes = events.map((event) => event.code).sort();
  expect(codes).toEqual(listed.map((event: { code: string }) => event.code).sort());
  expect(codes).toContain('of-city');
  expect(codes).toContain('of-north');
  expect(codes).not.toContain('of-south');
  await t.org('stranger');
  expect(await overview((await t.key('stranger')).secret)).toEqual({
    events: [],
    more: false,
    failing_webhooks: 0,
    paused_webhooks: 0,
  });
});

test('at most 100 events, in as many statements as for one', async () => {
  await t.org('many');
  await t.plan('many', 'scale', [['api_rate_per_min', '100000']]);
  const own = (await t.key('many')).secret;
  /** What is sent to the database for an overview, without what the background does meanwhile. */
  const statements = async (): Promise<number> => {
    await overview(own); // the first call counts the check-ins of every event
    const query = vi.spyOn(pg.Client.prototype, 'query');
    try {
      await overview(own);
      const texts = query.mock.calls.map(([sent]) => (sent as unknown as { text?: string }).text ?? String(sent));
      return texts.filter((text) =>
        /_counts|registered_by_day|checkins|event_clocks|from events|webhook_endpoints w/.test(text),
      ).length;
    } finally {
      query.mockRestore();
    }
  };
  await made('/events', { code: 'e0', name: 'e0' }, own);
  const one = await statements();
  for (let i = 1; i <= 100; i += 1) await made('/events', { code: `e${i}`, name: `e${i}` }, own);
  expect((await overview(own)).events).toHaveLength(100);
  expect((await overview(own)).more).toBe(true);
  expect(one).toBeGreaterThan(3);
  expect(await statements()).toBe(one);
});

describe('failing webhooks, and those that the plan paused', () => {
  test('are counted within reach, and only for those who may manage webhooks', async () => {
    const hook = (group: string | null) =>
      t.call('POST', '/v1/webhooks', { key, body: { url: 'https://hooks.example.org/x', events: ['*'], group } });
    const set = async (id: string, status: string, paused_by: string | null) =>
      t.system((tx) =>
        tx.run(sql`
          update webhook_endpoints set status = ${status}, paused_by = ${paused_by} where org_id = ${acme} and id = ${toUuid(id)}`),
      );
    const states: [string | null, string, string | null][] = [
      [null, 'failing', null],
      ['south', 'failing', null],
      ['city', 'paused', 'failing'],
      ['city', 'paused', 'person'],
      ['city', 'healthy', null],
      ['city', 'paused_plan', null],
      ['south', 'paused_plan', null],
    ];
    for (const [group, status, pausedBy] of states) {
      const reply = await hook(group);
      await set(reply.body.id, status, pausedBy);
    }
    expect((await overview()).failing_webhooks).toBe(3);
    expect((await overview()).paused_webhooks).toBe(2);
    const north = await overview((await t.key('acme', { group: 'north' })).secret);
    expect([north.failing_webhooks, north.paused_webhooks]).toEqual([1, 1]);
    for (const role of ROLES) {
      const session = await t.session('acme', role);
      const reply = await t.call('GET', '/app/api/overview', { headers: { cookie: `turnout_session=${session}` } });
      const sees = ['owner', 'admin', 'developer'].includes(role);
      expect([role, reply.body.failing_webhooks, reply.body.paused_webhooks]).toEqual([
        role,
        ...(sees ? [3, 2] : [0, 0]),
      ]);
    }
  });
});
