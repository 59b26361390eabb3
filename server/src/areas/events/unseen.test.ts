import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { sql } from '../../store/sql.ts';

/** Whatever a GET shows changes only together with `updated_at`, and codes in use do not change. */
let t: TestTurnout;
let key: string;
let today: string;
beforeAll(async () => {
  t = await startTest({ clock: noonClock() });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  today = t.clock.now().toISOString().slice(0, 10);
  await made('/groups', { code: 'north', name: 'North' });
  await made('/groups', { code: 'south', name: 'South' });
  await made('/events', { code: 'fair', name: 'Fair', timezone: 'UTC', ticketing: 'per_day' });
  for (const code of ['d1', 'd2', 'typed', 'policed', 'free']) await made('/events/fair/days', { code, date: today });
  await made('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await made('/events/fair/attendee-types', { code: 'child', name: 'Child', days: ['typed'] });
  await made('/events/fair/attendee-types', { code: 'asked', name: 'Asked' });
  await made('/events/fair/attendee-types', { code: 'written', name: 'Written to' });
  await made('/events/fair/attendee-types', { code: 'free', name: 'Free' });
  await made('/events/fair/questions', { code: 'q', label: 'Q', kind: 'text', attendee_types: ['asked'] });
  await made('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await made('/events/fair/check-in-points', {
    code: 'hall',
    name: 'Hall',
    kind: 'zone',
    policy: { days: ['policed'] },
  });
  await made('/events/fair/check-in-points', { code: 'door', name: 'Door', kind: 'exit', policy: { leaves: 'hall' } });
  await made('/events/fair/check-in-points', { code: 'blind', name: 'Blind', kind: 'entry' });
  await made('/events/fair/check-in-points', { code: 'free', name: 'Free', kind: 'entry' });
  await made('/events/fair/publish');
  await made('/events/fair/communications', { subject: 'S', text: 'T', audience: { attendee_types: ['written'] } });
});
afterAll(() => t.stop());

const call = (method: string, path: string, body?: unknown) => t.call(method, `/v1${path}`, { key, body });
const made = async (path: string, body?: unknown) => {
  const reply = await call('POST', path, body);
  expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  return reply.body;
};
const get = async (path: string) => (await call('GET', path)).body;
const answer = ({ status, body }: Reply) => [status, body.error?.code];
const register = (more: object = {}) =>
  made('/events/fair/registrations', {
    attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: randomUUID(), days: ['d1', 'd2'], ...more }],
    send_emails: false,
  });
const scan = (code: string, check_in_point: string, more: object = {}) => ({
  code,
  check_in_point,
  client_uuid: randomUUID(),
  ...more,
});

