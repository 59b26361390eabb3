import { randomUUID } from 'node:crypto';
import type { Activity } from '@turnout/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
let north: string;
let testKey: string;
let path = '';
let serial = 0;
const clock = noonClock();

beforeAll(async () => {
  t = await startTest({ clock });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const code of ['north', 'south']) await made('/groups', { code, name: code });
  north = (await t.key('acme', { group: 'north' })).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
});
afterAll(() => t.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
async function made(at: string, body: object = {}, as = key): Promise<any> {
  const reply = await t.call('POST', `/v1${at}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${at}: ${reply.text}`);
  return reply.body;
}
const activity = async (as = key, query = ''): Promise<Activity[]> =>
  (await t.call('GET', `/v1${path}/activity${query}`, { key: as })).body.data;
const told = async (as = key, query = '') => (await activity(as, query)).map(({ kind, name }) => `${name} ${kind}`);

beforeEach(async () => {
  path = `/events/e${++serial}`;
  await made('/events', { code: `e${serial}`, name: 'Fair', timezone: 'UTC' });
  await made(`${path}/days`, { code: 'd1', date: t.clock.now().toISOString().slice(0, 10) });
  await made(`${path}/attendee-types`, { code: 'guest', name: 'Guest', price_minor: 1000 });
  await made(`${path}/attendee-types`, { code: 'crew', name: 'Crew' });
  await made(`${path}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await made(`${path}/publish`);
});

interface Person {
  name: string;
  type?: string;
  group?: string;
}
const register = (people: Person[], { as = key, contact }: { as?: string; contact?: string } = {}) =>
  made(
    `${path}/registrations`,
    {
      ...(contact !== undefined && {
        contact: { first_name: contact, last_name: 'Office', email: 'office@example.org' },
      }),
      attendees: people.map(({ name, type = 'crew', group }) => ({
        ...{ attendee_type: type, first_name: name, last_name: 'Test', days: ['d1'] },
        ...(group !== undefined && { group }),
      })),
      send_emails: false,
    },
    as,
  );
const scan = (code: string) => made(`${path}/scan`, { code, check_in_point: 'gate', client_uuid: randomUUID() });
const later = () => clock.advance(MINUTE);

test('lists who registered, paid, was checked in and cancelled, newest first', async () => {
  const grace = await register([{ name: 'Grace', type: 'guest' }, { name: 'Alan' }], { contact: 'Hopper' });
  later();
  await made(`${path}/registrations/${grace.id}/payments`, { amount_minor: 1000, method: 'cash' });
  later();
  const ada = await register([{ name: 'Ada' }]);
  later();
  await scan(ada.attendees[0].tickets[0].code);
  later();
  await made(`${path}/registrations/${grace.id}/cancel`);
  const rows = await activity();
  expect(rows).toEqual([
    expect.objectContaining({ kind: 'cancelled', name: 'Hopper Office', people: 2 }),
    expect.objectContaining({
      ...{
        kind: 'checked_in',
        name: 'Ada Test',
        day: 'd1',
        check_in_point: 'gate',
        people: 1,
        attendee_types: ['crew'],
      },
      ...{ registration_id: ada.id, attendee_id: ada.attendees[0].id },
    }),
    expect.objectContaining({
      kind: 'registered',
      name: 'Ada Test',
      people: 1,
      attendee_types: ['crew'],
      amount_minor: null,
    }),
    expect.objectContaining({ kind: 'paid', name: 'Hopper Office', amount_minor: 1000, currency: 'EUR' }),
    expect.objectContaining({
      kind: 'registered',
      people: 2,
      attendee_types: ['crew', 'guest'],
      registration_id: grace.id,
    }),
  ]);
  expect(await told(key, '?limit=1')).toEqual(['Hopper Office cancelled']);
});

test('a check-in that was undone and a payment that failed are not told', async () => {
  const ada = await register([{ name: 'Ada', type: 'guest' }]);
  const payment = await made(`${path}/registrations/${ada.id}/payments`, { amount_minor: 1000, method: 'cash' });
  await t.system((tx) => tx.run(sql`update payments set status = 'failed' where id = ${toUuid(payment.id)}`));
  const bob = await register([{ name: 'Bob' }]);
  const { checkins } = await scan(bob.attendees[0].tickets[0].code);
  const session = await t.session('acme', 'desk');
  await t.call('POST', `/app/api/checkins/${checkins[0].id}/undo`, {
    headers: { cookie: `turnout_session=${session}` },
  });
  expect((await told()).sort()).toEqual(['Ada Test registered', 'Bob Test registered']);
});

test('test activity and live activity are apart', async () => {
  await register([{ name: 'Live' }]);
  await register([{ name: 'Tested' }], { as: testKey });
  expect(await told()).toEqual(['Live Test registered']);
  expect(await told(testKey)).toEqual(['Tested Test registered']);
  expect(await told(key, '?test=true')).toEqual(['Tested Test registered']);
});

describe('a caller limited to a group', () => {
  test('is told of its own attendees, by their names, and of money only where all of them are its own', async () => {
    const mixed = await register(
      [
        { name: 'South', type: 'guest', group: 'south' },
        { name: 'North', group: 'north' },
      ],
      { contact: 'Hidden' },
    );
    const own = await register([{ name: 'Own', type: 'guest', group: 'north' }]);
    await register([{ name: 'Other', group: 'south' }]);
    for (const { id } of [mixed, own])
      await made(`${path}/registrations/${id}/payments`, { amount_minor: 1000, method: 'cash' });
    for (const { id } of [mixed, own]) {
      const { attendees } = (await t.call('GET', `/v1${path}/registrations/${id}`, { key })).body;
      for (const { tickets } of attendees) await scan(tickets[0].code);
    }
    const rows = await activity(north);
    expect(rows.map(({ kind, name, people }) => `${name} ${kind} ${people}`).sort()).toEqual([
      'North Test checked_in 1',
      'North Test registered 1',
      'Own Test checked_in 1',
      'Own Test paid 1',
      'Own Test registered 1',
    ]);
    expect(rows.find(({ name }) => name === 'North Test')!.attendee_types).toEqual(['crew']);
    expect(await told()).toHaveLength(8);
  });
});

test('members need to see people; nobody sees another organization', async () => {
  await register([{ name: 'Ada' }]);
  const status = async (role: string, org = 'acme') =>
    (
      await t.call('GET', `/app/api${path}/activity`, {
        headers: { cookie: `turnout_session=${await t.session(org, role as 'viewer')}` },
      })
    ).status;
  expect([await status('viewer'), await status('door')]).toEqual([200, 403]);
  await t.org('stranger');
  const strange = (await t.key('stranger')).secret;
  expect((await t.call('GET', `/v1${path}/activity`, { key: strange })).status).toBe(404);
});
