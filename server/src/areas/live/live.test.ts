import { LiveSnapshot, type LiveSnapshot as Shown } from '@turnout/contract';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recording } from '../../../../test/support/statements.ts';
import { inOrganization, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY } from '../../clock.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, openFair } from '../scanning/fair.support.ts';
import { Reader, until } from './live.support.ts';

const LIVE = { tickMs: 50, commentMs: 400, checkMs: 100, most: 24 };
let fair: Fair;
let t: TestTurnout;
const open: Reader[] = [];
beforeAll(async () => {
  fair = await openFair(undefined, { live: LIVE });
  t = fair.t;
});
afterEach(async () => {
  for (const reader of open.splice(0)) {
    reader.close();
    await reader.whenEnded();
  }
});
afterAll(() => t.stop());

const isLive = bodyCheck(LiveSnapshot);

function watch(session: string | null, { event = 'fair', paused = false, server = t } = {}): Reader {
  const cookie = session === null ? null : `${SESSION_COOKIE}=${session}`;
  const path = inOrganization(
    `/app/api/events/${event}/live`,
    cookie ?? undefined,
    session === null ? 'acme' : undefined,
  );
  const reader = new Reader(`${server.url}${path}`, cookie, paused);
  open.push(reader);
  return reader;
}
async function refused(session: string | null, event = 'fair', server = t): Promise<[number, string]> {
  const reader = watch(session, { event, server });
  await until(() => reader.ended, 'the refusal');
  return [reader.status, JSON.parse(reader.body).error.code];
}
const point = (shown: Shown, code: string) => shown.check_in_points.find((one) => one.check_in_point === code)!;
/** What a new reader is told is counted afresh, so it shows what the changes of another one must have led to. */
async function fresh(session: string): Promise<Shown> {
  const reader = watch(session);
  await reader.whenShown(() => true);
  return reader.snapshot!;
}

