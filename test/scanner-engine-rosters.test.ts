import { expect, test } from 'vitest';
import { ANSWER_MS } from '../web/scan/src/engine/times.ts';
import type { PeopleQuestion } from '../web/scan/src/engine/types.ts';
import { format1, format2 } from '../web/scan/src/roster/testing.ts';
import { readStored, replaceRoster } from '../web/scan/src/store/rosters.ts';
import type { BareDevice } from './support/scanner/bare-device.ts';
import { engineWorld, isBatch, isScan, told } from './support/scanner/engine-world.ts';
import { PASS } from './support/scanner/gate.ts';

/** Which roster a device judges by, whom it finds there, and whom it counts. */
const world = engineWorld();

/** A member who is limited to a group, and so are the devices that they pair. */
async function memberOf(group: string): Promise<string> {
  const members = async (): Promise<{ id: string }[]> =>
    (await world.fair.app(world.manager, 'GET', '/members')).body.data;
  const before = new Set((await members()).map(({ id }) => id));
  const session = await world.fair.t.session('acme', 'manager');
  const made = (await members()).find(({ id }) => !before.has(id))!;
  expect((await world.fair.app(world.manager, 'PATCH', `/members/${made.id}`, { group })).status).toBe(200);
  return session;
}

/** A device whose roster is limited to a group: it was paired by a member of the group while the event belonged to it. */
async function narrowed(group: string): Promise<BareDevice> {
  const groupOfEvent = async (of: string | null) => {
    const changed = await world.fair.t.call('PATCH', '/v1/events/fair', { key: world.fair.key, body: { group: of } });
    expect(changed.status).toBe(200);
  };
  await groupOfEvent(group);
  const one = await world.device(await memberOf(group));
  await groupOfEvent(null);
  expect(one.status().narrowed).toBe(true);
  return one;
}

test('a roster that is limited to a group: nobody can judge what it does not hold, and its people are named', async () => {
  const inside = await world.fair.register({ group: ['north', 'south'] });
  const outside = await world.fair.register({ group: 'south' });
  const one = await narrowed('north');
  expect(told(await one.scan({ code: outside.code }))).toMatchObject({ by: 'server', result: 'accepted' });
  await one.offline();
  const nobody = told(await one.scan({ code: outside.code }));
  expect(nobody).toMatchObject({ by: 'nobody', admitted: false, people: [] });
  const known = told(await one.scan({ code: inside.code }));
  expect(known).toMatchObject({ by: 'device', result: 'accepted' });
  expect(known.people.map(({ id }) => id)).toEqual(inside.people.slice(0, 1));
  await one.online();
  const sent = world.sent(isBatch).flatMap(({ body }) => JSON.parse(body).scans);
  expect(sent.find((each) => each.client_uuid === nobody.client_uuid)).not.toHaveProperty('offline_result');
  expect(sent.find((each) => each.client_uuid === known.client_uuid)).toMatchObject({
    people: inside.people.slice(0, 1),
  });
  expect(await world.recorded(nobody.client_uuid)).toMatchObject([{ result: 'duplicate', offline_result: null }]);
  expect(await world.recorded(known.client_uuid)).toMatchObject([{ attendee_id: inside.people[0] }]);
  expect(one.disagreements).toEqual([]);
});

test('what only the server can judge is waited for longer than 400 ms', async () => {
  const { code } = await world.fair.register({ group: 'south' });
  const one = await narrowed('north');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  world.devices.fault = (asked) => (isScan(asked) ? { do: 'hold', until: released } : PASS);
  const asking = one.scan({ code });
  await expect.poll(() => world.sent(isScan).length).toBe(1);
  world.devices.time.move(ANSWER_MS + 1);
  release();
  expect(told(await asking)).toMatchObject({ by: 'server', result: 'accepted' });
});

test('a test event has one roster: it stays in use when the first scan is made, and without a network', async () => {
  const make = async (path: string, body?: unknown) => {
    const made = await world.fair.post(`/events${path}`, body);
    expect(made.status, path).toBeLessThan(300);
    return made.body;
  };
  await make('', { code: 'trial', name: 'Trial', test: true, timezone: 'UTC' });
  await make('/trial/days', { code: 'd1', date: world.fair.t.clock.now().toISOString().slice(0, 10) });
  await make('/trial/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/trial/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/trial/publish');
  const pat = { attendee_type: 'adult', first_name: 'Pat', last_name: 'Trial', days: ['d1'] };
  const { attendees } = await make('/trial/registrations', { attendees: [pat], send_emails: false });
  const { code } = attendees[0].tickets[0];
  const one = await world.devices.pair(await world.pairingCode(world.manager, 'trial'));
  await one.offline();
  expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'device', result: 'accepted', test: true });
  expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'device', result: 'duplicate', test: true });
  expect(one.status().tickets).toBe(1);
  await one.online();
  expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'server', result: 'duplicate', test: true });
  expect(one.disagreements).toEqual([]);
  expect((await world.fair.get('/events/trial/checkins?test=true')).body.data).toHaveLength(3);
});

