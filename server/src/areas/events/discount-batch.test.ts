import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
let coast: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { rpm: 1_000_000 })).secret;
  await post('/groups', { code: 'north', name: 'North' });
  await post('/groups', { code: 'coast', name: 'Coast', parent: 'north' });
  await post('/groups', { code: 'south', name: 'South' });
  coast = (await t.key('acme', { group: 'coast', rpm: 1_000_000 })).secret;
  await anEvent('fair');
});
afterAll(() => t.stop());

const call = (method: string, path: string, body?: object, as = key) =>
  t.call(method, `/v1${path}`, { key: as, ...(body && { body }) });
const post = async (path: string, body?: object, as = key) => {
  const reply = await call('POST', path, body, as);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
async function anEvent(code: string): Promise<void> {
  await post('/events', { code, name: code, group: 'north' });
  await post(`/events/${code}/days`, { code: 'sat', date: '2055-05-01' });
  await post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 2000 });
  await post(`/events/${code}/publish`);
}
const PRESS = { count: 3, prefix: 'PRESS-', name: 'Press', kind: 'percent', value: 100 };
const start = (body: object, as = key, event = 'fair') => call('POST', `/events/${event}/discounts/batches`, body, as);
/** Runs a job, and answers it with the lines of its file. */
async function run(started: Reply, as = key) {
  expect(started.status, started.text).toBe(202);
  await t.step.jobs();
  const job = (await call('GET', `/jobs/${started.body.id}`, undefined, as)).body;
  const { text } = await t.call('GET', new URL(job.result_url ?? t.url).pathname);
  const lines =
    job.result_url === null
      ? []
      : text
          .replace(/^\ufeff/, '')
          .trim()
          .split('\r\n');
  return { job, lines };
}
const count = (event: string) =>
  t.system(
    async (tx) =>
      (
        await tx.one<{ n: number }>(sql`
          select count(*)::int as n from discounts d join events e on e.org_id = d.org_id and e.id = d.event_id where e.code = ${event}`)
      ).n,
  );
const answer = ({ status, body }: Reply) => [status, body.error?.code];

test('makes codes that work, and a file with the link of each', async () => {
  const { job, lines } = await run(
    await start({ ...PRESS, attendee_types: ['adult'], max_people: 1, note: 'For the desk' }),
  );
  expect(job).toMatchObject({
    kind: 'discount_batch',
    status: 'succeeded',
    progress: { done: 3, total: 3 },
    counts: { created: 3 },
  });
  expect(lines[0]).toBe('"Code","Link"');
  const codes = lines.slice(1).map((line) => line.split(',')[0]!.slice(1, -1));
  for (const code of codes) expect(code).toMatch(/^PRESS-[2-9A-HJKMNP-TV-Z]{10}$/);
  const { public_url } = (await call('GET', '/events/fair')).body;
  expect(lines[1]).toBe(`"${codes[0]}","${public_url}?code=${codes[0]}"`);
  const listed = (await call('GET', '/events/fair/discounts?search=press-')).body.data.filter((one: { code: string }) =>
    codes.includes(one.code),
  );
  expect(listed).toHaveLength(codes.length);
  expect(listed[0]).toMatchObject({ attendee_types: ['adult'], products: [], max_people: 1, note: 'For the desk' });
  const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Byron', days: ['sat'] }];
  const registered = await post('/events/fair/registrations', { attendees, discount_code: codes[0]!.toLowerCase() });
  expect(registered).toMatchObject({ total_minor: 0, discount_code: codes[0] });
  const log = (await call('GET', `/audit-log?action=discount.created&object=${listed[0].id}`)).body.data;
  expect(log).toHaveLength(1);
  expect(log[0].changes.fields).toEqual({ code: { before: null, after: listed[0].code } });
});