describe('a member who watches an event', () => {
  test('gets a snapshot at once, and then news of every scan', async () => {
    const session = await t.session('acme', 'owner');
    const { code } = await fair.register();
    const reader = watch(session);
    await reader.whenShown(() => true);
    expect(isLive(reader.snapshot)).toEqual([]);
    const before = point(reader.snapshot!, 'gate');
    expect((await fair.scan(code)).body.admitted).toBe(true);
    expect((await fair.scan(code)).body.admitted).toBe(false);
    await reader.whenShown((shown) => point(shown, 'gate').refusals > before.refusals);
    const shown = reader.snapshot!;
    expect(reader.snapshots).toBe(1);
    expect(point(shown, 'gate')).toEqual({
      check_in_point: 'gate',
      kind: 'entry',
      admissions: before.admissions + 1,
      refusals: before.refusals + 1,
      inside: before.inside + 1,
    });
    expect(shown.check_ins[0]).toMatchObject({ check_in_point: 'gate', day: 'd1', admitted: false, undone: false });
    expect(shown.check_ins[0]!.name).toMatch(/^Pat No\d+$/);
    expect(shown.reasons[0]!.reason).toBe(shown.check_ins[0]!.reason);
    expect(shown.minutes.at(-1)!.admissions).toBeGreaterThan(0);
    expect(shown.attendee_types).toMatchObject([{ attendee_type: 'adult' }]);
  });

  test('sees in changes what a new reader sees: zones, exits, overriding, undoing, tests, many at once', async () => {
    await fair.post('/events/fair/check-in-points', {
      code: 'hall',
      name: 'Hall',
      kind: 'zone',
      policy: { limit: 'unlimited' },
    });
    await fair.post('/events/fair/check-in-points', {
      code: 'again',
      name: 'Again',
      kind: 'entry',
      policy: { limit: 'unlimited' },
    });
    const session = await t.session('acme', 'owner');
    const reader = watch(session);
    await reader.whenShown(() => true);
    const people = await Promise.all(Array.from({ length: 8 }, () => fair.register()));
    for (const [i, { code }] of people.entries()) {
      await fair.scan(code);
      if (i % 2 === 0) await fair.scan(code, { check_in_point: 'hall' });
      if (i % 3 === 0) await fair.scan(code, { check_in_point: 'exit' });
      if (i % 4 === 0) await fair.scan(code, { check_in_point: 'again' });
      if (i === 5) await fair.scan(code, {}, fair.testKey);
    }
    const list = (await fair.get('/events/fair/checkins')).body.data;
    const refusal = list.find((one: { admitted: boolean }) => !one.admitted);
    if (refusal !== undefined) await fair.app(session, 'POST', `/checkins/${refusal.id}/override`, { reason: 'known' });
    const admission = list.find(
      (one: { admitted: boolean; check_in_point: string }) => one.admitted && one.check_in_point === 'gate',
    );
    expect((await fair.app(session, 'POST', `/checkins/${admission.id}/undo`)).status).toBe(200);
    await reader.whenShown((shown) => shown.check_ins.some((one) => one.id === admission.id && one.undone));
    // Stays open to be compared with one who comes later.
    const counted = (await fair.get('/events/fair/checkins/counts')).body.data as Record<string, number | string>[];
    const sum = (code: string, field: string) =>
      counted.filter((one) => one.check_in_point === code).reduce((total, one) => total + Number(one[field]), 0);
    await reader.whenShown((shown) =>
      shown.check_in_points.every(
        (one) =>
          one.admissions === sum(one.check_in_point, 'admissions') &&
          one.refusals === sum(one.check_in_point, 'refusals'),
      ),
    );
    expect(reader.snapshot!.days[0]!.inside).toBe(
      reader
        .snapshot!.check_in_points.filter((one) => one.kind === 'entry')
        .reduce((total, one) => total + one.inside, 0),
    );
    const last = reader.snapshot!;
    reader.close();
    await reader.whenEnded();
    expect(await fresh(session)).toEqual(last);
  });

  // claim: test-scans-left-out
  test('is shown nothing of a scan in test mode', async () => {
    const reader = watch(await t.session('acme', 'owner'));
    await reader.whenShown(() => true);
    const admissions = () => reader.snapshot!.check_in_points.reduce((sum, one) => sum + one.admissions, 0);
    const before = admissions();
    const { code } = await fair.register();
    const tried = (await fair.scan(code, {}, fair.testKey)).body;
    expect(tried).toMatchObject({ result: 'accepted', test: true });
    const { id } = (await fair.scan(code)).body.checkins[0];
    await reader.whenShown((shown) => shown.check_ins.some((one) => one.id === id));
    expect(admissions()).toBe(before + 1);
    expect(reader.snapshot!.check_ins.map((one) => one.id)).not.toContain(tried.checkins[0].id);
    reader.close();
    await reader.whenEnded();
  });

  test('gets nothing while nothing happens, but a comment from time to time', async () => {
    const reader = watch(await t.session('acme', 'owner'));
    await until(() => reader.comments >= 2, 'comments');
    expect([reader.snapshots, reader.changes]).toEqual([1, []]);
  });

  test('sees a test event’s tests', async () => {
    await fair.post('/events', { code: 'trial', name: 'Trial', test: true }, fair.testKey);
    const reader = watch(await t.session('acme', 'owner'), { event: 'trial' });
    await reader.whenShown((shown) => shown.check_ins.length === 0);
  });

  test('sees scanners with queue and battery', async () => {
    const session = await t.session('acme', 'owner');
    const reader = watch(session);
    await reader.whenShown(() => true);
    const pairing = (await fair.app(session, 'POST', '/events/fair/devices/pairing-codes', { name: 'Phone 1' })).body;
    const paired = await t.call('POST', '/api/v1/devices/pair', { key: null, body: { code: pairing.code } });
    const beat = { queue_length: 12, battery: 35 };
    const told = await t.call('PUT', '/api/v1/devices/self/heartbeat', { key: paired.body.token, body: beat });
    expect(told.status).toBe(200);
    await reader.whenShown(
      (shown) => shown.devices?.some((one) => one.name === 'Phone 1' && one.queue_length === 12) === true,
    );
  });
});

