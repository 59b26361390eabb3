import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown) {
  const reply = await t.call(method, `/v1${path}`, { key, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
let serial = 0;
async function event(more: object = {}): Promise<string> {
  const code = `e${++serial}`;
  await done('POST', '/events', { code, name: code, timezone: 'Europe/Berlin', ...more });
  return `/events/${code}`;
}
const times = async (path: string) => {
  const { starts_at, ends_at, updated_at } = await done('GET', path);
  return { starts_at, ends_at, updated_at };
};

test('an event without times of its own starts and ends with its days', async () => {
  const path = await event();
  expect(await times(path)).toMatchObject({ starts_at: null, ends_at: null });
  await done('POST', `${path}/days`, { code: 'b', date: '2030-06-02', opens_at: '2030-06-02T08:00:00Z' });
  expect(await times(path)).toMatchObject({ starts_at: '2030-06-02T08:00:00Z', ends_at: '2030-06-02T22:00:00Z' });
  await done('POST', `${path}/days`, { code: 'a', date: '2030-06-01' });
  expect(await times(path)).toMatchObject({ starts_at: '2030-05-31T22:00:00Z', ends_at: '2030-06-02T22:00:00Z' });
  await done('PATCH', `${path}/days/b`, { closes_at: '2030-06-02T20:00:00Z' });
  expect(await times(path)).toMatchObject({ ends_at: '2030-06-02T20:00:00Z' });
  await done('DELETE', `${path}/days/a`);
  expect(await times(path)).toMatchObject({ starts_at: '2030-06-02T08:00:00Z', ends_at: '2030-06-02T20:00:00Z' });
  const listed = (await done('GET', `/events?code=${path.slice(8)}`)).data[0];
  expect(listed).toMatchObject(await times(path));
  const manifest = await t.call('GET', `/api/v1${path}/scan/manifest`, { key });
  if ('starts_at' in manifest.body.event) expect(manifest.body.event).toMatchObject({ starts_at: listed.starts_at });
});

test('times that were set take precedence, and null goes back to the days', async () => {
  const path = await event({ starts_at: '2030-06-01T06:00:00Z' });
  await done('POST', `${path}/days`, { code: 'a', date: '2030-06-01' });
  expect(await times(path)).toMatchObject({ starts_at: '2030-06-01T06:00:00Z', ends_at: '2030-06-01T22:00:00Z' });
  const changed = await done('PATCH', path, { ends_at: '2030-06-03T00:00:00Z' });
  expect(changed).toMatchObject({ starts_at: '2030-06-01T06:00:00Z', ends_at: '2030-06-03T00:00:00Z' });
  expect(await done('PATCH', path, { starts_at: null, ends_at: null })).toMatchObject({
    starts_at: '2030-05-31T22:00:00Z',
    ends_at: '2030-06-01T22:00:00Z',
  });
  expect(await done('PATCH', path, { timezone: 'America/New_York' })).toMatchObject({
    starts_at: '2030-06-01T04:00:00Z',
    ends_at: '2030-06-02T04:00:00Z',
  });
});

test('days that contradict a time that was set are ignored', async () => {
  const path = await event({ starts_at: '2031-01-01T00:00:00Z' });
  await done('POST', `${path}/days`, { code: 'a', date: '2030-06-01' });
  expect(await times(path)).toMatchObject({ starts_at: '2031-01-01T00:00:00Z', ends_at: null });
});

test('changing a day moves the event’s updated_at only if the event’s times change', async () => {
  const path = await event();
  const made = await times(path);
  await done('POST', `${path}/days`, { code: 'a', date: '2030-06-01' });
  const first = await times(path);
  expect(first.updated_at > made.updated_at).toBe(true);
  const since = await done('GET', `/events?updated_since=${first.updated_at}`);
  expect(since.data.map((one: { code: string }) => one.code)).toContain(path.slice(8));
  await done('POST', `${path}/days`, {
    code: 'b',
    date: '2030-06-01',
    opens_at: '2030-06-01T09:00:00Z',
    closes_at: '2030-06-01T10:00:00Z',
  });
  await done('PATCH', `${path}/days/a`, { name: 'Opening' });
  expect(await times(path)).toEqual(first);
  await done('PATCH', `${path}/days/a`, { opens_at: '2030-06-01T05:00:00Z' });
  expect((await times(path)).updated_at > first.updated_at).toBe(true);
});

test('a template keeps times that were set; otherwise its copy follows its own days', async () => {
  const path = await event({ ends_at: '2030-06-05T00:00:00Z' });
  await done('POST', `${path}/days`, { code: 'a', date: '2030-06-01' });
  const template = await done('GET', `${path}/template`);
  expect(template.event).toMatchObject({ starts_at: null, ends_at: '2030-06-05T00:00:00Z' });
  await done('POST', '/event-templates/imports', {
    template,
    event: { code: 'copy', name: 'Copy', first_day: '2031-06-01' },
  });
  expect(await times('/events/copy')).toMatchObject({
    starts_at: '2031-05-31T22:00:00Z',
    ends_at: '2031-06-05T00:00:00Z',
  });
});
