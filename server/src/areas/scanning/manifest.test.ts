import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../clock.ts';
import { MIN_SCANNER_VERSION } from '../../road/gate/scanners.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';

// In the middle of a half day: the link is renewed every twelve hours.
const START = '2030-05-04T15:00:00Z';
const clock = new HeldClock(Date.parse(START));
let fair: Fair;
let north: string;
beforeAll(async () => {
  fair = await openFair(clock);
  north = (await fair.t.key('acme', { group: 'north' })).secret;
  await fair.post('/events/fair/check-in-points', {
    code: 'lounge',
    name: 'Lounge',
    kind: 'zone',
    policy: { groups: ['south'], days: ['d1'], capacity: 5, requires: 'entry' },
  });
});
afterAll(() => fair.t.stop());
beforeEach(() => clock.jump(START));

const manifest = (as?: string, etag?: string) =>
  fair.get('/events/fair/scan/manifest', as, etag === undefined ? {} : { 'if-none-match': etag });
const etagOf = async (as?: string): Promise<string> => (await manifest(as)).headers.get('etag')!;

// claim: manifest, scanner-too-old
test('a scanner finds everything it needs: structure, policies, groups, the roster’s link, versions', async () => {
  const count = async (as?: string) => (await manifest(as)).body.roster.count;
  const before = { live: await count(), all: await count(fair.testKey) };
  await fair.register();
  await fair.register({ people: 3 });
  await fair.register({ as: fair.testKey });
  const { status, body } = await manifest();
  expect(status).toBe(200);
  const event = (await fair.t.call('GET', '/v1/events/fair', { key: fair.key })).body;
  expect(body.event).toEqual(event);
  const all = async (path: string) => (await fair.t.call('GET', `/v1${path}?limit=200`, { key: fair.key })).body.data;
  const part = (name: string) => all(`/events/fair/${name}`);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  for (const [field, path] of [
    ['days', 'days'],
    ['check_in_points', 'check-in-points'],
    ['attendee_types', 'attendee-types'],
  ] as const) {
    // Prices are not for scanners, and a manifest does not change with them.
    const shown = (await part(path)).map(
      ({ current_price_minor: _p, current_price_until: _u, ...one }: Record<string, unknown>) => one,
    );
    expect(body[field].toSorted(byId)).toEqual(shown.toSorted(byId));
  }
  const lounge = body.check_in_points.find((point: { code: string }) => point.code === 'lounge');
  expect(lounge.policy).toMatchObject({
    groups: ['south'],
    days: ['d1'],
    capacity: 5,
    requires: 'entry',
    limit: 'unlimited',
  });
  const groups = (await all('/groups')) as { code: string; name: string; parent: string | null }[];
  const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1);
  expect(body.groups.toSorted(byCode)).toEqual(
    groups.map(({ code, name, parent }) => ({ code, name, parent })).toSorted(byCode),
  );
  expect(body.groups).toContainEqual({ code: 'hill', name: 'Hill', parent: 'north' });
  expect(body.roster).toEqual({
    url: expect.stringMatching(/^http:\/\/[^/]+\/links\/roster\/[\w-]+\.[\w-]+$/),
    // It expires between twelve hours and a day from now.
    expires_at: expect.stringMatching(/^2030-05-05T12:00:00(\.000)?Z$/),
    count: before.live + 2,
    as_of: expect.stringMatching(/^2030-05-04T15:00:00\.\d{6}Z$/),
  });
  expect(body.min_sw_version).toBe(MIN_SCANNER_VERSION);
  expect(Date.parse(body.server_time)).toBe(clock.now().getTime());
  // A test key's roster has the live and the test people.
  expect(await count(fair.testKey)).toBe(before.all + 3);
});

describe('304', () => {
  // claim: manifest-304
  test.each([
    ['the tag', (tag: string) => tag],
    ['a weak one', (tag: string) => `W/${tag}`],
    ['one of a list', (tag: string) => `"other", W/"more" ,${tag}`],
    ['any', () => '*'],
  ])('for %s, with the tag and without a body', async (_name, header) => {
    const tag = await etagOf();
    const again = await manifest(fair.key, header(tag));
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
  });

  // claim: manifest-304
  test('is not the answer to another tag, to a part of it or to none', async () => {
    const tag = await etagOf();
    for (const other of ['"other"', tag.slice(1, -1), `${tag.slice(0, -2)}"`, '']) {
      expect((await manifest(fair.key, other)).status).toBe(200);
    }
  });

  test('stays the answer when attendees are added, scanned or changed: those changes are in the roster', async () => {
    const tag = await etagOf();
    const { code, people } = await fair.register();
    await fair.scan(code);
    await fair.t.call('PATCH', `/v1/events/fair/attendees/${people[0]}`, {
      key: fair.key,
      body: { first_name: 'Kim' },
    });
    expect((await manifest(fair.key, tag)).status).toBe(304);
  });

  test('is not the answer to another caller’s tag: live and test, unlimited and limited to a group, and two events differ', async () => {
    await fair.post('/events', { code: 'second', name: 'Second' });
    const second = (await fair.get('/events/second/scan/manifest')).headers.get('etag');
    const tags = [await etagOf(), await etagOf(fair.testKey), await etagOf(north), second];
    expect(new Set(tags).size).toBe(4);
  });
});

