import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CallOptions, type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import type { Id } from '../../common/ids.ts';
import { SANDBOX_LIMITS } from '../../road/write/sandbox-room.ts';
import { name, sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { Organizer } from '../transfers/platform.support.ts';
import { PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from './index.ts';

let t: TestTurnout;
let org: Id;
const USUAL = structuredClone(SANDBOX_LIMITS);
beforeAll(async () => {
  t = await startTest({ env: { SANDBOX: 'on' } });
  await t.plan(SANDBOX_CODE, 'scale', [['api_rate_per_min', '1000000']]);
  ({ id: org } = await t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where sandbox`)));
});
afterAll(() => t.stop());
afterEach(async () => {
  Object.assign(SANDBOX_LIMITS, structuredClone(USUAL));
  await fill(0);
});

const ask = (method: string, path: string, options: CallOptions = {}) =>
  t.call(method, `/v1${path}`, { key: PUBLIC_TEST_KEY, ...options });
const answered = (reply: Reply) => reply.body?.error?.code ?? reply.status;
const createEvent = () => ask('POST', '/events', { body: { name: 'A try' } });
const count = async (table: string) =>
  (
    await t.system((tx) =>
      tx.one<{ n: number }>(sql`select count(*)::int as n from ${name(table)} where org_id = ${org}`),
    )
  ).n;
const usage = async () =>
  (await t.system((tx) => tx.one<{ bytes: number }>(sql`select bytes from sandbox_usage`))).bytes;
const fill = (bytes: number) => t.system((tx) => tx.run(sql`update sandbox_usage set bytes = ${bytes}`));
const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Abara', days: ['day2'] };
const register = (event: string, people = 1) =>
  ask('POST', `/events/${event}/registrations`, {
    body: { attendees: Array.from({ length: people }, () => person), send_emails: false },
  });

describe('403 sandbox_full', () => {
  test('the bounds are those that the documentation names', () => {
    expect(SANDBOX_LIMITS).toMatchObject({ events: 50, people: 5_000, bytes: 50 * 1024 * 1024 });
  });

  test('the sandbox has room for 50 events, and no more come even if many are made at once', async () => {
    const there = await count('events');
    const replies = await Promise.all(Array.from({ length: 60 - there }, createEvent));
    expect(replies.map(answered).filter((one) => one === 201)).toHaveLength(50 - there);
    const refused = replies.find((one) => one.status !== 201)!;
    expect([refused.status, refused.body.error.code]).toEqual([403, 'sandbox_full']);
    expect(refused.body.error.message).toBe(
      'The sandbox has room for 50 events. It starts over every night at 03:00 UTC. To do more, create your own organization.',
    );
    expect(await count('events')).toBe(50);
    await refreshSandbox(t.pool, t.clock);
  });

  test('people are counted in all events together', async () => {
    SANDBOX_LIMITS.people = (await count('attendees')) + 4;
    expect(answered(await register('practice', 5)), 'a call that would go beyond is not done in part').toBe(
      'sandbox_full',
    );
    expect(answered(await register('practice', 3))).toBe(201);
    expect([answered(await register('practice-open')), answered(await register('practice'))]).toEqual([
      201,
      'sandbox_full',
    ]);
    expect(await count('attendees')).toBe(SANDBOX_LIMITS.people);
  });

  test('when its bytes are used up, every change is refused before its work, and reading goes on', async () => {
    await fill(SANDBOX_LIMITS.bytes);
    const before = [await count('events'), await count('audit_log'), await count('idempotency')];
    const refused = await createEvent();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'sandbox_full']);
    expect(refused.body.error.message).toMatch(/is full\. It starts over every night at 03:00 UTC\./);
    expect(answered(await ask('PATCH', '/events/practice', { body: { name: 'Renamed' } }))).toBe('sandbox_full');
    expect(answered(await register('practice'))).toBe('sandbox_full');
    const scan = { body: { code: 'NOBODY', check_in_point: 'main-gate', client_uuid: randomUUID() } };
    expect(answered(await ask('POST', '/events/practice/scan', scan))).toBe('sandbox_full');
    // A refusal of the work would be stored for its Idempotency-Key; here not even that is written.
    expect(answered(await ask('POST', '/events/no-such/days', { body: { date: '2027-01-01' } }))).toBe('sandbox_full');
    expect([await count('events'), await count('audit_log'), await count('idempotency')]).toEqual(before);
    expect((await ask('GET', '/events/practice')).status).toBe(200);
  });

  test('a refused call can be repeated with its Idempotency-Key after the sandbox has started over', async () => {
    const options = { body: { name: 'A try' }, idempotencyKey: 'again-after-refresh' };
    await fill(SANDBOX_LIMITS.bytes);
    expect(answered(await ask('POST', '/events', options))).toBe('sandbox_full');
    await refreshSandbox(t.pool, t.clock);
    expect(await usage()).toBe(0);
    expect(answered(await ask('POST', '/events', options))).toBe(201);
  });

  test('no other organization is counted or refused', async () => {
    const other = await t.org('acme');
    const { secret: key } = await t.key('acme');
    await fill(SANDBOX_LIMITS.bytes);
    expect((await t.call('POST', '/v1/events', { key, body: { name: 'Ours' } })).status).toBe(201);
    const rows = await t.system((tx) => tx.all(sql`select 1 from sandbox_usage where org_id = ${other}`));
    expect(rows).toEqual([]);
  });
});

describe('what is counted', () => {
  test('is everything that calls write, also if they are done at the same time', async () => {
    // Two events have two clocks, so nothing but the row in `sandbox_usage` puts these calls in order.
    const rename = (event: string) => ask('PATCH', `/events/${event}/days/day1`, { body: { name: randomUUID() } });
    expect(answered(await rename('practice'))).toBe(200);
    const cost = await usage();
    expect(cost).toBeGreaterThan(500);
    await fill(SANDBOX_LIMITS.bytes - Math.round(1.5 * cost));
    const both = await transaction(t.pool, t.clock, { role: 'app', org }, async (tx) => {
      await tx.run(sql`select 1 from sandbox_usage where org_id = ${org} for update`);
      const sent = [rename('practice'), rename('practice-open')];
      await untilWaitingForLock(t.database, 2);
      return sent;
    });
    expect((await Promise.all(both)).map(answered).sort()).toEqual([200, 'sandbox_full']);
  });

  test('the control: if the row is read without the lock, writes are lost', async () => {
    await fill(0);
    let looked = 0;
    const work = async (tx: Tx) => {
      const { bytes } = await tx.one<{ bytes: number }>(sql`select bytes from sandbox_usage where org_id = ${org}`);
      looked += 1;
      await vi.waitFor(() => expect(looked).toBe(5), { timeout: 10_000 });
      await tx.run(sql`update sandbox_usage set bytes = ${bytes + 100} where org_id = ${org}`);
    };
    // One organization cannot have five writes at once in a pool of this size, but lookups need no place.
    const add = () => transaction(t.pool, t.clock, { role: 'app', org }, work, { kind: 'lookup' });
    await Promise.all(Array.from({ length: 5 }, add));
    expect(await usage()).toBeLessThan(500);
  });
});

describe('imports', () => {
  const csv = (rows: number) =>
    `First name,Last name,Type,Day\n${Array.from({ length: rows }, (_, i) => `Ada${i},Abara,adult,day1`).join('\n')}\n`;
  const send = (rows: number) => ask('POST', '/events/practice/imports', { body: { csv: csv(rows) } });

  test('take at most 1,000 rows from one file', async () => {
    const { status, body } = await send(1_001);
    expect([status, body.error.details[0].message]).toEqual([
      400,
      'has more than 1,000 rows: the sandbox takes no more in one file',
    ]);
  });

  test('a job that fills the sandbox fails and says why', async () => {
    const started = await send(900);
    expect(started.status).toBe(202);
    SANDBOX_LIMITS.people = (await count('attendees')) + 10;
    await t.step.jobs();
    const { body } = await ask('GET', `/jobs/${started.body.id}`);
    expect([body.status, body.error]).toEqual(['failed', expect.stringMatching(/^The sandbox has room for /)]);
    expect(await count('attendees')).toBeLessThanOrEqual(SANDBOX_LIMITS.people);
  });

  test('no more than 5 jobs wait or run', async () => {
    const replies = [];
    for (let i = 0; i < 5; i += 1) replies.push(await send(501));
    // One of the examples waits, too.
    expect(replies.map(answered)).toEqual([202, 202, 202, 202, 'too_many_jobs']);
    // They would take the room of another test's import.
    await refreshSandbox(t.pool, t.clock);
  });
});

test('the platform import of the sandbox calls nobody', async () => {
  const manager = await Organizer.of(t, SANDBOX_CODE);
  const open = vi.spyOn(t.outside.platforms, 'open');
  const refused = await manager.app('POST', '/platform-connections', { platform: 'eventbrite', token: 'a-token' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
  expect(refused.body.error.message).toMatch(/The sandbox asks no other platform/);
  expect(open).not.toHaveBeenCalled();
});

test('a refresh also deletes what calls have left behind', async () => {
  await createEvent();
  const kept = ['audit_log', 'idempotency'];
  for (const table of kept) expect(await count(table), table).toBeGreaterThan(0);
  await refreshSandbox(t.pool, t.clock);
  for (const table of kept) expect(await count(table), table).toBe(0);
});

describe('a start without the sandbox', () => {
  test('empties the one of an earlier start and revokes its key; a start with it opens it again', async () => {
    const { sandbox } = await t.welcomeLinks();
    const token = new URL(sandbox!, t.url).hash.slice(1);
    const entered = await t.call('POST', '/app/api/-/sign-in/sandbox', { body: { token } });
    expect(entered.status).toBe(200);
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
    const said: string[] = [];
    const start = (sandbox: string) =>
      startTest({
        database: t.database,
        clock: t.clock,
        env: { SANDBOX: sandbox },
        progress: (line) => said.push(line),
      });
    const off = await start('off');
    expect(said).toContain('the sandbox of an earlier start was emptied and its key revoked');
    expect(answered(await off.call('GET', '/v1/me', { key: PUBLIC_TEST_KEY }))).toBe('api_key_revoked');
    expect((await off.call('GET', '/o/sandbox/lakeside-fair')).status).toBe(404);
    expect(await count('events')).toBe(0);
    expect((await off.call('GET', '/app/api/-/account', { headers: { cookie } })).status).toBe(401);
    await off.stop();

    said.length = 0;
    const again = await start('off');
    expect(said.filter((line) => line.includes('sandbox'))).toEqual([]);
    await again.stop();

    const on = await start('on');
    expect((await on.call('GET', '/v1/events/lakeside-fair', { key: PUBLIC_TEST_KEY })).status).toBe(200);
    await on.stop();
  });
});
