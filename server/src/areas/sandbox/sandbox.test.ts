import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase } from '../../../../test/support/database.ts';
import { type CallOptions, type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, MovedClock } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { crons, isSandboxFresh, PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from './index.ts';

let t: TestTurnout;
const START = '2027-06-04T10:00:00Z';
const clock = new MovedClock();
const said: string[] = [];
beforeAll(async () => {
  clock.jump(START);
  t = await startTest({ clock, env: { SANDBOX: 'on' }, progress: (line) => said.push(line) });
});
afterAll(() => t.stop());

const ask = (method: string, path: string, options: CallOptions = {}) =>
  t.call(method, `/v1${path}`, { key: PUBLIC_TEST_KEY, ...options });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const fair = '/events/lakeside-fair';

type Listed = Record<string, unknown> & { id: string };
async function list(path: string): Promise<Listed[]> {
  const reply = await ask('GET', `${path}?limit=200`);
  expect(reply.status).toBe(200);
  expect(reply.body.page.has_more).toBe(false);
  return reply.body.data;
}
const PARTS = ['days', 'attendee-types', 'questions', 'check-in-points'];
/** Everything in the sandbox, without the fields that differ after each refresh. */
async function structure() {
  const bare = (rows: Listed[]) =>
    rows
      .map(({ id: _id, created_at: _created, updated_at: _updated, ...rest }) => rest)
      .sort((a, b) => String(a.code).localeCompare(String(b.code)));
  const events = bare(await list('/events'));
  const parts: Record<string, unknown> = {};
  for (const { code } of events)
    for (const part of PARTS) parts[`${code}/${part}`] = bare(await list(`/events/${code}/${part}`));
  return { groups: bare(await list('/groups')), events, parts };
}

describe('the first start', () => {
  test('fills the sandbox and logs it; the next start leaves it as it is', async () => {
    expect(said).toContain('filling the sandbox organization');
    const [{ id }] = (await list('/events')) as [Listed];
    const again: string[] = [];
    const second = await startTest({
      clock,
      database: t.database,
      env: { SANDBOX: 'on' },
      progress: (line) => again.push(line),
    });
    expect(again).not.toContain('filling the sandbox organization');
    expect((await second.call('GET', `/v1/events/${id}`, { key: PUBLIC_TEST_KEY })).status).toBe(200);
    await second.stop();
  });

  test('refuses to fill an organization that somebody made under the same code, and leaves it alone', async () => {
    const own = await startTest();
    try {
      await own.org(SANDBOX_CODE);
      const { secret: key } = await own.key(SANDBOX_CODE);
      await own.call('POST', '/v1/events', { key, body: { code: 'mine', name: 'Mine' } });
      await expect(refreshSandbox(own.pool, own.clock)).rejects.toThrow(/has the code `sandbox`/);
      expect((await own.call('GET', '/v1/events/mine', { key })).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  test('writes no audit entries and raises no webhooks', async () => {
    const fresh = await startTest({ clock, env: { SANDBOX: 'on' } });
    const traces = await fresh.system((tx) =>
      tx.one<{ audit: number; outbox: number; mails: number }>(sql`
        select (select count(*)::int from audit_log) as audit, (select count(*)::int from outbox) as outbox,
          (select count(*)::int from mails) as mails`),
    );
    await fresh.stop();
    expect(traces).toEqual({ audit: 0, outbox: 0, mails: 0 });
  });
});

describe('the public test key', () => {
  // claim: sandbox
  test('gets its profile', async () => {
    const { status, body } = await ask('GET', '/me');
    expect(status).toBe(200);
    expect(body.organization.code).toBe(SANDBOX_CODE);
    expect(body.key).toMatchObject({ mode: 'test', group: null, expires_at: null });
    expect(body.key.scopes).toEqual(['read', 'write', 'scanner']);
  });

  // claim: sandbox
  test('reads a live, published fair whose first day is today, with days, types, questions, points and groups', async () => {
    const events = await list('/events');
    const live = events.find((one) => one.code === 'lakeside-fair');
    expect(live).toMatchObject({ status: 'published', test: false });
    const codes = async (path: string) => (await list(path)).map((one) => one.code);
    expect(await codes(`${fair}/days`)).toEqual(expect.arrayContaining(['day1', 'day2', 'day3']));
    expect(await codes(`${fair}/attendee-types`)).toEqual(expect.arrayContaining(['adult', 'child', 'pass', 'vip']));
    expect(await codes(`${fair}/questions`)).toEqual(expect.arrayContaining(['diet', 'shirt']));
    expect(await codes('/groups')).toEqual(expect.arrayContaining(['clubs', 'rowing', 'sailing', 'press']));
    const points = await list(`${fair}/check-in-points`);
    expect(new Set(points.map((point) => point.kind))).toEqual(new Set(['entry', 'pre_check', 'zone', 'exit']));

    const first = (await ask('GET', `${fair}/days/day1`)).body;
    expect(first.date).toBe('2027-06-04');
    expect(Date.parse(first.opens_at)).toBeLessThanOrEqual(clock.now().getTime());
    expect(Date.parse(first.closes_at)).toBeGreaterThan(clock.now().getTime());
  });

  test('changes nothing that is live', async () => {
    const before = await structure();
    const refused = [403, 'test_key_live_object'];
    const body = { name: 'Mine now' };
    expect(code(await ask('PATCH', fair, { body }))).toEqual(refused);
    expect(code(await ask('POST', `${fair}/close`))).toEqual(refused);
    expect(code(await ask('POST', `${fair}/days`, { body: { date: '2027-07-01' } }))).toEqual(refused);
    expect(code(await ask('PATCH', `${fair}/check-in-points/main-gate`, { body }))).toEqual(refused);
    expect(code(await ask('DELETE', `${fair}/attendee-types/vip`))).toEqual(refused);
    expect(code(await ask('PATCH', '/groups/clubs', { body }))).toEqual(refused);
    expect(code(await ask('POST', '/groups', { body }))).toEqual([403, 'api_key_scope']);
    expect(code(await ask('DELETE', fair))).toEqual([403, 'api_key_scope']);
    expect(code(await ask('GET', '/audit-log'))).toEqual([403, 'api_key_scope']);
    expect(await structure()).toEqual(before);
  });

  test('creates test events, and never a live one', async () => {
    const made = await ask('POST', '/events', { body: { name: 'A try' } });
    expect([made.status, made.body.test]).toEqual([201, true]);
    const day = await ask('POST', `/events/${made.body.id}/days`, { body: { date: '2027-07-01' } });
    expect(day.status).toBe(201);
    expect((await ask('PATCH', `/events/${made.body.id}`, { body: { name: 'Renamed' } })).body.name).toBe('Renamed');
    expect(code(await ask('POST', '/events', { body: { name: 'Live', test: false } }))).toEqual([
      400,
      'validation_failed',
    ]);
    const live = (await list('/events')).filter((event) => event.test === false);
    expect(live.map((event) => event.code)).toEqual(['lakeside-fair']);
  });
});

describe('a refresh', () => {
  test('lets agents work with the public key, also if somebody has turned that off', async () => {
    const tools = async () => {
      const headers = { accept: 'application/json, text/event-stream' };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      return (await t.call('POST', '/mcp', { key: PUBLIC_TEST_KEY, body, headers })).status;
    };
    await t.system((tx) => tx.run(sql`update organizations set agents = false where code = ${SANDBOX_CODE}`));
    expect(await tools()).toBe(403);
    await refreshSandbox(t.pool, clock);
    expect(await tools()).toBe(200);
  });

  test('builds the same structure again, and deletes what the public key made', async () => {
    await refreshSandbox(t.pool, clock);
    const fresh = await structure();
    const made = await ask('POST', '/events', { body: { name: 'Gone by morning', group: 'clubs' } });
    const day = await ask('POST', `/events/${made.body.id}/days`, { body: { date: '2027-07-01' } });
    expect([made.status, day.status]).toEqual([201, 201]);
    expect(await structure()).not.toEqual(fresh);

    expect(await refreshSandbox(t.pool, clock)).toEqual({ organization: SANDBOX_CODE, event: 'lakeside-fair' });
    expect(await structure()).toEqual(fresh);
    expect(code(await ask('GET', `/events/${made.body.id}`))).toEqual([404, 'not_found']);
    await refreshSandbox(t.pool, clock);
    expect(await structure()).toEqual(fresh);
  });

  test('keeps the organization and the public key', async () => {
    const before = (await ask('GET', '/me')).body;
    await refreshSandbox(t.pool, clock);
    const after = (await ask('GET', '/me')).body;
    expect([after.organization, after.key]).toEqual([before.organization, before.key]);
  });

  test('touches no other organization', async () => {
    await t.org('acme');
    const { secret } = await t.key('acme');
    const event = await t.call('POST', '/v1/events', { key: secret, body: { code: 'lakeside-fair', name: 'Ours' } });
    const group = await t.call('POST', '/v1/groups', { key: secret, body: { code: 'clubs', name: 'Ours' } });
    await refreshSandbox(t.pool, clock);
    expect((await t.call('GET', `/v1/events/${event.body.id}`, { key: secret })).text).toBe(event.text);
    expect((await t.call('GET', `/v1/groups/${group.body.id}`, { key: secret })).text).toBe(group.text);
    expect(code(await ask('GET', `/events/${event.body.id}`))).toEqual([404, 'not_found']);
  });

  // claim: sandbox
  test('runs every night and makes the fair begin today again', async () => {
    const nightly = crons.find((cron) => cron.name === 'refresh-sandbox')!;
    expect(nightly.pattern).toMatch(/^\d+ \d+ \* \* \*$/);
    clock.advance(3 * DAY);
    expect((await ask('GET', `${fair}/days/day1`)).body.date).toBe('2027-06-04');
    const { pino } = await import('pino');
    await nightly.run({ pool: t.pool, clock, log: pino({ level: 'silent' }), outside: t.outside });
    expect((await ask('GET', `${fair}/days/day1`)).body.date).toBe('2027-06-07');
    clock.jump(START);
    await refreshSandbox(t.pool, clock);
  });

  test('is made up for by a start that follows a missed night, and by no other start', async () => {
    const own = new MovedClock();
    own.jump('2027-06-04T10:00:00Z');
    const first = await startTest({ clock: own, env: { SANDBOX: 'on' } });
    const freshAt = (time: string) => {
      own.jump(time);
      return isSandboxFresh(first.pool, own);
    };
    expect(await freshAt('2027-06-05T02:59:00Z')).toBe(true);
    expect(await freshAt('2027-06-05T03:01:00Z')).toBe(false);
    expect(await freshAt('2027-06-10T12:00:00Z')).toBe(false);
    const lines: string[] = [];
    const progress = (line: string) => lines.push(line);
    const later = await startTest({ clock: own, database: first.database, env: { SANDBOX: 'on' }, progress });
    expect(lines).toContain('filling the sandbox organization');
    expect((await later.call('GET', `/v1${fair}/days/day1`, { key: PUBLIC_TEST_KEY })).body.date).toBe('2027-06-10');
    await later.stop();
    await first.stop();
  });

  test('makes no concurrent request fail', async () => {
    await t.plan(SANDBOX_CODE, 'scale', [['api_rate_per_min', '1000000']]);
    const { secret: key } = await t.key(SANDBOX_CODE, { mode: 'test', scopes: ['read', 'write'] }); // the public key is limited in its requests per minute
    const seen = new Map<string, number>();
    let refreshing = true;
    const note = (what: string, reply: Reply) => {
      const name = `${what} ${reply.status} ${reply.body?.error?.code ?? ''}`.trim();
      seen.set(name, (seen.get(name) ?? 0) + 1);
    };
    const reader = async () => {
      while (refreshing) {
        note('me', await t.call('GET', '/v1/me', { key }));
        note('events', await t.call('GET', '/v1/events', { key }));
        note('fair', await t.call('GET', `/v1${fair}`, { key }));
        note('days', await t.call('GET', `/v1${fair}/days`, { key }));
      }
    };
    // The refresh may delete what the key makes at any moment; then the answer is that there is no such event.
    const writer = async () => {
      while (refreshing) {
        const made = await t.call('POST', '/v1/events', { key, body: { name: 'Meanwhile' } });
        note('create', made);
        if (made.status !== 201) continue;
        for (const date of ['2027-07-01', '2027-07-02', '2027-07-03']) {
          note('add', await t.call('POST', `/v1/events/${made.body.id}/days`, { key, body: { date } }));
        }
        note(
          'change',
          await t.call('PATCH', `/v1/events/${made.body.id}`, { key, body: { name: 'Meanwhile, again' } }),
        );
      }
    };
    const clients = [reader(), reader(), writer(), writer(), writer()];
    for (let i = 0; i < 4; i += 1) await refreshSandbox(t.pool, clock);
    refreshing = false;
    await Promise.all(clients);
    const good = ['me 200', 'events 200', 'fair 200', 'days 200', 'create 201', 'add 201', 'change 200'];
    // Between two refreshes the writers may make as many events as the sandbox has room for.
    const swept = ['create 403 sandbox_full', 'add 404 not_found', 'change 404 not_found'];
    expect([...seen.keys()].filter((name) => !good.includes(name) && !swept.includes(name))).toEqual([]);
    expect(seen.get('create 201')).toBeGreaterThan(2);
    expect(seen.get('days 200')).toBeGreaterThan(2);
  });
});

describe('without the sandbox', () => {
  test('the published key is unknown, and there is no such organization', async () => {
    const plain = await startTest();
    try {
      for (const path of ['/v1/me', '/v1/events', '/api/v1/checkins/x/override']) {
        const reply = await plain.call(path.startsWith('/api') ? 'POST' : 'GET', path, { key: PUBLIC_TEST_KEY });
        expect(code(reply)).toEqual([401, 'api_key_unknown']);
      }
      const { n } = await plain.system((tx) =>
        tx.one<{ n: number }>(sql`select count(*)::int as n from organizations`),
      );
      expect(n).toBe(0);
    } finally {
      await plain.stop();
    }
  });
});

test('three processes that start at once on a fresh database all start', async () => {
  const database = await cloneDatabase();
  const all = await Promise.allSettled([0, 1, 2].map(() => startTest({ database, env: { SANDBOX: 'on' } })));
  expect(all.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  for (const one of all) if (one.status === 'fulfilled') await one.value.stop();
  await database.drop();
});