describe('who sees what', () => {
  test('names need people.read, scanners door.devices; numbers come with the event', async () => {
    await fair.scan((await fair.register()).code);
    const [owner, door, viewer] = await Promise.all(
      ['owner', 'door', 'viewer'].map(async (role) => fresh(await t.session('acme', role))),
    );
    expect(owner!.check_ins[0]!.name).toMatch(/^Pat/);
    expect(owner!.devices).not.toBeNull();
    expect(door!.check_ins[0]!.name).toBeNull();
    expect([door!.devices, viewer!.devices]).toEqual([null, null]);
    expect(viewer!.check_ins[0]!.name).toMatch(/^Pat/);
    expect(door!.check_in_points).toEqual(owner!.check_in_points);
  });

  test('a member limited to a group sees the group’s attendees and nobody else', async () => {
    const session = await t.session('acme', 'owner');
    await t.system((tx) =>
      tx.run(sql`update members m set group_id = (select id from groups g where g.org_id = m.org_id and g.code = 'south')
        where account_id = (select max(account_id::text)::uuid from account_sessions where created_at = (select max(created_at) from account_sessions))`),
    );
    const south = await fair.register({ group: 'south' });
    const north = await fair.register({ group: 'north' });
    const reader = watch(session);
    await reader.whenShown(() => true);
    await fair.scan(north.code);
    await fair.scan(south.code);
    await reader.whenShown((shown) => shown.check_ins.length > 0);
    expect(reader.snapshot!.check_ins.map((one) => one.attendee_id)).toEqual(south.people);
    expect(point(reader.snapshot!, 'gate')).toMatchObject({ admissions: 1, inside: 1 });
    expect(reader.snapshot!.days[0]).toMatchObject({ expected: 1, came: 1, admissions: 1, inside: 1 });
    expect(reader.snapshot!.devices).toEqual([]);
  });

  test('nobody else gets anything', async () => {
    await t.org('other');
    const stranger = await t.session('other', 'owner');
    const own = await t.session('acme', 'owner');
    expect(await refused(null)).toEqual([401, 'sign_in_required']);
    expect(await refused('made-up')).toEqual([401, 'sign_in_required']);
    expect(await refused(stranger)).toEqual([404, 'not_found']);
    expect(await refused(own, 'unknown')).toEqual([404, 'not_found']);
    const key = await t.call('GET', '/v1/events/fair/live', { key: fair.key });
    expect(key.status).toBe(404);
    const query = new Reader(`${t.url}/app/api/acme/events/fair/live?since=1`, `${SESSION_COOKIE}=${own}`);
    await until(() => query.ended, 'the refusal');
    expect(query.status).toBe(400);
  });
});

describe('a stream ends', () => {
  const ends = async (change: (session: string) => Promise<unknown>): Promise<string> => {
    const session = await t.session('acme', 'manager');
    const reader = watch(session);
    await reader.whenShown(() => true);
    await change(session);
    await reader.whenEnded();
    return session;
  };
  const member = sql`(select s.account_id from account_sessions s order by s.created_at desc, s.id desc limit 1)`;

  test('when the role is lowered; the next one shows less', async () => {
    const session = await ends(() =>
      t.system((tx) => tx.run(sql`update members set role = 'door' where account_id = ${member}`)),
    );
    expect((await fresh(session)).check_ins.every((one) => one.name === null)).toBe(true);
  });

  test('when the member gets a group', async () => {
    await ends(() =>
      t.system((tx) =>
        tx.run(
          sql`update members m set group_id = (select id from groups g where g.code = 'north' and g.org_id = m.org_id) where account_id = ${member}`,
        ),
      ),
    );
  });

  test('when the member is removed, and cannot be opened again', async () => {
    const session = await ends(() => t.system((tx) => tx.run(sql`delete from members where account_id = ${member}`)));
    expect(await refused(session)).toEqual([404, 'not_found']);
  });

  test('when the session is ended, and cannot be opened again', async () => {
    const session = await ends((one) =>
      t.call('POST', '/app/api/-/sign-out', { key: null, headers: { cookie: `${SESSION_COOKIE}=${one}` } }),
    );
    expect(await refused(session)).toEqual([401, 'sign_in_required']);
  });

  test('when the event is deleted', async () => {
    const session = await t.session('acme', 'owner');
    await fair.post('/events', { code: 'gone', name: 'Gone' });
    const reader = watch(session, { event: 'gone' });
    await reader.whenShown(() => true);
    expect((await t.call('DELETE', '/v1/events/gone', { key: fair.key })).status).toBe(204);
    await reader.whenEnded();
  });
});

