import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let second: TestTurnout;
let key: string;
let testKey: string;
let member: string;
const today = () => t.clock.now().toISOString().slice(0, 10);
beforeAll(async () => {
  t = await startTest({ clock: noonClock() });
  second = await startTest({ database: t.database, clock: t.clock });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  member = await t.session('acme', 'manager');
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC', ticketing: 'shared' });
  await post('/events/fair/days', { code: 'd1', date: today() });
  await post('/events/fair/days', { code: 'd2', date: '2030-01-01' });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await post('/events/fair/check-in-points', { code: 'back', name: 'Back gate', kind: 'entry' });
  await post('/events/fair/check-in-points', {
    code: 'zone',
    name: 'Zone',
    kind: 'zone',
    policy: { capacity: 2, requires: 'entry' },
  });
  await post('/events/fair/check-in-points', { code: 'out', name: 'Out', kind: 'exit', policy: { leaves: 'zone' } });
  await post('/events/fair/publish');
});
afterAll(async () => {
  await second.stop();
  await t.stop();
});

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const scan = (code: string, more: object = {}, as = key, on: TestTurnout = t) =>
  on.call('POST', '/v1/events/fair/scan', {
    key: as,
    body: { code, check_in_point: 'gate', client_uuid: randomUUID(), ...more },
  });
const app = (path: string, body?: unknown) =>
  t.call('POST', `/app/api${path}`, { body, headers: { cookie: `turnout_session=${member}` } });
let serial = 0;
async function ticket(
  days: string[] = ['d1'],
  people = 1,
  as = key,
): Promise<{ code: string; id: string; people: string[] }> {
  const made = await post(
    '/events/fair/registrations',
    {
      attendees: Array.from({ length: people }, () => ({
        attendee_type: 'adult',
        first_name: 'P',
        last_name: `N${++serial}`,
        days,
      })),
    },
    as,
  );
  expect(made.status).toBe(201);
  return { ...made.body.attendees[0].tickets[0], people: made.body.attendees.map((one: { id: string }) => one.id) };
}