test('test mode has a roster of its own, and what is tried there counts nowhere', async () => {
  const live = await world.fair.register();
  const trial = await world.fair.register({ as: world.fair.testKey });
  const one = await world.device();
  const { tickets } = one.status();
  await one.engine.testMode(true);
  await one.until(({ tickets: now, loading }) => now !== null && now > tickets! && loading === null);
  await one.offline();
  const [first, second] = [
    told(await one.scan({ code: trial.code, test: true })),
    told(await one.scan({ code: live.code, test: true })),
  ];
  expect([first, second]).toMatchObject([
    { by: 'device', result: 'accepted', test: true, ticket_id: trial.ticket },
    { by: 'device', result: 'accepted', test: true, ticket_id: live.ticket },
  ]);
  expect(told(await one.scan({ code: live.code, test: true }))).toMatchObject({ result: 'duplicate' });
  // Live tickets are judged by the live roster again, which knows nothing of the trial.
  expect(told(await one.scan({ code: live.code }))).toMatchObject({ by: 'device', result: 'accepted', test: false });
  expect(one.status().tickets).toBe(tickets);
  await one.online();
  expect(one.disagreements).toEqual([]);
  for (const { client_uuid } of [first, second]) {
    expect(await world.recorded(client_uuid)).toEqual([]);
    expect(await world.recorded(client_uuid, world.fair.testKey)).toMatchObject([
      { test: true, offline_result: 'accepted' },
    ]);
  }
});

test('test mode is switched while the server is asked: the device does not judge by the roster of the other mode', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  const { promise: noticed, resolve: notice } = Promise.withResolvers<void>();
  world.devices.fault = (asked) => (isScan(asked) ? { do: 'lose answer', after: noticed } : PASS);
  const asking = one.scan({ code });
  await expect.poll(() => world.sent(isScan).length).toBe(1);
  await one.engine.testMode(true);
  await one.until(({ tickets, loading }) => tickets !== null && loading === null);
  notice();
  const first = told(await asking);
  expect(first).toMatchObject({ by: 'nobody', result: 'unknown', admitted: false, test: false });
  await one.online();
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: null }]);
  expect(one.disagreements).toEqual([]);
});

test('a ticket of several people: who is here?', async () => {
  const { code, people } = await world.fair.register({ people: 3 });
  const one = await world.device();
  const asked = await one.scan({ code });
  expect(asked).toMatchObject({ ask: 'people', people: people.map((id) => ({ id, attendee_type: 'Adult' })) });
  expect(world.sent(isScan)).toHaveLength(0);
  const some = told(await one.scan({ code, people: people.slice(0, 2) }));
  expect(some).toMatchObject({ by: 'server', result: 'accepted' });
  expect(some.people.map(({ id }) => id)).toEqual(people.slice(0, 2));
  await one.offline();
  const rest = told(await one.scan({ code, people }));
  expect(rest).toMatchObject({ by: 'device', result: 'accepted', tone: 'mixed' });
  expect(rest.people.map(({ result }) => result)).toEqual(['duplicate', 'duplicate', 'accepted']);
  await one.online();
  expect(one.disagreements).toEqual([]);
});

test('somebody is found by name and scanned without a code; changes of the roster arrive by themselves', async () => {
  const one = await world.device();
  await one.until(({ connection }) => connection === 'online');
  const { ticket } = await world.fair.register();
  const { body } = await world.fair.get(`/events/fair/scan/roster?since=${encodeURIComponent('2020-01-01T00:00:00Z')}`);
  const entry = body.data.find((each: { ticket_id: string }) => each.ticket_id === ticket);
  const name = entry.people[0].last_name as string;
  const search = (text: string) => one.engine.search(text);
  await world.devices.until(async () => (await search(`${name} pa`)).count > 0);
  expect(await search(`${name} pa`)).toMatchObject({ people: [{ ticket_id: ticket, inside: null }], count: 1 });
  const [found] = (await search(name)).people;
  await one.offline();
  const first = told(await one.scan({ ticket: { ticket_id: found!.ticket_id, key: found!.key } }));
  expect(first).toMatchObject({ by: 'device', result: 'accepted', ticket_id: ticket });
  expect(await search(name)).toMatchObject({ people: [{ inside: { at: first.scanned_at, point: 'Gate' } }] });
  await one.online();
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
});