describe('cost', () => {
  /** How often the event was looked at, and how often its turn came meanwhile, without the questions whether viewers still may watch. */
  async function looksFor(viewers: Reader[]): Promise<{ looks: number; ticks: number }> {
    await Promise.all(viewers.map((reader) => reader.whenShown(() => true)));
    const begun = performance.now();
    const sent = await recording(async () => {
      const seen = viewers.at(-1)!.comments;
      await until(() => viewers.at(-1)!.comments >= seen + 2, 'comments');
    });
    const looks = sent.filter(({ text }) => /from event_clocks/.test(text)).length;
    return { looks, ticks: (performance.now() - begun) / LIVE.tickMs };
  }

  test('an event is looked at as often for many viewers as for one, and not at all for none', async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => t.session('acme', 'owner')));
    const one = await looksFor([watch(sessions[0]!)]);
    const many = await looksFor(Array.from({ length: 20 }, (_, i) => watch(sessions[i % 3]!)));
    expect(one.looks).toBeGreaterThan(2);
    // A look for each viewer would be twenty for each tick. On a busy machine there are fewer looks than ticks, never more.
    for (const { looks, ticks } of [one, many]) expect(looks).toBeLessThanOrEqual(2 * ticks);
    for (const reader of open.splice(0)) {
      reader.close();
      await reader.whenEnded();
    }
    const none = await recording(async () => {
      await fair.scan((await fair.register()).code);
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    expect(none.filter(({ text }) => /from devices d\b/.test(text))).toEqual([]);
  });

  test('429 for the ninth stream of an account, which is free again when one is closed', async () => {
    const session = await t.session('acme', 'owner');
    const readers = Array.from({ length: 8 }, () => watch(session));
    await Promise.all(readers.map((reader) => reader.whenShown(() => true)));
    expect(await refused(session)).toEqual([429, 'rate_limited']);
    readers[0]!.close();
    await readers[0]!.whenEnded();
    const again = async () => {
      const reader = watch(session);
      await until(() => reader.status !== 0, 'an answer');
      return reader.status === 200;
    };
    let free = false;
    for (let i = 0; i < 100 && !free; i += 1) free = await again();
    expect(free).toBe(true);
  });

  test('503 when the process has as many as it takes', async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => t.session('acme', 'owner')));
    const readers = Array.from({ length: 24 }, (_, i) => watch(sessions[i % 3]!));
    await Promise.all(readers.map((reader) => reader.whenShown(() => true)));
    expect(await refused(sessions[3]!)).toEqual([503, 'unavailable']);
  });
});

test('a reader who takes nothing is dropped, and others go on', async () => {
  const session = await t.session('acme', 'owner');
  const slow = watch(session, { paused: true });
  const other = watch(session);
  await Promise.all([slow.whenAnswered(), other.whenShown(() => true)]);
  // Long names: the connection itself holds some megabytes before anything has to wait here.
  await t.system((tx) =>
    tx.run(sql`insert into devices (org_id, id, event_id, name, token_hash, created_at, updated_at)
      select e.org_id, gen_random_uuid(), e.id, repeat('x', 50000) || n, sha256(n::text::bytea), now(), now()
      from events e, generate_series(1, 20) n where e.code = 'fair' and e.org_id = (select id from organizations where code = 'acme')`),
  );
  for (let battery = 1; battery <= 30; battery += 1) {
    await t.system((tx) => tx.run(sql`update devices set battery = ${battery} where length(name) > 50000`));
    await other.whenShown((shown) => shown.devices!.some((one) => one.name.length > 50_000 && one.battery === battery));
  }
  slow.response!.resume();
  await slow.whenEnded();
  expect(other.ended).toBe(false);
  await t.system((tx) => tx.run(sql`delete from devices where length(name) > 50000`));
});

test('a stop of the server ends streams at once, and a reader who comes again gets a snapshot', async () => {
  const server = await startTest({ database: t.database, clock: t.clock, live: { tickMs: 50 } });
  const session = await t.session('acme', 'owner');
  const reader = watch(session, { server });
  await reader.whenShown(() => true);
  await server.stop();
  await reader.whenEnded();
  const again = watch(session);
  await again.whenShown(() => true);
  expect(again.snapshot!.check_in_points).toEqual(reader.snapshot!.check_in_points);
});

test('a stream that was open for long does not keep a session alive', async () => {
  // A fair of its own, because its clock is moved: the day of the event is over then.
  const { t: server } = await openFair(undefined, { live: LIVE });
  onTestFinished(() => server.stop());
  const session = await server.session('acme', 'owner');
  const reader = watch(session, { server });
  await reader.whenShown(() => true);
  server.clock.advance(15 * DAY);
  await reader.whenEnded();
  expect(await refused(session, 'fair', server)).toEqual([401, 'sign_in_required']);
});
