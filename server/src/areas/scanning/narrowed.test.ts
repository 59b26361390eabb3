import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { MIN_SCANNER_VERSION } from '../../road/gate/scanners.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';

/** What a scanner is told about its group and about test mode, and who sees which scanners. */
const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
let manager: string;
let north: string;
let hill: string;
beforeAll(async () => {
  fair = await openFair(clock);
  manager = await fair.t.session('acme', 'manager');
  north = await memberOf('north');
  hill = await memberOf('hill');
  for (const [code, group] of [
    ['northern', 'north'],
    ['hilly', 'hill'],
  ])
    expect((await fair.post('/events', { code, name: code, group })).status).toBe(201);
});
afterAll(() => fair.t.stop());
beforeEach(() => clock.advance(120_000));

async function memberOf(group: string): Promise<string> {
  const session = await fair.t.session('acme', 'manager');
  await fair.t.system((tx) =>
    tx.run(sql`
      update members m set group_id = (select id from groups where code = ${group} and org_id = m.org_id)
      from account_sessions s where s.account_id = m.account_id and s.hash = ${hashSecret(session)}`),
  );
  return session;
}
async function pair(by: string, event: string, name: string) {
  const { code } = (await fair.app(by, 'POST', `/events/${event}/devices/pairing-codes`, { name })).body;
  const paired = await fair.t.call('POST', '/api/v1/devices/pair', { body: { code }, idempotencyKey: randomUUID() });
  expect(paired.status).toBe(201);
  return paired.body as { token: string; device: { id: string; name: string; group: unknown } };
}
const listed = async (by: string, event: string): Promise<unknown[]> =>
  (await fair.app(by, 'GET', `/events/${event}/devices`)).body.data.map((one: { name: string }) => one.name);
const NORTH = { code: 'north', name: 'North' };

describe('the group that a scanner is limited to', () => {
  test('is in the answer to pairing, in its manifest, in its heartbeat and in the overview', async () => {
    const { token, device } = await pair(north, 'northern', 'Of the north');
    expect(device.group).toEqual(NORTH);
    expect((await fair.get('/events/northern/scan/manifest', token)).body.group).toEqual(NORTH);
    const beat = await fair.t.call('PUT', '/api/v1/devices/self/heartbeat', { key: token, body: { battery: 50 } });
    expect(beat.body).toMatchObject({ group: NORTH, battery: 50 });
    const shown = (await fair.app(manager, 'GET', '/events/northern/devices')).body.data as (typeof device)[];
    // Another test pairs a scanner with the same event.
    expect(shown.find(({ id }) => id === device.id)).toMatchObject({ name: 'Of the north', group: NORTH });
  });

  test('is null for a scanner of the whole event', async () => {
    const { token, device } = await pair(manager, 'fair', 'Of all');
    expect(device.group).toBeNull();
    expect((await fair.get('/events/fair/scan/manifest', token)).body.group).toBeNull();
  });

  test('is told to keys and members, too, and a new name of the group makes a new ETag', async () => {
    const { secret } = await fair.t.key('acme', { group: 'hill' });
    const before = await fair.get('/events/fair/scan/manifest', secret);
    expect(before.body.group).toEqual({ code: 'hill', name: 'Hill' });
    expect((await fair.get('/events/fair/scan/manifest')).body.group).toBeNull();
    expect((await fair.app(north, 'GET', '/events/fair/scan/manifest')).body.group).toEqual(NORTH);
    await fair.t.call('PATCH', '/v1/groups/hill', { key: fair.key, body: { name: 'Uphill' } });
    const after = await fair.get('/events/fair/scan/manifest', secret, {
      'if-none-match': before.headers.get('etag')!,
    });
    expect([after.status, after.body.group]).toEqual([200, { code: 'hill', name: 'Uphill' }]);
  });
});

// claim: group-scans-anywhere, scan-point
test('a key of a group scans anybody at any point, and the policy of the point decides', async () => {
  const { secret } = await fair.t.key('acme', { group: 'north' });
  const lounge = { code: 'lounge', name: 'Lounge', kind: 'entry', policy: { groups: ['south'] } };
  expect((await fair.post('/events/fair/check-in-points', lounge)).status).toBe(201);
  const [ours, theirs] = [await fair.register({ group: 'hill' }), await fair.register({ group: 'south' })];
  const scanned = async (code: string, check_in_point: string) =>
    (await fair.scan(code, { check_in_point }, secret)).body.result;
  expect(await scanned(theirs.code, 'lounge')).toBe('accepted');
  expect(await scanned(ours.code, 'lounge')).toBe('rejected');
  expect(await scanned(ours.code, 'gate')).toBe('accepted');
  const roster = (await fair.get('/events/fair/scan/roster?since=2020-01-01T00:00:00Z', secret)).body.data;
  expect(roster.map((entry: { ticket_id: string }) => entry.ticket_id)).toEqual([ours.ticket]);
});

describe('who sees which scanners', () => {
  test('a member of a group sees those of the group and below, and of events of the group; others do not exist', async () => {
    const ofAll = await pair(manager, 'hilly', 'By all');
    const ofNorth = await pair(north, 'hilly', 'By the north');
    const ofHill = await pair(hill, 'hilly', 'By the hill');
    expect(ofNorth.device.group).toEqual(NORTH);
    expect(await listed(manager, 'hilly')).toEqual(['By all', 'By the hill', 'By the north']);
    expect(await listed(north, 'hilly')).toEqual(['By all', 'By the hill', 'By the north']);
    // That of the north reaches more than the hill does.
    expect(await listed(hill, 'hilly')).toEqual(['By all', 'By the hill']);
    const revoke = (by: string, id: string) => fair.app(by, 'DELETE', `/events/hilly/devices/${id}`);
    expect((await revoke(hill, ofNorth.device.id)).status).toBe(404);
    expect((await fair.get('/events/hilly/scan/manifest', ofNorth.token)).status).toBe(200);
    expect((await revoke(hill, ofHill.device.id)).status).toBe(204);
    expect((await revoke(hill, ofAll.device.id)).status).toBe(204);
  });

  test('in an event of the whole organization, a member of a group sees none of the others’', async () => {
    await pair(manager, 'fair', 'Somebody else’s');
    expect(await listed(north, 'fair')).toEqual([]);
    expect(await listed(manager, 'fair')).toContain('Somebody else’s');
  });
});

