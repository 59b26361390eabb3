import { EVENT_STATUSES, MAX_PARTS } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MOVES, type Move } from './events.ts';
import { zonedMidnight } from './zone.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '100000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const get = (path: string) => t.call('GET', `/v1${path}`, { key });
const post = (path: string, body?: unknown) => t.call('POST', `/v1${path}`, { key, body });
const patch = (path: string, body: unknown) => t.call('PATCH', `/v1${path}`, { key, body });
const remove = (path: string) => t.call('DELETE', `/v1${path}`, { key });
async function made(code: string, body: object = {}) {
  const event = await post('/events', { code, name: code, ...body });
  expect(event.status).toBe(201);
  return event.body;
}
async function publishable(code: string) {
  await made(code);
  await post(`/events/${code}/days`, { code: 'd1', date: '2026-12-01' });
  await post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
}

describe('an event', () => {
  // claim: organization-runs-events
  test('is created with sensible defaults', async () => {
    expect(await made('plain')).toMatchObject({
      status: 'draft',
      test: false,
      group: null,
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      ticketing: 'per_person',
      capacity: null,
      registration: {
        opens_at: null,
        closes_at: null,
        approval: false,
        waitlist: false,
        max_people: null,
        unique_email: false,
        payment_hours: 72,
      },
    });
  });

  test('changes only the fields that are sent; null clears a field', async () => {
    await made('changing', { venue: 'Hall', capacity: 10, registration: { approval: true } });
    const after = await patch('/events/changing', { venue: null, registration: { waitlist: true } });
    expect(after.body).toMatchObject({ venue: null, capacity: 10, registration: { approval: true, waitlist: true } });
    expect((await patch('/events/changing', {})).body.error.details[0].message).toBe('must have at least 1 field');
    expect((await patch('/events/changing', { test: true })).status).toBe(400);
    expect(
      (await patch('/events/changing', { starts_at: '2026-12-02T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' })).status,
    ).toBe(400);
  });

  test('keeps codes unique ignoring case, also when both are made at once', async () => {
    const replies = await Promise.all(['twin', 'TWIN', 'Twin'].map((code) => post('/events', { code, name: code })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
    const named = await Promise.all(Array.from({ length: 4 }, () => post('/events', { name: 'Same name' })));
    expect(named.map((reply) => reply.body.code).sort()).toEqual([
      'same-name',
      'same-name-2',
      'same-name-3',
      'same-name-4',
    ]);
  });

  test('is found by words of its name or code, without case and accents, page by page', async () => {
    await made('lake-2031', { name: 'Sommerfest am Zürichsee' });
    await made('lake-2032', { name: 'Østerbro SOMMERFEST (Ökofest)' });
    await made('other-2031', { name: 'Winterfest' });
    const found = async (search: string, more = '') =>
      (await get(`/events?search=${encodeURIComponent(search)}${more}`)).body.data.map(
        (one: { code: string }) => one.code,
      );
    expect(await found('sommer')).toEqual(['lake-2031', 'lake-2032']);
    expect(await found('ZURICH sommerfest')).toEqual(['lake-2031']);
    expect(await found('oko OSTER')).toEqual(['lake-2032']);
    expect(await found('2031')).toEqual(['lake-2031', 'other-2031']);
    expect(await found('lake-2032')).toEqual(['lake-2032']);
    expect(await found('sommer', '&order=newest')).toEqual(['lake-2032', 'lake-2031']);
    // In the middle of a word, signs that mean something to a pattern, and nothing but signs.
    for (const nothing of ['fest', '%', 's_mmer', '.*', '---']) expect(await found(nothing)).toEqual([]);
    const first = (await get('/events?search=sommer&limit=1')).body;
    expect(await found('sommer', `&limit=1&cursor=${first.page.next_cursor}`)).toEqual(['lake-2032']);
    expect((await get(`/events?search=winter&cursor=${first.page.next_cursor}`)).status).toBe(400);
  });

  test('a code that looks like an id is refused', async () => {
    expect((await post('/events', { name: 'x', code: '01JCQ8Z7M4T3V9R1X5K2N6P8DA' })).body.error.details[0].path).toBe(
      'code',
    );
  });
});

test('whoever is limited to a group is told what they may not change, though they may read it', async () => {
  await made('whole');
  await post('/groups', { code: 'limited', name: 'Limited' });
  const { secret } = await t.key('acme', { group: 'limited' });
  expect((await t.call('GET', '/v1/events/whole', { key: secret })).status).toBe(200);
  const refusals = [
    await t.call('PATCH', '/v1/events/whole', { key: secret, body: { name: 'Mine' } }),
    await t.call('PATCH', '/v1/events/nowhere', { key: secret, body: { name: 'Mine' } }),
    await t.call('GET', '/v1/events/nowhere', { key: secret }),
    await get('/events/nowhere'),
  ];
  expect(refusals.map(({ status, body }) => [status, body.error.message])).toEqual([
    [404, 'There is no such event that this key may change.'],
    [404, 'There is no such event that this key may change.'],
    [404, 'There is no such event that this key may read.'],
    [404, 'There is no such event in this organization.'],
  ]);
});

describe('the status of an event', () => {
  test('publishing needs a day and an attendee type', async () => {
    await made('bare');
    const reply = await post('/events/bare/publish');
    expect([reply.status, reply.body.error.message]).toEqual([
      409,
      'The event needs a day and an attendee type before it can be published.',
    ]);
  });

  const ways: Record<(typeof EVENT_STATUSES)[number], Move[]> = {
    draft: [],
    published: ['publish'],
    closed: ['publish', 'close'],
    archived: ['archive'],
  };
  for (const status of EVENT_STATUSES) {
    for (const move of Object.keys(MOVES) as Move[]) {
      const allowed = (MOVES[move].from as readonly string[]).includes(status);
      test(`${status} → ${move}: ${allowed ? MOVES[move].to : '409'}`, async () => {
        const code = `life-${status}-${move}`;
        await publishable(code);
        for (const step of ways[status]) expect((await post(`/events/${code}/${step}`)).status).toBe(200);
        const reply = await post(`/events/${code}/${move}`);
        if (allowed) expect(reply.body.status).toBe(MOVES[move].to);
        else {
          expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
          expect(reply.body.error.message).toContain(`The event is ${status}`);
        }
      });
    }
  }

  test('an archived event cannot be changed', async () => {
    await publishable('kept');
    await post('/events/kept/archive');
    for (const reply of [
      await patch('/events/kept', { name: 'x' }),
      await post('/events/kept/days', { date: '2026-12-02' }),
      await patch('/events/kept/attendee-types/adult', { name: 'x' }),
      await remove('/events/kept/days/d1'),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
    }
    expect((await get('/events/kept/days/d1')).status).toBe(200);
  });

  test('only a draft or an archived event can be deleted', async () => {
    await publishable('gone');
    await post('/events/gone/publish');
    expect((await remove('/events/gone')).status).toBe(409);
    await post('/events/gone/archive');
    expect((await remove('/events/gone')).status).toBe(204);
    expect((await get('/events/gone')).status).toBe(404);
  });
});

describe('a day', () => {
  test('opens and closes at local midnight unless set, also where clocks change', async () => {
    await made('days');
    const winter = await post('/events/days/days', { date: '2026-12-01' });
    expect(winter.body).toMatchObject({
      code: '2026-12-01',
      name: '2026-12-01',
      opens_at: '2026-11-30T23:00:00Z',
      closes_at: '2026-12-01T23:00:00Z',
    });
    // Clocks go back on this day, so it has 25 hours.
    const long = await post('/events/days/days', { code: 'long', date: '2026-10-25' });
    expect(long.body).toMatchObject({ opens_at: '2026-10-24T22:00:00Z', closes_at: '2026-10-25T23:00:00Z' });
    const set = await patch('/events/days/days/long', { opens_at: '2026-10-25T08:00:00+01:00' });
    expect(set.body.opens_at).toBe('2026-10-25T07:00:00Z');
    expect((await patch('/events/days/days/long', { opens_at: null })).body.opens_at).toBe('2026-10-24T22:00:00Z');
    expect(
      (await patch('/events/days/days/long', { closes_at: '2026-10-24T00:00:00Z' })).body.error.details[0].path,
    ).toBe('closes_at');
  });

  test('begins correctly where midnight does not exist or exists twice', () => {
    expect(zonedMidnight('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00Z');
    expect(zonedMidnight('2026-01-01', 'Pacific/Kiritimati')).toBe('2025-12-31T10:00:00Z');
    expect(zonedMidnight('2026-01-01', 'America/St_Johns')).toBe('2026-01-01T03:30:00Z');
    // In Havana clocks jump from 00:00 to 01:00, so the day begins at 01:00 local time.
    expect(zonedMidnight('2026-03-08', 'America/Havana')).toBe('2026-03-08T05:00:00Z');
  });

  test('locks from an instant on, and unlocks', async () => {
    await made('locks');
    await post('/events/locks/days', { code: 'd1', date: '2026-12-01' });
    const now = await post('/events/locks/days/d1/lock', {});
    expect(Math.abs(Date.parse(now.body.locked_at) - t.clock.now().getTime())).toBeLessThan(5000);
    expect((await post('/events/locks/days/d1/lock', { at: '2026-12-01T18:00:00+01:00' })).body.locked_at).toBe(
      '2026-12-01T17:00:00Z',
    );
    expect((await post('/events/locks/days/d1/unlock')).body.locked_at).toBeNull();
    expect((await post('/events/locks/days/d1/unlock')).status).toBe(409);
  });

  test('to which a type or point is limited cannot be deleted', async () => {
    await made('used');
    await post('/events/used/days', { code: 'd1', date: '2026-12-01' });
    await post('/events/used/attendee-types', { code: 'adult', name: 'Adult', days: ['D1'] });
    await post('/events/used/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry', policy: { days: ['d1'] } });
    const reply = await remove('/events/used/days/d1');
    expect(reply.body.error.message).toBe(
      'The day d1 cannot be deleted: the attendee type adult is limited to it; the check-in point gate is limited to it.',
    );
    await patch('/events/used/attendee-types/adult', { days: null });
    await patch('/events/used/check-in-points/gate', { policy: { days: null } });
    expect((await remove('/events/used/days/d1')).status).toBe(204);
  });
});

describe('attendee types and questions', () => {
  beforeAll(async () => {
    await made('parts');
    for (const code of ['d1', 'd2', 'd3']) await post('/events/parts/days', { code, date: `2026-12-0${code[1]}` });
  });

  test('a pass cannot be good for more days than the type has', async () => {
    expect(
      (await post('/events/parts/attendee-types', { name: 'P', pass_days: 3, days: ['d1', 'd2'] })).body.error
        .details[0].path,
    ).toBe('pass_days');
    const pass = await post('/events/parts/attendee-types', {
      code: 'pass',
      name: 'Pass',
      pass_days: 2,
      price_minor: 3000,
    });
    expect(pass.body).toMatchObject({ pass_days: 2, days: null, price_minor: 3000, visible: true, approval: false });
    expect((await patch('/events/parts/attendee-types/pass', { days: ['d1'] })).status).toBe(400);
  });

  test('every unknown day is named', async () => {
    const reply = await post('/events/parts/attendee-types', { name: 'X', days: ['d1', 'nope', 'never'] });
    expect(reply.body.error.details.map((fault: { path: string }) => fault.path)).toEqual(['days/1', 'days/2']);
  });

  test('choices need options, and other kinds must have none', async () => {
    expect((await post('/events/parts/questions', { label: 'Q', kind: 'choice' })).body.error.details[0].path).toBe(
      'options',
    );
    expect((await post('/events/parts/questions', { label: 'Q', kind: 'text', options: ['a'] })).status).toBe(400);
    await post('/events/parts/attendee-types', { code: 'eater', name: 'Eater' });
    const made = await post('/events/parts/questions', {
      code: 'diet',
      label: 'Diet?',
      kind: 'choice',
      options: ['a', 'b'],
      attendee_types: ['eater'],
    });
    expect(made.body).toMatchObject({
      kind: 'choice',
      options: ['a', 'b'],
      attendee_types: ['eater'],
      required: false,
    });
    expect((await patch('/events/parts/questions/diet', { kind: 'text' })).body).toMatchObject({
      kind: 'text',
      options: null,
    });
    expect((await remove('/events/parts/attendee-types/eater')).body.error.message).toContain(
      'the question diet is limited to it',
    );
    expect((await remove('/events/parts/questions/diet')).status).toBe(204);
    expect((await remove('/events/parts/attendee-types/eater')).status).toBe(204);
  });
});

describe('a check-in point', () => {
  beforeAll(async () => {
    await made('gates');
    await post('/events/gates/days', { code: 'd1', date: '2026-12-01' });
    await post('/events/gates/attendee-types', { code: 'vip', name: 'VIP' });
    await post('/groups', { code: 'crew', name: 'Crew' });
    await post('/events/gates/check-in-points', { code: 'main', name: 'Main', kind: 'entry' });
    await post('/events/gates/check-in-points', { code: 'zone', name: 'Zone', kind: 'zone' });
  });

  test('has the defaults of its kind', async () => {
    const entry = await post('/events/gates/check-in-points', { name: 'An entry', kind: 'entry' });
    expect(entry.body.policy).toEqual({
      attendee_types: null,
      groups: null,
      days: null,
      products: null,
      opens_minutes_before: 0,
      closes_minutes_after: 0,
      limit: 'once_per_day',
      cooldown_seconds: 0,
      requires: null,
      capacity: null,
      leaves: null,
    });
    expect((await post('/events/gates/check-in-points', { name: 'A zone', kind: 'zone' })).body.policy.limit).toBe(
      'unlimited',
    );
  });

  // claim: code-or-id
  test('takes references by code and shows codes', async () => {
    const made = await post('/events/gates/check-in-points', {
      code: 'lounge',
      name: 'Lounge',
      kind: 'zone',
      policy: {
        attendee_types: ['VIP'],
        groups: ['crew'],
        days: ['D1'],
        capacity: 40,
        requires: 'entry',
        cooldown_seconds: 30,
      },
    });
    expect(made.body.policy).toMatchObject({
      attendee_types: ['vip'],
      groups: ['crew'],
      days: ['d1'],
      capacity: 40,
      requires: 'entry',
      cooldown_seconds: 30,
    });
    const changed = await patch('/events/gates/check-in-points/lounge', { policy: { capacity: null } });
    expect(changed.body.policy).toMatchObject({ capacity: null, attendee_types: ['vip'], cooldown_seconds: 30 });
    expect((await t.call('DELETE', '/v1/groups/crew', { key })).body.error.message).toContain('1 check-in point.');
  });

  test('refuses fields that have no meaning at its kind', async () => {
    const reply = await post('/events/gates/check-in-points', {
      name: 'x',
      kind: 'entry',
      policy: { capacity: 5, leaves: 'zone' },
    });
    expect(reply.body.error.details.map((fault: { path: string }) => fault.path)).toEqual([
      'policy/capacity',
      'policy/leaves',
    ]);
  });

  test('a zone cannot be deleted while an exit leads out of it', async () => {
    await post('/events/gates/check-in-points', { code: 'annex', name: 'Annex', kind: 'zone' });
    expect(
      (await post('/events/gates/check-in-points', { name: 'out', kind: 'exit', policy: { leaves: 'main' } })).body
        .error.details[0].message,
    ).toBe('main is not a zone');
    expect(
      (
        await post('/events/gates/check-in-points', {
          code: 'out',
          name: 'Out',
          kind: 'exit',
          policy: { leaves: 'annex' },
        })
      ).body.policy.leaves,
    ).toBe('annex');
    expect((await remove('/events/gates/check-in-points/annex')).body.error.message).toContain(
      'the exit out leads out of it',
    );
    expect((await remove('/events/gates/check-in-points/out')).status).toBe(204);
    expect((await remove('/events/gates/check-in-points/annex')).status).toBe(204);
  });
});

describe('a test key', () => {
  // claim: test-mode
  test('creates test events and changes only those', async () => {
    const { secret } = await t.key('acme', { mode: 'test' });
    const event = await t.call('POST', '/v1/events', { key: secret, body: { code: 'tried', name: 'Tried' } });
    expect(event.body.test).toBe(true);
    expect((await t.call('POST', '/v1/events/tried/days', { key: secret, body: { date: '2026-12-01' } })).status).toBe(
      201,
    );
    await made('alive');
    const live = await t.call('POST', '/v1/events/alive/days', { key: secret, body: { date: '2026-12-01' } });
    expect([live.status, live.body.error.code]).toEqual([403, 'test_key_live_object']);
    expect((await t.call('GET', '/v1/events/alive', { key: secret })).status).toBe(200);
    expect((await t.call('POST', '/v1/events', { key: secret, body: { name: 'x', test: false } })).status).toBe(400);
    const only = await t.call('GET', '/v1/events?test=true', { key });
    expect(only.body.data.map((one: { code: string }) => one.code)).toEqual(['tried']);
  });
});

test('the audit log has every change with the changed fields', async () => {
  await made('audited', { capacity: 5 });
  await patch('/events/audited', { capacity: 9 });
  const log = await get('/audit-log?event=audited');
  expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual(['event.changed', 'event.created']);
  expect(log.body.data[0].changes).toEqual({ fields: { capacity: { before: 5, after: 9 } }, objects: [], details: {} });
  await post('/groups', { code: 'auditors', name: 'Auditors' });
  const { secret } = await t.key('acme', { group: 'auditors' });
  const own = await t.call('GET', '/v1/audit-log', { key: secret });
  expect(own.body.data.map((entry: { action: string }) => entry.action)).toEqual(['group.created']);
});

test('an event cannot have more parts than the limit, even if they are created at once', async () => {
  await made('crowded');
  const type = (i: number) => post('/events/crowded/attendee-types', { code: `t${i}`, name: 'Type' });
  // All but one, in small portions: on a slow machine, hundreds of calls at once would be answered with 503.
  const most = MAX_PARTS.attendee_type;
  for (let i = 0; i < most - 1; i += 20) {
    const portion = Array.from({ length: Math.min(20, most - 1 - i) }, (_, n) => type(i + n));
    expect(new Set((await Promise.all(portion)).map((reply) => reply.status))).toEqual(new Set([201]));
  }
  // Two calls at once for the last part that is allowed.
  const last = await Promise.all([type(1000), type(1001)]);
  expect(last.map((reply) => reply.status).sort()).toEqual([201, 409]);
  const refused = await type(1002);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
  expect(refused.body.error.message).toBe(
    'An event can have at most 200 attendee types. Delete one that is not needed first.',
  );
  expect((await get('/events/crowded/template')).body.attendee_types).toHaveLength(most);
});