describe('a scan', () => {
  // claim: check-in-webhook, check-ins-newest-first, no-other-channel, scan-code, scan-decides, scan-response
  test('is admitted once, then a duplicate; every check-in is recorded and raises a webhook', async () => {
    const { code, people } = await ticket();
    const first = await scan(code);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      result: 'accepted',
      admitted: true,
      reason: null,
      test: false,
      message: { tone: 'success' },
      person: { id: people[0], result: 'accepted' },
      ticket: { status: 'valid', days: ['d1'] },
    });
    expect(first.body.checkins).toHaveLength(1);
    const again = await scan(code, { check_in_point: 'back' });
    expect(again.body).toMatchObject({ result: 'duplicate', admitted: false, reason: 'limit' });
    const list = await t.call('GET', `/api/v1/events/fair/checkins?attendee=${people[0]}`, { key });
    expect(list.body.data.map((row: { result: string }) => row.result)).toEqual(['duplicate', 'accepted']);
    expect(list.body.data[1]).toEqual(first.body.checkins[0]);
    const attendee = await t.call('GET', `/v1/events/fair/attendees/${people[0]}`, { key });
    expect(attendee.body.checked_in).toBe(true);
    const told = await t.system((tx) =>
      tx.all<{ result: string }>(sql`
      select data::json->>'result' as result from outbox where type = 'checkin.recorded' and data::json->>'attendee_id' = ${people[0]} order by id`),
    );
    expect(told.map((row) => row.result)).toEqual(['accepted', 'duplicate']);
  });

  test('that does not say when it was made was made when it is recorded, however long it waited for its turn', async () => {
    const { code } = await ticket();
    let waiting: ReturnType<typeof scan>;
    await t.system(async (tx) => {
      await tx.run(sql`update event_clocks set at = at where event_id in (select id from events where code = 'fair')`);
      waiting = scan(code);
      await untilWaitingForLock(t.database);
      t.clock.advance(5_000);
    });
    const { scanned_at, checkins } = (await waiting!).body;
    expect(checkins[0]).toMatchObject({ scanned_at, recorded_at: scanned_at });
  });

  test.each([
    ['a moment', 3_000, true],
    ['a day, of which nobody may know anything yet', 86_400_000, false],
  ])('that does not say when it was made, while the event’s clock is ahead by %s', async (_name, ms, one) => {
    const event = sql`event_id in (select id from events where code = 'fair')`;
    const ahead = new Date(t.clock.now().getTime() + ms).toISOString();
    const { at } = await t.system((tx) => tx.one<{ at: string }>(sql`select at from event_clocks where ${event}`));
    await t.system((tx) => tx.run(sql`update event_clocks set at = ${ahead}::timestamptz where ${event}`));
    const { result, scanned_at, checkins } = (await scan((await ticket()).code)).body;
    await t.system((tx) => tx.run(sql`update event_clocks set at = ${at}::timestamptz where ${event}`));
    expect([result, checkins[0].scanned_at === checkins[0].recorded_at]).toEqual(['accepted', one]);
    expect(checkins[0].scanned_at).toBe(scanned_at);
    expect(Date.parse(scanned_at) > t.clock.now().getTime()).toBe(one);
  });

  test('of an unknown code, of another organization’s code or for another day is refused', async () => {
    expect((await scan('NOPE')).body).toMatchObject({
      result: 'unknown',
      admitted: false,
      people: [],
      ticket: null,
      checkins: [],
    });
    await t.org('other');
    const foreign = (await t.key('other')).secret;
    expect(
      (
        await t.call('POST', '/v1/events/fair/scan', {
          key: foreign,
          body: { code: 'x', check_in_point: 'gate', client_uuid: randomUUID() },
        })
      ).status,
    ).toBe(404);
    expect((await scan((await ticket(['d2'])).code)).body).toMatchObject({ result: 'wrong_day' });
  });

  // claim: scan-counts-once
  test('that repeats a client_uuid counts once, also if it was refused; with another code it is an error', async () => {
    const { code } = await ticket();
    const client_uuid = randomUUID();
    const first = await scan(code, { client_uuid });
    const again = await scan(code, { client_uuid: client_uuid.toUpperCase() });
    expect(again.body).toEqual(first.body);
    const refused = randomUUID();
    const dup = await scan(code, { client_uuid: refused });
    expect((await scan(code, { client_uuid: refused })).body).toEqual(dup.body);
    expect((await scan('OTHER', { client_uuid })).body.error.code).toBe('client_uuid_reused');
    const unknown = randomUUID();
    const twice = await Promise.all(
      [1, 2, 3, 4].map((i) => scan('NOWHERE', { client_uuid: unknown }, key, i % 2 ? t : second)),
    );
    expect(new Set(twice.map((reply) => reply.text)).size).toBe(1);
  });

  // claim: scan-point
  test('names the fault: no such point, a person of another ticket, a bad uuid, a bad time', async () => {
    const { code } = await ticket();
    expect((await scan(code, { check_in_point: 'nowhere' })).body.error.details[0].path).toBe('check_in_point');
    expect((await scan(code, { people: ['01JCQ8Z7M4T3V9R1X5K2N6P8DA'] })).body.error.details[0].path).toBe('people/0');
    expect((await scan(code, { client_uuid: 'x' })).status).toBe(400);
    expect((await scan(code, { scanned_at: 'now' })).status).toBe(400);
    expect((await scan(code, { scanned_at: '9999-12-31T23:59:59Z' })).body.result).toBe('closed');
    expect((await scan('x'.repeat(1_000_000))).status).toBe(400);
  });
});

describe('two scanners at the same moment', () => {
  test('exactly one is accepted, on two processes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { code } = await ticket();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          scan(code, { check_in_point: i % 3 ? 'gate' : 'back' }, key, i % 2 ? t : second),
        ),
      );
      expect(replies.filter((reply) => reply.body.result === 'accepted')).toHaveLength(1);
      expect(replies.filter((reply) => reply.body.result === 'duplicate')).toHaveLength(19);
    }
  });
});

// claim: scan-response
test('each person of a shared ticket has a result, and only some of them may be present', async () => {
  const { code, people } = await ticket(['d1'], 3);
  const one = await scan(code, { people: [people[1]] });
  expect(one.body).toMatchObject({ result: 'accepted', people: [{ id: people[1], result: 'accepted' }] });
  const all = await scan(code);
  expect(all.body.result).toBe('accepted');
  expect(all.body.people.map((person: { result: string }) => person.result)).toEqual([
    'accepted',
    'duplicate',
    'accepted',
  ]);
  expect(all.body.message).toMatchObject({ tone: 'mixed', title: '2 of 3 admitted' });
  expect(all.body.person).toBeNull();
});