describe('nothing is made', () => {
  test('of what is wrong: 400 with each fault', async () => {
    const wrong = { ...PRESS, count: 10_001, value: 101, attendee_types: ['nobody'], prefix: 'A_B' };
    const reply = await start(wrong);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details.map((one: { path: string }) => one.path).sort()).toEqual([
      'attendee_types/0',
      'count',
      'prefix',
      'value',
    ]);
  });

  test('if not all of them have room, at the start and when the job begins', async () => {
    await anEvent('full');
    const fill = (to: number) =>
      t.system((tx) =>
        tx.run(sql`
          insert into discounts (org_id, id, event_id, code, code_key, name, kind, value, active, created_at, updated_at)
          select e.org_id, gen_random_uuid(), e.id, 'N' || n, 'N' || n, 'N', 'percent', 10, true, '2000-01-01', '2000-01-01'
          from events e, generate_series(1, ${to}::int) n where e.code = 'full' on conflict do nothing`),
      );
    await fill(19_500);
    expect(answer(await start({ ...PRESS, count: 501 }, key, 'full'))).toEqual([409, 'invalid_state']);
    const started = await start({ ...PRESS, count: 500 }, key, 'full');
    await fill(19_501);
    const { job } = await run(started);
    expect(job).toMatchObject({ status: 'failed', progress: { done: 0 }, error: expect.stringContaining('20,000') });
    expect(await count('full')).toBe(19_501);
  });

  test.each([
    ['the type was deleted', [['DELETE', '/attendee-types/guest']], /type or a product/],
    ['the event was archived', [['POST', '/archive']], /archived/],
  ] as const)('when %s while the job waited', async (what, calls, error) => {
    const event = `gone-${what.length}`;
    await anEvent(event);
    await post(`/events/${event}/attendee-types`, { code: 'guest', name: 'Guest' });
    const started = await start({ ...PRESS, reveals: ['guest'] }, key, event);
    for (const [method, path] of calls)
      expect((await call(method, `/events/${event}${path}`)).status).toBeLessThan(300);
    await t.step.jobs();
    const job = (await call('GET', `/jobs/${started.body.id}`)).body;
    expect([job.status, job.error]).toEqual(['failed', expect.stringMatching(error)]);
    expect(await count(event)).toBe(0);
  });
});

describe('whoever is limited to a group below that of the event', () => {
  test('makes codes of its own group, and sees the job', async () => {
    const { job, lines } = await run(await start({ ...PRESS, prefix: 'COAST-' }, coast), coast);
    expect([job.group, lines.length]).toEqual(['coast', 4]);
    const { data } = (await call('GET', '/events/fair/discounts?search=coast', undefined, coast)).body;
    expect(data.map((one: { group: string }) => one.group)).toEqual(['coast', 'coast', 'coast']);
    const refused = await start({ ...PRESS, group: 'north' }, coast);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'group']);
  });

  test('makes none once its group has been moved from below the event’s', async () => {
    await post('/groups', { code: 'pier', name: 'Pier', parent: 'coast' });
    const started = await start({ ...PRESS, prefix: 'PIER-', group: 'pier' }, coast);
    await post('/groups/pier/move', { parent: 'south' });
    await t.step.jobs();
    const job = (await call('GET', `/jobs/${started.body.id}`)).body;
    expect([job.status, job.error]).toEqual(['failed', expect.stringContaining('no longer below yours')]);
    await post('/groups/pier/move', { parent: 'coast' });
  });
});

test('a member needs events.write, and a test key a test event', async () => {
  const as = async (role: string) => {
    const headers = { cookie: `turnout_session=${await t.session('acme', role)}` };
    const started = await t.call('POST', '/app/api/events/fair/discounts/batches', {
      headers,
      body: { ...PRESS, count: 1 },
    });
    const seen =
      started.status === 202 && (await t.call('GET', `/app/api/jobs/${started.body.id}`, { headers })).status;
    return [started.status, seen];
  };
  expect([await as('manager'), await as('desk'), await as('viewer')]).toEqual([
    [202, 200],
    [403, false],
    [403, false],
  ]);
  await t.step.jobs();
  const testKey = (await t.key('acme', { mode: 'test' })).secret;
  expect(answer(await start(PRESS, testKey))).toEqual([403, 'test_key_live_object']);
});