describe('test mode', () => {
  const SINCE = '2020-01-01T00:00:00Z';
  const rosterOf = async (manifest: { roster: { url: string } }) =>
    (await fair.t.call('GET', new URL(manifest.roster.url).pathname)).body.data as {
      ticket_id: string;
      test: boolean;
      people: { admissions: unknown[] }[];
    }[];

  test.each([
    ['a device', async () => (await pair(manager, 'fair', 'Tester')).token, 'key'],
    ['a member', async () => manager, 'session'],
  ] as const)(
    '%s gets the roster of either mode, each with its own tickets and admissions',
    async (_who, from, kind) => {
      const as = await from();
      const get = (path: string, headers = {}) =>
        kind === 'key' ? fair.get(path, as, headers) : fair.app(as, 'GET', path);
      const live = await fair.register();
      const tried = await fair.register({ as: fair.testKey });
      await fair.scan(live.code);
      await fair.scan(live.code, {}, fair.testKey);
      await fair.scan(live.code, { check_in_point: 'exit' }, fair.testKey);
      const manifest = (await get('/events/fair/scan/manifest')).body;
      const testing = (await get('/events/fair/scan/manifest?test=true')).body;
      for (const entries of [
        await rosterOf(manifest),
        (await get(`/events/fair/scan/roster?since=${SINCE}`)).body.data,
        (await get(`/events/fair/scan/roster?since=${SINCE}&test=false`)).body.data,
      ] as Awaited<ReturnType<typeof rosterOf>>[]) {
        expect(entries.find((one) => one.ticket_id === live.ticket)!.people[0]!.admissions).toHaveLength(1);
        expect(entries.filter((one) => one.test)).toEqual([]);
      }
      for (const entries of [
        await rosterOf(testing),
        (await get(`/events/fair/scan/roster?since=${SINCE}&test=true`)).body.data,
      ] as Awaited<ReturnType<typeof rosterOf>>[]) {
        expect(entries.find((one) => one.ticket_id === live.ticket)!.people[0]!.admissions).toHaveLength(2);
        expect(entries.find((one) => one.ticket_id === tried.ticket)).toMatchObject({ test: true });
      }
      expect(testing.roster.count).toBeGreaterThan(manifest.roster.count);
    },
  );

  test('has an ETag of its own', async () => {
    const { token } = await pair(manager, 'fair', 'Tagged');
    const live = (await fair.get('/events/fair/scan/manifest', token)).headers.get('etag')!;
    const ask = (query: string) => fair.get(`/events/fair/scan/manifest${query}`, token, { 'if-none-match': live });
    expect([(await ask('')).status, (await ask('?test=false')).status]).toEqual([304, 304]);
    expect((await ask('?test=true')).status).toBe(200);
  });

  test('of a scanner that is limited to a group holds that group only', async () => {
    const { token } = await pair(north, 'northern', 'North tester');
    const { roster } = (await fair.get('/events/northern/scan/manifest?test=true', token)).body;
    expect(roster.count).toBe(0);
    expect((await fair.t.call('GET', new URL(roster.url).pathname)).body.data).toEqual([]);
  });

  test.each(['manifest?test=true', 'manifest?test=false', `roster?since=${SINCE}&test=true`])(
    'a key has a mode of its own, so %s is 400 for it, also with a matching ETag',
    async (path) => {
      const { headers } = await fair.get('/events/fair/scan/manifest');
      const reply = await fair.get(`/events/fair/scan/${path}`, fair.key, {
        'if-none-match': headers.get('etag') ?? '*',
      });
      expect([reply.status, reply.body.error.code, reply.body.error.details[0].path]).toEqual([
        400,
        'validation_failed',
        'test',
      ]);
    },
  );
});

test('every operation of a paired scanner answers the version of its software: served if it is new enough, else 426', async () => {
  const { token } = await pair(manager, 'fair', 'Versioned');
  const calls = [
    ['GET', '/events/fair/scan/manifest', undefined],
    ['GET', '/events/fair/scan/roster?since=2020-01-01T00:00:00Z', undefined],
    ['POST', '/events/fair/scan', { code: 'X', check_in_point: 'gate', client_uuid: randomUUID() }],
    ['POST', '/events/fair/scan/batch', { scans: [{}] }],
    ['PUT', '/devices/self/heartbeat', {}],
    ['GET', '/devices/self/members', undefined],
    ['POST', '/devices/self/unlock', { member: '01JCQ8Z7M4T3V9R1X5K2N6P8DA', pin: '000000' }],
    ['GET', '/events/fair/checkins', undefined],
    ['GET', '/events/fair/checkins/counts', undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    const call = (version: string) =>
      fair.t.call(method, `/api/v1${path}`, { key: token, body, headers: { 'x-scanner-version': version } });
    expect.soft([path, (await call('0.0.1')).status]).toEqual([path, 426]);
    const served = (await call(MIN_SCANNER_VERSION)).status;
    // A member that does not exist cannot unlock it.
    expect.soft([path, served]).toEqual([path, path.endsWith('unlock') ? 404 : 200]);
  }
});