test('a zone admits as many people as its capacity, and somebody else once one has left', async () => {
  const inside: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { code } = await ticket();
    await scan(code);
    inside.push(code);
  }
  const results: string[] = [];
  for (const code of inside) results.push((await scan(code, { check_in_point: 'zone' })).body.result);
  expect(results).toEqual(['zone_entered', 'zone_entered', 'zone_full']);
  expect((await scan(inside[0]!, { check_in_point: 'out' })).body.result).toBe('exited');
  expect((await scan(inside[2]!, { check_in_point: 'zone' })).body.result).toBe('zone_entered');
  expect((await scan((await ticket()).code, { check_in_point: 'zone' })).body).toMatchObject({
    result: 'rejected',
    reason: 'entry_required',
  });
});

describe('test mode', () => {
  // claim: check-ins-by-mode, clear-test-check-ins, test-check-ins-marked, test-duplicates, test-scan-leaves-the-gate-open
  test('a test scan does not affect live scans, and is a duplicate of test scans only', async () => {
    const { code, people } = await ticket();
    expect((await scan(code, {}, testKey)).body).toMatchObject({ result: 'accepted', test: true });
    expect((await scan(code, {}, testKey)).body.result).toBe('duplicate');
    expect((await scan(code)).body).toMatchObject({ result: 'accepted', test: false });
    const live = await t.call('GET', `/api/v1/events/fair/checkins?attendee=${people[0]}`, { key });
    expect(live.body.data.map((row: { test: boolean }) => row.test)).toEqual([false]);
    const tests = await t.call('GET', `/api/v1/events/fair/checkins?attendee=${people[0]}`, { key: testKey });
    expect(tests.body.data.every((row: { test: boolean }) => row.test)).toBe(true);
    expect(tests.body.data).toHaveLength(2);
    expect((await t.call('DELETE', '/v1/events/fair/checkins/test', { key })).status).toBe(204);
    expect((await t.call('GET', '/api/v1/events/fair/checkins', { key: testKey })).body.data).toEqual([]);
    expect((await scan(code, {}, testKey)).body.result).toBe('accepted');
  });

  test('in a test event a scan with a live key is a test, which the key lists only if it asks for tests', async () => {
    await post('/events', { code: 'tried', name: 'Tried', timezone: 'UTC', test: true });
    await post('/events/tried/days', { code: 'd1', date: today() });
    await post('/events/tried/attendee-types', { code: 'adult', name: 'Adult' });
    await post('/events/tried/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    await post('/events/tried/publish');
    const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Test', days: ['d1'] }];
    const { body } = await post('/events/tried/registrations', { attendees, send_emails: false });
    const scanned = await post('/events/tried/scan', {
      code: body.attendees[0].tickets[0].code,
      check_in_point: 'gate',
      client_uuid: randomUUID(),
    });
    expect(scanned.body).toMatchObject({ result: 'accepted', test: true });
    const listed = async (query: string, as = key) => {
      const [list, counts] = await Promise.all(
        ['', '/counts'].map((end) => t.call('GET', `/v1/events/tried/checkins${end}${query}`, { key: as })),
      );
      return [list!.body.data.length, counts!.body.data.length];
    };
    expect(await listed('')).toEqual([0, 0]);
    expect(await listed('?test=false')).toEqual([0, 0]);
    expect(await listed('?test=true')).toEqual([1, 1]);
    expect(await listed('', testKey)).toEqual([1, 1]);
    for (const [path, as] of [
      ['/events/fair/checkins?test=true', key],
      ['/events/tried/checkins?test=true', testKey],
    ] as const) {
      expect((await t.call('GET', `/v1${path}`, { key: as })).status).toBe(400);
    }
  });

  test('a test ticket at a live gate is rejected', async () => {
    const { code } = await ticket(['d1'], 1, testKey);
    expect((await scan(code)).body).toMatchObject({ result: 'rejected', reason: 'test_ticket' });
    expect((await scan(code, {}, testKey)).body.result).toBe('accepted');
  });
});

describe('a batch', () => {
  const batch = (scans: unknown[], as = key) =>
    t.call('POST', '/api/v1/events/fair/scan/batch', { key: as, body: { scans } });

  // claim: batch-order, scan-time
  test('is applied in the order of scanned_at and answered in the order of the request, with a result per scan', async () => {
    const { code } = await ticket();
    const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();
    const reply = await batch([
      { code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: at(-1), offline_result: 'accepted' },
      { code, check_in_point: 'gate' },
      { code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: at(-2), offline_result: 'accepted' },
      { code: 'NOPE', check_in_point: 'gate', client_uuid: randomUUID() },
    ]);
    expect(reply.status).toBe(200);
    expect(
      reply.body.results.map((one: { result?: string; error?: { code: string } }) => one.result ?? one.error?.code),
    ).toEqual(['duplicate', 'validation_failed', 'accepted', 'unknown']);
    const odd = await t.call('GET', '/api/v1/events/fair/checkins/reconciliation', { key });
    expect(odd.body.data[0]).toMatchObject({ result: 'duplicate', offline_result: 'accepted' });
  });

  // claim: batch-500
  test('of 500 with one invalid scan is accepted, of 501 is refused', async () => {
    const scans = Array.from({ length: 500 }, (_, i) =>
      i === 250 ? { nonsense: true } : { code: `U${i}`, check_in_point: 'gate', client_uuid: randomUUID() },
    );
    const reply = await batch(scans);
    expect(reply.body.results.filter((one: { result?: string }) => one.result === 'unknown')).toHaveLength(499);
    expect((await batch([...scans, scans[0]])).status).toBe(400);
  });
});

describe('a member at the door', () => {
  // claim: override-by-people
  test('overrides a refusal once, with a reason; a key cannot', async () => {
    const { code } = await ticket(['d2']);
    const refused = (await scan(code)).body.checkins[0];
    const byKey = await t.call('POST', `/api/v1/checkins/${refused.id}/override`, { key, body: { reason: 'x' } });
    expect(byKey.body.error.code).toBe('api_key_cannot_override');
    const done = await app(`/checkins/${refused.id}/override`, { reason: 'Ticket was mixed up at the desk' });
    expect(done.body).toMatchObject({
      result: 'accepted',
      admitted: true,
      override: { of: refused.id, reason: 'Ticket was mixed up at the desk' },
      actor: { kind: 'member' },
    });
    expect((await app(`/checkins/${refused.id}/override`, { reason: 'again' })).status).toBe(409);
    expect((await app(`/checkins/${refused.id}/override`, {})).status).toBe(400);
    const told = await t.system((tx) =>
      tx.all<{ type: string }>(sql`select type from outbox where data::json->>'id' = ${done.body.id} order by id`),
    );
    expect(told.map((row) => row.type)).toEqual(['checkin.recorded', 'checkin.overridden']);
  });

  test('undoes an admission', async () => {
    const { code, people } = await ticket();
    const row = (await scan(code)).body.checkins[0];
    expect((await app(`/checkins/${row.id}/undo`)).body.undone_at).not.toBeNull();
    expect((await app(`/checkins/${row.id}/undo`)).status).toBe(409);
    expect((await t.call('GET', `/v1/events/fair/attendees/${people[0]}`, { key })).body.checked_in).toBe(false);
    expect((await scan(code)).body.result).toBe('accepted');
  });
});

// claim: test-scans-left-out
test('counts by point, day and type', async () => {
  const admissions = async () => {
    const counts = await t.call('GET', '/api/v1/events/fair/checkins/counts', { key });
    const gate = counts.body.data.find(
      (row: { check_in_point: string; day: string; attendee_type: string }) =>
        row.check_in_point === 'gate' && row.day === 'd1' && row.attendee_type === 'adult',
    );
    return gate?.admissions ?? 0;
  };
  const before = await admissions();
  for (const { code } of [await ticket(), await ticket()]) {
    expect((await scan(code)).body.result).toBe('accepted');
    expect((await scan(code)).body.result).toBe('duplicate');
  }
  const { code } = await ticket();
  expect((await scan(code, {}, testKey)).body.result).toBe('accepted');
  expect(await admissions(), 'a test does not count').toBe(before + 2);
});

test('an archived event refuses scans', async () => {
  const { code } = await ticket();
  await post('/events/fair/archive');
  expect([(await scan(code)).status, (await scan(code)).body.error.code]).toEqual([409, 'invalid_state']);
  await post('/events/fair/close');
  expect((await scan(code)).body.result).toBe('accepted');
  expect((await post('/events/fair/publish')).status).toBe(200); // for the other tests
});