describe('a new tag', () => {
  const patch = (path: string, body: unknown) => fair.t.call('PATCH', `/v1${path}`, { key: fair.key, body });
  const remove = (path: string) => fair.t.call('DELETE', `/v1${path}`, { key: fair.key });
  const lounge = '/events/fair/check-in-points/lounge';
  test.each<[string, (() => Promise<{ status: number }>)[]]>([
    ['a day changes', [() => patch('/events/fair/days/d2', { name: 'Second day' })]],
    [
      'a day is locked, and unlocked',
      [() => fair.post('/events/fair/days/d2/lock'), () => fair.post('/events/fair/days/d2/unlock')],
    ],
    [
      'a type is added, and deleted',
      [
        () => fair.post('/events/fair/attendee-types', { code: 'child', name: 'Child' }),
        () => remove('/events/fair/attendee-types/child'),
      ],
    ],
    [
      'a policy changes, and changes back',
      [() => patch(lounge, { policy: { capacity: 6 } }), () => patch(lounge, { policy: { capacity: 5 } })],
    ],
    ['the event changes', [() => patch('/events/fair', { venue: 'Hall 3' })]],
    [
      'the event is closed, and published again',
      [() => fair.post('/events/fair/close'), () => fair.post('/events/fair/publish')],
    ],
    [
      'a group is added, moved, renamed, and deleted',
      [
        () => fair.post('/groups', { code: 'west', name: 'West' }),
        () => fair.post('/groups/west/move', { parent: 'south' }),
        () => patch('/groups/west', { name: 'Far west' }),
        () => remove('/groups/west'),
      ],
    ],
  ])('when %s', async (_name, changes) => {
    for (const change of changes) {
      const tag = await etagOf();
      expect((await change()).status).toBeLessThan(300);
      const after = await manifest(fair.key, tag);
      expect(after.status).toBe(200);
      expect(after.headers.get('etag')).not.toBe(tag);
      expect((await manifest(fair.key, after.headers.get('etag')!)).status).toBe(304);
    }
  });

  test('comes twice a day, so that no scanner holds a link that is about to expire', async () => {
    const [tag, before] = [await etagOf(), (await manifest()).body.roster.expires_at];
    clock.advance(8 * HOUR);
    expect((await manifest(fair.key, tag)).status).toBe(304);
    clock.advance(1 * HOUR);
    const after = await manifest(fair.key, tag);
    expect(after.status).toBe(200);
    expect(Date.parse(after.body.roster.expires_at) - Date.parse(before)).toBe(12 * HOUR);
    expect(Date.parse(after.body.roster.expires_at) - clock.now().getTime()).toBeLessThanOrEqual(DAY);
  });
});

describe('who may ask', () => {
  test('a key limited to a group sees that group, the groups below and above it and those that policies name, and counts only its own attendees', async () => {
    await fair.post('/groups', { code: 'village', name: 'Village', parent: 'hill' });
    await fair.post('/groups', { code: 'east', name: 'East' });
    await fair.register({ group: 'village' });
    await fair.register({ group: ['north', 'south', null] });
    const hill = (await fair.t.key('acme', { group: 'hill' })).secret;
    const codes = async (as: string) =>
      (await manifest(as)).body.groups.map((group: { code: string }) => group.code).toSorted();
    expect(await codes(north)).toEqual(['hill', 'north', 'south', 'village']);
    expect(await codes(hill)).toEqual(['hill', 'north', 'south', 'village']);
    // What the policy of the lounge no longer names is none of its business.
    const lounge = (groups: string[] | null) =>
      fair.t.call('PATCH', '/v1/events/fair/check-in-points/lounge', { key: fair.key, body: { policy: { groups } } });
    await lounge(null);
    expect(await codes(hill)).toEqual(['hill', 'north', 'village']);
    await lounge(['south']);
    expect((await manifest(north)).body.roster.count).toBe(2);
    expect((await manifest(hill)).body.roster.count).toBe(1);
  });

  // claim: scanning-needs-scanner
  test('a key of another organization and one without the scope are refused, on both hosts', async () => {
    await fair.t.org('other');
    const foreign = (await fair.t.key('other')).secret;
    expect((await manifest(foreign)).status).toBe(404);
    const reader = (await fair.t.key('acme', { scopes: ['read', 'write', 'admin'] })).secret;
    expect((await manifest(reader)).body.error.code).toBe('api_key_scope');
    await fair.t.plan('other', 'growth');
    expect((await manifest(foreign)).body.error).toMatchObject({ code: 'entitlement_required', key: 'api_scanner' });
    expect((await fair.t.call('GET', '/v1/events/fair/scan/manifest', { key: fair.key })).status).toBe(200);
    expect((await fair.t.call('GET', '/api/v1/events/fair/scan/manifest')).body.error.code).toBe('api_key_required');
  });
});