describe('409 invalid_state: the code of something in use', () => {
  beforeAll(async () => {
    const { attendees } = await register({ group: 'north' });
    const [first] = attendees[0].tickets;
    await made('/events/fair/scan', scan(first.code, 'gate'));
    const unknown = scan('N0BODY', 'blind', { scanned_at: t.clock.now().toISOString(), offline_result: 'accepted' });
    await t.call('POST', '/api/v1/events/fair/scan/batch', { key, body: { scans: [unknown] } });
  });

  test.each([
    [
      '/events/fair/days',
      'd1',
      'attendees are registered for it; tickets were issued for it; tickets were scanned on it',
    ],
    ['/events/fair/days', 'd2', 'attendees are registered for it'],
    ['/events/fair/days', 'typed', 'the attendee type child is limited to it'],
    ['/events/fair/days', 'policed', 'the check-in point hall is limited to it'],
    ['/events/fair/attendee-types', 'adult', 'attendees are registered with it'],
    ['/events/fair/attendee-types', 'asked', 'the question q is limited to it'],
    ['/events/fair/attendee-types', 'written', 'a communication is addressed to its attendees'],
    ['/events/fair/check-in-points', 'gate', 'tickets were scanned at it'],
    ['/events/fair/check-in-points', 'hall', 'the exit door leads out of it'],
    ['/events/fair/check-in-points', 'blind', 'codes were scanned at it'],
    ['/groups', 'north', 'it has people'],
  ])('%s/%s, because %s', async (path, code, why) => {
    for (const wanted of [`${code}-2`, code.toUpperCase()]) {
      const refused = await call('PATCH', `${path}/${code}`, { code: wanted });
      expect(answer(refused)).toEqual([409, 'invalid_state']);
      expect(refused.body.error.message).toContain(`${code} must keep its code, because it is in use`);
      expect(refused.body.error.message).toContain(why);
    }
    expect((await get(`${path}/${code}`)).code).toBe(code);
    // Sending the same code is accepted, and other fields can still be changed.
    expect((await call('PATCH', `${path}/${code}`, { code, name: `Still ${code}` })).status).toBe(200);
    expect(answer(await call('DELETE', `${path}/${code}`))).toEqual([409, 'invalid_state']);
  });

  test.each(['/events/fair/days', '/events/fair/attendee-types', '/events/fair/check-in-points'])(
    '%s: the code of a part that nothing refers to can change',
    async (path) => {
      expect((await call('PATCH', `${path}/free`, { code: 'Freed' })).body.code).toBe('Freed');
      expect((await call('PATCH', `${path}/freed`, { code: 'free' })).body.code).toBe('free');
    },
  );
  test('/groups: the code of a group that nothing refers to can change', async () => {
    expect((await call('PATCH', '/groups/south', { code: 'coast' })).body.code).toBe('coast');
  });

  /** Holds the event's clock until both calls wait for it, so that they run in this order. */
  async function inOrder(first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<Reply[]> {
    let both: Promise<Reply[]> | null = null;
    await t.system(async (tx) => {
      await tx.run(
        sql`select from event_clocks c join events e on e.id = c.event_id where e.code = 'fair' for update of c`,
      );
      const one = first();
      await untilWaitingForLock(t.database, 1);
      const other = second();
      await untilWaitingForLock(t.database, 2);
      both = Promise.all([one, other]);
    });
    return both!;
  }
  test('of a registration and a change of code at once, the second sees the first', async () => {
    const named = async (code: string) => {
      await made('/events/fair/attendee-types', { code, name: 'Race' });
      const attendees = [{ attendee_type: code, first_name: 'Ada', last_name: 'Race', days: ['d1'] }];
      return {
        register: () => call('POST', '/events/fair/registrations', { attendees, send_emails: false }),
        rename: () => call('PATCH', `/events/fair/attendee-types/${code}`, { code: `${code}-new` }),
      };
    };
    const early = await named('early');
    expect((await inOrder(early.register, early.rename)).map((one) => one.status)).toEqual([201, 409]);
    const late = await named('late');
    expect((await inOrder(late.rename, late.register)).map((one) => one.status)).toEqual([200, 400]);
  });
});

describe('moves `updated_at` of what shows it', () => {
  const moves = async (path: string, change: () => Promise<unknown>) => {
    const before = await get(path);
    await change();
    const after = await get(path);
    expect(after.updated_at > before.updated_at).toBe(true);
    const list = path.slice(0, path.lastIndexOf('/'));
    const since = await get(`${list}?limit=200&updated_since=${encodeURIComponent(after.updated_at)}`);
    expect(since.data).toContainEqual(after);
    return [before, after];
  };

  test('a day that is created, changed or deleted: the event whose start or end it changes', async () => {
    await made('/events', { code: 'short', name: 'Short' });
    await moves('/events/short', () => made('/events/short/days', { code: 'd1', date: today }));
    await moves('/events/short', () => call('PATCH', '/events/short/days/d1', { date: '2031-01-01' }));
    await moves('/events/short', () => call('DELETE', '/events/short/days/d1'));
  });

  test('the time zone: the days that begin and end at local midnight', async () => {
    await made('/events', { code: 'far', name: 'Far', timezone: 'UTC' });
    await made('/events/far/days', { code: 'd1', date: today });
    const [before, after] = await moves('/events/far/days/d1', () =>
      call('PATCH', '/events/far', { timezone: 'Asia/Tokyo' }),
    );
    expect(after.opens_at).not.toBe(before.opens_at);
  });

  test('the code of an event: the webhook endpoints that are limited to it', async () => {
    await made('/events', { code: 'named', name: 'Named' });
    const { id } = await made('/webhooks', { url: 'https://hooks.example.org/', events: ['*'], event: 'named' });
    const [, after] = await moves(`/webhooks/${id}`, () => call('PATCH', '/events/named', { code: 'renamed' }));
    expect(after.event).toBe('renamed');
  });

  test('an attendee: the registration, and the tickets that show the name', async () => {
    const { id, attendees } = await register();
    const [{ id: person, tickets }] = attendees;
    const rename = () => call('PATCH', `/events/fair/attendees/${person}`, { first_name: randomUUID() });
    await moves(`/events/fair/registrations/${id}`, rename);
    await moves(`/events/fair/attendees/${person}`, rename);
    const before = await get(`/tickets/${tickets[0].id}`);
    await rename();
    expect((await get(`/tickets/${tickets[0].id}`)).updated_at > before.updated_at).toBe(true);
  });

  test('a ticket that is voided: its attendee and the registration', async () => {
    const { id, attendees } = await register();
    const [{ id: person, tickets }] = attendees;
    await moves(`/events/fair/attendees/${person}`, () => made(`/tickets/${tickets[0].id}/void`));
    await moves(`/events/fair/registrations/${id}`, () => made(`/tickets/${tickets[1].id}/void`));
  });

  test('an admission: the attendee, but not the registration, which does not show it', async () => {
    const { id, attendees } = await register();
    const [{ id: person, tickets }] = attendees;
    const path = `/events/fair/registrations/${id}`;
    const before = await get(path);
    await moves(`/events/fair/attendees/${person}`, () => made('/events/fair/scan', scan(tickets[0].code, 'gate')));
    expect((await get(`/events/fair/attendees/${person}`)).checked_in).toBe(true);
    expect(await get(path)).toEqual(before);
  });
});
