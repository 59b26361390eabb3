import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recording } from '../../../../test/support/statements.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await t.org('bravo');
});
afterAll(() => t.stop());

const post = async (path: string, body: unknown, by = key) => {
  const reply = await t.call('POST', `/v1${path}`, { key: by, body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const get = async (path: string, by = key) => (await t.call('GET', `/v1${path}`, { key: by })).body;
const template = (event: string) => get(`/events/${event}/template`);
const importing = (body: unknown, by = key) => t.call('POST', '/v1/event-templates/imports', { key: by, body });

/** A fair on the last weekend of October: clocks go back during its second night. */
async function aFair(code: string): Promise<void> {
  await post('/events', {
    code,
    name: 'Autumn Fair',
    timezone: 'Europe/Berlin',
    group: 'clubs',
    starts_at: '2026-10-24T07:00:00Z',
    ends_at: '2026-10-25T17:00:00Z',
    venue: 'Boathouse',
    capacity: 500,
    ticketing: 'per_day',
    language: 'de',
    terms: 'No refunds.',
    registration: {
      opens_at: '2026-06-30T22:00:00Z',
      closes_at: '2026-10-24T06:00:00Z',
      waitlist: true,
      max_people: 6,
    },
  });
  const inEvent = (path: string, body: unknown) => post(`/events/${code}/${path}`, body);
  await inEvent('days', { code: 'sun', name: 'Sunday', date: '2026-10-25', opens_at: '2026-10-25T08:00:00Z' });
  await inEvent('days', { date: '2026-10-24', opens_at: '2026-10-24T07:00:00Z', capacity: 300 });
  await inEvent('attendee-types', { code: 'child', name: 'Child', days: ['sun'], price_minor: 500 });
  await inEvent('attendee-types', {
    code: 'adult',
    name: 'Adult',
    days: ['2026-10-24', 'sun'],
    pass_days: 1,
    approval: true,
  });
  await inEvent('questions', {
    code: 'shirt',
    label: 'Size?',
    kind: 'choice',
    options: ['S', 'M'],
    attendee_types: ['adult'],
  });
  await inEvent('questions', { code: 'diet', label: 'Diet?', kind: 'text', required: true });
  await inEvent('check-in-points', { code: 'out', name: 'Way out', kind: 'exit' });
  await inEvent('check-in-points', {
    code: 'vip',
    name: 'Lounge',
    kind: 'zone',
    policy: { groups: ['clubs'], attendee_types: ['adult'], capacity: 40, requires: 'entry' },
  });
  await inEvent('check-in-points', {
    code: 'gate',
    name: 'Gate',
    kind: 'entry',
    policy: { days: ['2026-10-24'], opens_minutes_before: 30, limit: 'once_until_exit', cooldown_seconds: 5 },
  });
  const left = await t.call('PATCH', `/v1/events/${code}/check-in-points/out`, {
    key,
    body: { policy: { leaves: 'vip' } },
  });
  expect(left.status).toBe(200);
}

beforeAll(async () => {
  await post('/groups', { code: 'clubs', name: 'Clubs' });
  await post('/groups', { code: 'rowing', name: 'Rowing', parent: 'clubs' });
  await aFair('fair');
});

describe('a template', () => {
  test('contains the whole structure, with references by code, and no people', async () => {
    const { event, days, attendee_types, products, quotas, questions, check_in_points, ...head } =
      await template('fair');
    expect(head).toEqual({ kind: 'turnout.event-template', version: 1 });
    expect(event).toMatchObject({ name: 'Autumn Fair', group: 'clubs', capacity: 500, terms: 'No refunds.' });
    expect(event.registration).toMatchObject({ waitlist: true, max_people: 6, closes_at: '2026-10-24T06:00:00Z' });
    expect(days).toEqual([
      {
        code: '2026-10-24',
        name: null,
        date: '2026-10-24',
        opens_at: '2026-10-24T07:00:00Z',
        closes_at: null,
        capacity: 300,
      },
      {
        code: 'sun',
        name: 'Sunday',
        date: '2026-10-25',
        opens_at: '2026-10-25T08:00:00Z',
        closes_at: null,
        capacity: null,
      },
    ]);
    const codes = (parts: { code: string }[]) => parts.map((part) => part.code);
    expect(codes(attendee_types)).toEqual(['child', 'adult']);
    expect(codes(questions)).toEqual(['shirt', 'diet']);
    expect(codes(check_in_points)).toEqual(['vip', 'gate', 'out']); // the zone before its exit
  });

  test('makes the same event again: the template of the copy is equal', async () => {
    const original = await template('fair');
    original.event.name = 'Winter Fair';
    const job = await importing({ template: original });
    expect(job.status).toBe(201);
    expect(job.body).toMatchObject({
      kind: 'event_template',
      status: 'succeeded',
      group: 'clubs',
      progress: { done: 10, total: 10 },
      counts: { events: 1, days: 2, attendee_types: 2, questions: 2, check_in_points: 3 },
      result_url: null,
    });
    expect(await get(`/jobs/${job.body.id}`)).toEqual(job.body);
    const made = await get(`/events/${job.body.event_id}`);
    expect(made).toMatchObject({ code: 'winter-fair', status: 'draft', test: false });
    expect(await template(made.code)).toEqual(original);
  });

  test('makes an event that can be published, with an audit entry for each part', async () => {
    const job = (await importing({ template: await template('fair') })).body;
    const published = await t.call('POST', `/v1/events/${job.event_id}/publish`, { key });
    expect(published.body.status).toBe('published');
    const log = await get(`/audit-log?event=${job.event_id}&action=event_template.imported`);
    const kinds = log.data.map((row: { object: { kind: string } }) => row.object.kind).sort();
    expect(kinds).toEqual([
      ...['attendee_type', 'attendee_type', 'check_in_point', 'check_in_point', 'check_in_point'],
      ...['day', 'day', 'event', 'job', 'question', 'question'],
    ]);
  });
});

describe('a new first day', () => {
  const on = async (event: object) => {
    const job = await importing({ template: await template('fair'), event });
    expect(job.status, job.text).toBe(201);
    return template(job.body.event_id);
  };

  test('moves every date with it, and keeps local times', async () => {
    const { event, days, attendee_types, check_in_points } = await on({ first_day: '2027-07-10', name: 'Summer Fair' });
    expect(event).toMatchObject({
      name: 'Summer Fair',
      starts_at: '2027-07-10T07:00:00Z', // 9:00 in summer time, as before
      ends_at: '2027-07-11T16:00:00Z', // 18:00, which was in winter time before
    });
    // Local midnight 115 days before, and 8:00 on the first day.
    expect(event.registration).toMatchObject({ opens_at: '2027-03-16T23:00:00Z', closes_at: '2027-07-10T06:00:00Z' });
    expect(days).toMatchObject([
      { code: '2027-07-10', name: null, date: '2027-07-10', opens_at: '2027-07-10T07:00:00Z' },
      { code: 'sun', name: 'Sunday', date: '2027-07-11', opens_at: '2027-07-11T07:00:00Z' }, // 9:00
    ]);
    // A day whose code was its date has the new date as its code, wherever it is named.
    expect(attendee_types[1].days).toEqual(['2027-07-10', 'sun']);
    expect(check_in_points[1].policy.days).toEqual(['2027-07-10']);
  });

  test('in another time zone opens at the same local time there', async () => {
    const { event, days } = await on({ first_day: '2026-10-24', timezone: 'America/New_York' });
    expect(event).toMatchObject({ timezone: 'America/New_York', starts_at: '2026-10-24T13:00:00Z' });
    expect(days[1].opens_at).toBe('2026-10-25T13:00:00Z');
  });

  test('moved there and back gives the template as it was', async () => {
    const original = await template('fair');
    const away = (await importing({ template: original, event: { first_day: '2027-03-28' } })).body.event_id;
    const back = await importing({ template: await template(away), event: { first_day: '2026-10-24' } });
    expect(await template(back.body.event_id)).toEqual(original);
  });

  test('that makes a time fall where clocks jump moves that time by as much as they jump', async () => {
    const original = await template('fair');
    original.event.starts_at = '2026-10-24T00:30:00Z'; // 2:30
    const job = await importing({ template: original, event: { first_day: '2027-03-28' } });
    expect((await get(`/events/${job.body.event_id}`)).starts_at).toBe('2027-03-28T01:30:00Z'); // 3:30
  });

  test('of a template without days is the day on which the event starts', async () => {
    const original = { ...(await template('fair')), days: [], attendee_types: [], check_in_points: [], questions: [] };
    const job = await importing({ template: original, event: { first_day: '2027-01-02' } });
    expect((await get(`/events/${job.body.event_id}`)).starts_at).toBe('2027-01-02T08:00:00Z');
  });
});

describe('400 validation_failed names every fault at once', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the tests make it invalid
  const faults = async (change: (template: any) => void, event: object = {}) => {
    const changed = await template('fair');
    change(changed);
    const reply = await importing({ template: changed, event });
    expect([reply.status, reply.body.error?.code], reply.text).toEqual([400, 'validation_failed']);
    return Object.fromEntries(
      reply.body.error.details.map((one: { path: string; message: string }) => [one.path, one.message]),
    );
  };

  test('of the format: another version, unknown parts, missing fields', async () => {
    const found = await faults((given) => {
      given.version = 2;
      given.sponsors = [];
      given.days[0].weather = 'fine';
      delete given.questions[1].label;
    });
    expect(Object.keys(found).sort()).toEqual([
      'template/days/0/weather',
      'template/questions/1/label',
      'template/sponsors',
      'template/version',
    ]);
    expect(found['template/version']).toContain('1');
  });

  test('of the content: order of times, references, codes used twice, unknown groups', async () => {
    const found = await faults(
      (given) => {
        given.event.ends_at = '2026-10-01T00:00:00Z';
        given.days[0].closes_at = '2026-10-24T06:00:00Z';
        given.days.push({ ...given.days[1], code: 'SUN' });
        given.attendee_types[0].days = ['sun', 'mon'];
        given.attendee_types[1].pass_days = 3;
        given.questions[0].options = null;
        given.questions[1].attendee_types = ['adult', 'vip'];
        given.check_in_points[0].policy.groups = ['clubs', 'pirates'];
        given.check_in_points[1].policy.capacity = 3;
        given.check_in_points[2].policy.leaves = 'gate';
      },
      { group: 'nowhere' },
    );
    expect(found).toEqual({
      'event/group': expect.stringContaining('nowhere'),
      'template/event/ends_at': expect.any(String),
      'template/days/0/closes_at': expect.any(String),
      'template/days/2/code': expect.stringContaining('SUN'),
      'template/attendee_types/0/days/1': expect.stringContaining('mon'),
      'template/attendee_types/1/pass_days': expect.any(String),
      'template/questions/0/options': expect.any(String),
      'template/questions/1/attendee_types/1': expect.stringContaining('vip'),
      'template/check_in_points/0/policy/groups/1': expect.stringContaining('pirates'),
      'template/check_in_points/1/policy/capacity': expect.any(String),
      'template/check_in_points/2/policy/leaves': expect.stringContaining('gate'),
    });
  });

  test('of the format, the content and the new event together', async () => {
    const found = await faults(
      (given) => {
        given.sponsors = [];
        given.event.capacity = 'many';
        given.event.ends_at = '2026-10-01T00:00:00Z';
        given.days[0].closes_at = '2026-10-24T06:00:00Z';
        given.days[1].weather = 'fine';
        given.attendee_types[0].name = 5;
        given.attendee_types[1].days = ['sun', 'mon'];
        given.questions[0].options = null;
        delete given.questions[0].label;
        given.check_in_points[0].policy.groups = ['clubs', 'pirates', 7];
        given.check_in_points[1].policy.capacity = 3;
      },
      { name: '', group: 'nowhere' },
    );
    expect(found).toEqual({
      'template/sponsors': expect.any(String),
      'template/event/capacity': expect.any(String),
      'template/event/ends_at': 'must not be before starts_at',
      'template/days/0/closes_at': 'must be after opens_at',
      'template/days/1/weather': expect.any(String),
      'template/attendee_types/0/name': 'must be a string',
      'template/attendee_types/1/days/1': 'no such day: mon',
      'template/questions/0/options': expect.stringContaining('must be given'),
      'template/questions/0/label': 'is required',
      'template/check_in_points/0/policy/groups/1': 'no such group: pirates',
      'template/check_in_points/0/policy/groups/2': 'must be a string',
      'template/check_in_points/1/policy/capacity': 'is only for zones',
      'event/name': 'must not be empty',
      'event/group': 'no such group: nowhere',
    });
  });

  test('but says nothing about what depends on a part that is wrong itself', async () => {
    const found = await faults((given) => {
      given.event.starts_at = 'soon';
      given.event.ends_at = '1999-01-01T00:00:00Z';
      given.days[0].code = '';
      given.days[1].opens_at = 5;
      given.days[1].closes_at = '1999-01-01T00:00:00Z';
      given.attendee_types[0].days = ['sat'];
      given.questions[0].kind = 'riddle';
      given.questions[0].options = null;
      given.check_in_points[1].kind = 'hall';
      given.check_in_points[1].policy.capacity = 5;
    });
    expect(Object.keys(found).sort()).toEqual([
      'template/check_in_points/1/kind',
      'template/days/0/code',
      'template/days/1/opens_at',
      'template/event/starts_at',
      'template/questions/0/kind',
    ]);
  });

  test('of a template that is wrong itself and cannot be moved', async () => {
    const found = await faults(
      (given) => {
        given.check_in_points[2].policy.leaves = 'nowhere';
      },
      { first_day: '9999-12-31', group: 'nowhere' },
    );
    expect(Object.keys(found).sort()).toEqual([
      'event/first_day',
      'event/group',
      'template/check_in_points/2/policy/leaves',
    ]);
  });

  test('up to a hundred, and says that there are more', async () => {
    const original = await template('fair');
    const [point] = original.check_in_points;
    const days = Array.from({ length: 366 }, (_, i) => `x${i % 10}`);
    const check_in_points = Array.from({ length: 400 }, (_, i) => ({
      ...point,
      code: `p${i}`,
      policy: { ...point.policy, days },
    }));
    const refused = await importing({ template: { ...original, check_in_points } });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.error.details).toHaveLength(100);
    expect(refused.body.error.message).toMatch(/more faults than the 100/);
  });

  test('of a first day that moves another date out of the accepted years', async () => {
    const found = await faults(() => {}, { first_day: '9999-12-31' });
    expect(Object.keys(found)).toEqual(['event/first_day']);
  });

  test('and makes nothing', async () => {
    const before = await get('/events?limit=200');
    await faults((given) => {
      given.check_in_points[2].policy.leaves = 'nowhere';
    });
    expect(await get('/events?limit=200')).toEqual(before);
  });
});

describe('making an event', () => {
  test('409 code_taken', async () => {
    const taken = await importing({ template: await template('fair'), event: { code: 'FAIR' } });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'code_taken']);
  });

  test('works in another organization, if it names a group there', async () => {
    const { secret: theirs } = await t.key('bravo');
    const original = await template('fair');
    const unknown = await importing({ template: original }, theirs);
    const paths = unknown.body.error.details.map((one: { path: string }) => one.path);
    expect(paths).toEqual(['template/event/group', 'template/check_in_points/0/policy/groups/0']);
    original.check_in_points[0].policy.groups = null;
    const job = await importing({ template: original, event: { group: null } }, theirs);
    expect(job.status).toBe(201);
    expect((await get(`/events/${job.body.event_id}`, theirs)).group).toBe(null);
  });

  test('by a key limited to a group gives an event of that group, and the key sees the job', async () => {
    const { secret: rowing } = await t.key('acme', { group: 'rowing' });
    const wide = { ...(await template('fair')), event: { ...(await template('fair')).event, group: null } };
    const job = await importing({ template: wide }, rowing);
    expect(job.body.group).toBe('rowing');
    expect((await get(`/events/${job.body.event_id}`, rowing)).group).toBe('rowing');
    expect((await get(`/jobs/${job.body.id}`, rowing)).id).toBe(job.body.id);
    const above = await importing({ template: wide, event: { group: 'clubs' } }, rowing);
    expect(above.body.error.details[0].path).toBe('event/group');
  });

  test('by a test key gives a test event', async () => {
    const { secret: testKey } = await t.key('acme', { mode: 'test' });
    const job = await importing({ template: await template('fair') }, testKey);
    expect(job.body.test).toBe(true);
    expect((await get(`/events/${job.body.event_id}`)).test).toBe(true);
    const live = await importing({ template: await template('fair'), event: { test: false } }, testKey);
    expect(live.body.error.details[0].path).toBe('event/test');
  });
});

test('needs as many statements as it has parts, however often they refer to each other', async () => {
  const DAYS = 60;
  const days = Array.from({ length: DAYS }, (_, i) => ({ code: `d${i}`, date: new Date(Date.UTC(2099, 0, 1 + i)) }));
  await post('/events', { code: 'month', name: 'Month' });
  for (const { code, date } of days) await post('/events/month/days', { code, date: date.toISOString().slice(0, 10) });
  await post('/events/month/attendee-types', { code: 'adult', name: 'Adult', days: days.map(({ code }) => code) });
  const whole = await template('month');
  const statements = async (code: string, referred: number): Promise<number> => {
    const [adult] = whole.attendee_types;
    const body = {
      template: { ...whole, attendee_types: [{ ...adult, days: adult.days.slice(0, referred) }] },
      event: { code },
    };
    const sent = await recording(async () => expect((await importing(body)).status).toBe(201));
    return sent.filter(({ text }) => /\b(from|into) (days|attendee_types)\b/.test(text)).length;
  };
  expect(await statements('all-days', DAYS)).toBe(await statements('one-day', 1));
});