test('the code of a registration asks who is here, and each of them is scanned by their own ticket', async () => {
  const { fair } = world;
  const make = async (path: string, body: unknown = {}) => {
    const reply = await fair.post(path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  // Each person has a ticket for each day.
  await make('/events', { code: 'own', name: 'Own', timezone: 'UTC', ticketing: 'per_day' });
  await make('/events/own/days', { code: 'd1', date: fair.t.clock.now().toISOString().slice(0, 10) });
  await make('/events/own/days', { code: 'd2', date: '2031-01-01' });
  await make('/events/own/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/own/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/own/publish');
  const attendees = ['Ada', 'Bo', 'Cy'].map((first_name) => ({
    ...{ first_name, last_name: 'Lovelace', attendee_type: 'adult', days: ['d2', 'd1'] },
  }));
  const { code, attendees: made } = await make('/events/own/registrations', { attendees, send_emails: false });
  const ids: string[] = made.map(({ id }: { id: string }) => id);

  const one = await world.devices.pair(await world.pairingCode(world.manager, 'own'));
  await one.offline();
  const typed = `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase();
  const asked = (await one.scan({ code: typed })) as PeopleQuestion;
  expect(asked).toMatchObject({ ask: 'people', registration: code });
  expect(asked.people.map(({ id, inside }) => [id, inside]).sort()).toEqual(ids.map((id) => [id, null]).sort());
  const first = told(await one.scan({ code: typed, people: ids.slice(0, 2) }));
  expect(first).toMatchObject({ by: 'device', result: 'accepted', tone: 'success', people: [{}, {}] });
  expect(first.parts).toHaveLength(2);
  const again = (await one.scan({ code: typed })) as PeopleQuestion;
  const inside = again.people.filter((each) => each.inside?.point === 'Gate').map(({ id }) => id);
  expect(inside.sort()).toEqual(ids.slice(0, 2).sort());
  const second = told(await one.scan({ code: typed, people: ids.slice(1) }));
  expect(second.tone).toBe('mixed');
  expect(second.people.map(({ result }) => result).sort()).toEqual(['accepted', 'duplicate']);
  // Nobody is left to ask for.
  const third = told(await one.scan({ code: typed }));
  expect(third).toMatchObject({ result: 'duplicate', admitted: false });
  expect(third.people.map(({ first }) => first?.point)).toEqual(['Gate', 'Gate', 'Gate']);
  await one.online();
  await one.until(({ queue }) => queue === 0);
  const { data } = (await fair.get('/events/own/checkins')).body;
  expect(data.map((row: { result: string }) => row.result).sort()).toEqual([
    'accepted',
    'accepted',
    'accepted',
    ...['duplicate', 'duplicate', 'duplicate', 'duplicate'],
  ]);
  expect(one.disagreements).toEqual([]);
  // No registration has it, and the server knows no such ticket.
  expect(told(await one.scan({ code: '0000000000' }))).toMatchObject({ by: 'server', result: 'unknown' });
});

test.each([
  ['1', format1, [null, null]],
  ['2', format2, ['7Q2MXK4P0V', 'ANNA000000']],
])('a device comes through an update with the scans and a roster of format %s, of a version before', async (...of) => {
  const [, packed, codes] = of;
  const { code } = await world.fair.register();
  const one = await world.device();
  const { tickets } = one.status();
  await one.offline();
  const before = told(await one.scan({ code }));
  one.engine.close();
  // As the version before has left it: a row without a format.
  const { storage } = world.devices;
  const which = { device: one.id, mode: 'live' } as const;
  const { buffer: _, overlay: __, format: ___, ...row } = (await readStored(storage, which))!;
  const old = { buffer: packed(), overlay: new Map() };
  await replaceRoster(storage, which, row, old, { forget: [], put: [] });

  expect(await one.open()).toBeNull();
  expect(one.status()).toMatchObject({ connection: 'online', tickets: 2, queue: 1 });
  const [last] = await one.engine.lastScans();
  expect(last).toMatchObject({ sent: false, told: { client_uuid: before.client_uuid, result: 'accepted' } });
  await one.offline();
  const { people } = await one.engine.search('lovelace');
  expect(people.map(({ first_name, registration }) => [first_name, registration])).toEqual([
    ['Ada', codes[0]],
    ['Bo', codes[1]],
  ]);
  const [ada] = people;
  const asked = (await one.scan({ ticket: { ticket_id: ada!.ticket_id, key: ada!.key } })) as PeopleQuestion;
  expect(asked.people.map(({ first_name }) => first_name)).toEqual(['Ada', 'Zoë']);

  await one.online();
  await one.until((now) => now.tickets === tickets && now.loading === null);
  expect(await world.recorded(before.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
  await one.offline();
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'duplicate' });
  expect((await one.engine.search('lovelace')).count).toBe(0);
  expect(one.disagreements).toEqual([]);
});

test('counts follow the own scans at once and the roster later', async () => {
  const one = await world.device();
  const counts = () => one.engine.counts('gate');
  const before = await counts();
  await one.scan({ code: (await world.fair.register()).code });
  await one.offline();
  await one.scan({ code: (await world.fair.register({ days: ['d2'] })).code });
  expect(await counts()).toEqual({ point: before.point + 1, event: before.event + 1, inside: null });
  await one.online();
  const state = one.status();
  await one.until(({ rosterAt }) => rosterAt !== state.rosterAt);
  expect(await counts()).toEqual({ point: before.point + 1, event: before.event + 1, inside: null });
});
