import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';
import { book, code, type HandOutSent, handedOut, handOutAs, type Line } from './hand-outs.support.ts';

const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
beforeAll(async () => {
  fair = await openFair(clock);
  await products('fair');
});
afterAll(() => fair.t.stop());
beforeEach(() => clock.advance(2 * MINUTE));

async function products(event: string): Promise<void> {
  const make = async (body: object) => expect((await fair.post(`/events/${event}/products`, body)).status).toBe(201);
  await make({ code: 'lunch', name: 'Lunch', max: 5 });
  await make({
    code: 'shirt',
    name: 'T-shirt',
    max: 5,
    options: [
      { code: 'm', name: 'Medium' },
      { code: 'l', name: 'Large' },
    ],
  });
  await make({ code: 'table', name: 'Table', per: 'registration', max: 5 });
}
const handOut = (body: HandOutSent, as = fair.key) => handOutAs(fair.t, as, body);
const undo = (id: string, as: string, reason = 'Wrong size') =>
  fair.t.call('POST', `/api/v1/events/fair/hand-outs/${id}/undo`, { key: as, body: { reason } });
const list = async (query = '', as = fair.key) => {
  const { status, body } = await fair.t.call('GET', `/v1/events/fair/hand-outs?${query}`, { key: as });
  expect(status).toBe(200);
  return body.data as { id: string; updated_at: string; removed?: true }[];
};
const audited = async (action: string) =>
  (await fair.t.call('GET', `/v1/audit-log?action=${action}&limit=1`, { key: fair.key })).body.data[0];

/** Somebody who has booked a lunch. */
async function guest(
  lines: readonly Line[] = [{ product: 'lunch' }],
  wanted: NonNullable<Parameters<Fair['register']>[0]> = {},
) {
  const made = await fair.register(wanted);
  const attendee = made.people[0]!;
  await book(fair.t, wanted.as ?? fair.key, { attendee }, lines);
  return { ...made, attendee };
}

interface Member {
  session: string;
  id: string;
}
async function member(role = 'desk', group: string | null = null): Promise<Member> {
  const session = await fair.t.session('acme', role);
  const { id } = await fair.t.system((tx) =>
    tx.one<{ id: Id }>(sql`
      update members m set group_id = (select g.id from groups g where g.org_id = m.org_id and g.code = ${group})
      from account_sessions s where s.hash = ${hashSecret(session)} and m.account_id = s.account_id returning m.id`),
  );
  return { session, id: toUlid(id) };
}
async function device(group: string | null = null): Promise<string> {
  const { session } = await member('manager', group);
  const made = await fair.app(session, 'POST', '/events/fair/devices/pairing-codes', { name: 'North gate' });
  return (await fair.t.call('POST', '/api/v1/devices/pair', { body: { code: made.body.code } })).body.token;
}

describe('handing out', () => {
  test('one unit after the other, until nothing is left: 409 nothing_to_hand_out', async () => {
    const { attendee, id } = await guest([{ product: 'lunch', quantity: 2 }]);
    const first = await handOut({ attendee, check_in_point: 'gate' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      ...{ attendee_id: attendee, registration_id: id, product: 'lunch', option: null, check_in_point: 'gate' },
      ...{ test: false, surplus: false, undone_at: null, actor: { kind: 'key' } },
    });
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1]);
    expect((await handOut({ attendee })).status).toBe(201);
    const third = await handOut({ attendee });
    expect(code(third)).toEqual([409, 'nothing_to_hand_out']);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([2]);
    expect(await list(`attendee=${attendee}`)).toHaveLength(2);
  });

  test('of several lines of one product, the first that has units left', async () => {
    const lines = [
      { product: 'shirt', option: 'm', price_minor: 2000 },
      { product: 'shirt', option: 'l', price_minor: 2000 },
      { product: 'shirt', option: 'm', price_minor: 2500 },
    ];
    const { attendee } = await guest(lines);
    const shirt = { attendee, product: 'shirt', option: 'm' };
    expect((await handOut(shirt)).body.option).toBe('m');
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1, 0, 0]);
    expect((await handOut({ ...shirt, option: 'M' })).status).toBe(201);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1, 0, 1]);
    expect(code(await handOut(shirt))).toEqual([409, 'nothing_to_hand_out']);
  });

  test('what was booked for the registration as a whole', async () => {
    const { id, people } = await fair.register({ people: 2 });
    await book(fair.t, fair.key, { registration: id }, [{ product: 'table' }]);
    const { status, body } = await handOut({ registration: id, product: 'table' });
    expect([status, body.attendee_id, body.registration_id]).toEqual([201, null, id]);
    expect(
      (await fair.t.call('GET', `/v1/events/fair/registrations/${id}`, { key: fair.key })).body.products,
    ).toMatchObject([{ product: 'table', handed_out: 1 }]);
    expect(code(await handOut({ registration: id, product: 'table' }))).toEqual([409, 'nothing_to_hand_out']);
    // It was not booked by the person.
    expect(code(await handOut({ attendee: people[0]!, product: 'table' }))).toEqual([409, 'nothing_to_hand_out']);
  });

  test('is no check-in: the person is neither checked in nor counted', async () => {
    const { attendee } = await guest();
    expect((await handOut({ attendee })).status).toBe(201);
    const shown = (await fair.t.call('GET', `/v1/events/fair/attendees/${attendee}`, { key: fair.key })).body;
    expect(shown.checked_in).toBe(false);
    const checkIns = await fair.get(`/events/fair/checkins?attendee=${attendee}`);
    expect(checkIns.body.data).toEqual([]);
  });

  test('is noticed by whoever follows attendees, and leaves the registration as it was', async () => {
    const { attendee, id } = await guest();
    const at = (path: string) => fair.t.call('GET', `/v1/events/fair/${path}`, { key: fair.key });
    const before = [
      (await at(`attendees/${attendee}`)).body.updated_at,
      (await at(`registrations/${id}`)).body.updated_at,
    ];
    expect((await handOut({ attendee })).status).toBe(201);
    const after = [
      (await at(`attendees/${attendee}`)).body.updated_at,
      (await at(`registrations/${id}`)).body.updated_at,
    ];
    expect(after[0] > before[0]).toBe(true);
    expect(after[1]).toBe(before[1]);
  });

  test('raises no webhook and leaves an entry in the audit log', async () => {
    const { attendee } = await guest([{ product: 'shirt', option: 'l' }]);
    const raised = () => fair.t.system((tx) => tx.one<{ n: number }>(sql`select count(*)::int as n from outbox`));
    const before = await raised();
    const { body } = await handOut({ attendee, product: 'shirt', option: 'l' });
    expect(await raised()).toEqual(before);
    expect(await audited('hand_out.recorded')).toMatchObject({
      object: { kind: 'hand_out', id: body.id },
      changes: { details: { product: 'shirt', option: 'l' } },
    });
  });
});

describe('409 invalid_state', () => {
  test('for whoever is not confirmed', async () => {
    const { attendee, id } = await guest();
    expect((await fair.post(`/events/fair/registrations/${id}/cancel`)).status).toBe(200);
    const reply = await handOut({ attendee });
    expect([...code(reply), reply.body.error.message]).toEqual([
      409,
      'invalid_state',
      'The attendee is cancelled, so nothing can be handed out. Only what confirmed people have booked is.',
    ]);
    expect(await list(`attendee=${attendee}`)).toEqual([]);
  });

  test('for an archived event, offline too', async () => {
    const event = '/events/over';
    await fair.post('/events', { code: 'over', name: 'Over', timezone: 'UTC' });
    await products('over');
    await fair.post(`${event}/days`, { code: 'd1', date: '2030-05-04' });
    await fair.post(`${event}/attendee-types`, { code: 'adult', name: 'Adult' });
    await fair.post(`${event}/publish`);
    const person = { attendee_type: 'adult', first_name: 'Pat', last_name: 'Late', days: ['d1'] };
    const { body } = await fair.post(`${event}/registrations`, { attendees: [person], send_emails: false });
    for (const step of ['close', 'archive']) expect((await fair.post(`${event}/${step}`)).status).toBe(200);
    for (const offline of [false, true]) {
      const sent = { attendee: body.attendees[0].id, product: 'lunch', client_uuid: randomUUID(), offline };
      expect(code(await fair.post(`${event}/hand-outs`, sent))).toEqual([409, 'invalid_state']);
    }
  });
});

describe('400 validation_failed', () => {
  test.each([
    ['neither an attendee nor a registration', { attendee: undefined as never }, 'attendee'],
    ['no such product', { product: 'dinner' }, 'product'],
    ['an option is missing', { product: 'shirt' }, 'option'],
    ['no such option', { product: 'shirt', option: 'xl' }, 'option'],
    ['an option of a product without options', { option: 'm' }, 'option'],
    ['no such point', { check_in_point: 'nowhere' }, 'check_in_point'],
    ['nobody of that id', { attendee: '01JBJ4R9Z2C5F8J1M4Q7T0W3YM' }, 'attendee'],
  ] as [string, Partial<HandOutSent>, string][])('%s', async (_name, wanted, path) => {
    const { attendee } = await guest();
    const reply = await handOut({ attendee, ...wanted });
    expect([...code(reply), reply.body.error.details[0].path]).toEqual([400, 'validation_failed', path]);
  });

  test('both an attendee and a registration', async () => {
    const { attendee, id } = await guest();
    const reply = await handOut({ attendee, registration: id });
    expect([...code(reply), reply.body.error.details[0].path]).toEqual([400, 'validation_failed', 'registration']);
  });
});

describe('a repeated client_uuid', () => {
  test('counts once and gets the first answer, also after the unit was taken back', async () => {
    const { attendee } = await guest();
    const sent = { attendee, client_uuid: randomUUID(), check_in_point: 'gate' };
    const first = await handOut(sent);
    expect((await handOut(sent)).body).toEqual(first.body);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1]);
    const desk = await member();
    const path = `/events/fair/hand-outs/${first.body.id}/undo`;
    expect((await fair.app(desk.session, 'POST', path, { reason: 'Wrong person' })).status).toBe(200);
    const again = await handOut({ ...sent, offline: true });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([0]);
  });

  test.each([
    ['another product', { product: 'shirt', option: 'm' }],
    ['another point', { check_in_point: 'exit' }],
  ])('with %s: 422 client_uuid_reused', async (_name, other) => {
    const { attendee } = await guest([{ product: 'lunch' }, { product: 'shirt', option: 'm' }]);
    const client_uuid = randomUUID();
    expect((await handOut({ attendee, client_uuid })).status).toBe(201);
    expect(code(await handOut({ attendee, client_uuid, ...other }))).toEqual([422, 'client_uuid_reused']);
    const stranger = await guest();
    expect(code(await handOut({ attendee: stranger.attendee, client_uuid }))).toEqual([422, 'client_uuid_reused']);
  });
});

describe('handed out offline', () => {
  test('with units left it is like any other', async () => {
    const { attendee } = await guest();
    const handed_out_at = '2030-05-04T09:58:00Z';
    const { body } = await handOut({ attendee, offline: true, handed_out_at });
    expect(body).toMatchObject({ surplus: false, handed_out_at });
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1]);
  });

  test('with nothing left it is kept as surplus, and the line never exceeds its quantity', async () => {
    const { attendee } = await guest();
    await handOut({ attendee });
    const { status, body } = await handOut({ attendee, offline: true });
    expect([status, body.surplus]).toEqual([201, true]);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1]);
    expect((await audited('hand_out.recorded')).changes.details).toEqual({ product: 'lunch', surplus: true });
  });

  test('to somebody who was cancelled meanwhile it is surplus, because the unit is gone', async () => {
    const { attendee, id } = await guest();
    await fair.post(`/events/fair/registrations/${id}/cancel`);
    expect((await handOut({ attendee, offline: true })).body.surplus).toBe(true);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([0]);
  });
});

describe('taking a hand-out back', () => {
  test('gives the unit back, once', async () => {
    const { attendee } = await guest();
    const { id } = (await handOut({ attendee })).body;
    const desk = await member();
    const path = `/events/fair/hand-outs/${id}/undo`;
    const undone = await fair.app(desk.session, 'POST', path, { reason: 'Torn' });
    expect([undone.status, undone.body.undo_reason, undone.body.undone_at !== null]).toEqual([200, 'Torn', true]);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([0]);
    const again = await fair.app(desk.session, 'POST', path, { reason: 'Torn' });
    expect(code(again)).toEqual([409, 'invalid_state']);
    expect(await audited('hand_out.undone')).toMatchObject({
      actor: { kind: 'member', id: desk.id },
      changes: { details: { product: 'lunch', reason: 'Torn' } },
    });
    expect((await handOut({ attendee })).status).toBe(201);
    expect(await list(`attendee=${attendee}&undone=true`)).toMatchObject([{ id }]);
    expect(await list(`attendee=${attendee}&undone=false`)).toHaveLength(1);
  });

  test('of a surplus only marks it', async () => {
    const { attendee } = await guest();
    await handOut({ attendee });
    const { id } = (await handOut({ attendee, offline: true })).body;
    const desk = await member();
    const path = `/events/fair/hand-outs/${id}/undo`;
    expect((await fair.app(desk.session, 'POST', path, { reason: 'Brought back' })).status).toBe(200);
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([1]);
  });

  test('is refused to keys', async () => {
    const { attendee } = await guest();
    const { id } = (await handOut({ attendee })).body;
    expect(code(await undo(id, fair.key))).toEqual([403, 'api_key_cannot_override']);
  });

  test('needs a reason', async () => {
    const { attendee } = await guest();
    const { id } = (await handOut({ attendee })).body;
    const desk = await member();
    expect(code(await fair.app(desk.session, 'POST', `/events/fair/hand-outs/${id}/undo`, {}))).toEqual([
      400,
      'validation_failed',
    ]);
  });

  test('a device takes back its own for five minutes; what is older or another’s needs a member’s PIN', async () => {
    const [mine, other] = [await device(), await device()];
    const { attendee } = await guest();
    const slip = (await handOut({ attendee }, mine)).body;
    expect(slip.actor).toMatchObject({ kind: 'device', name: 'North gate' });
    expect(code(await undo(slip.id, other))).toEqual([403, 'permission_required']);
    expect((await undo(slip.id, mine, 'Wrong line')).status).toBe(200);
    const late = (await handOut({ attendee }, mine)).body;
    clock.advance(5 * MINUTE);
    expect(code(await undo(late.id, mine))).toEqual([403, 'permission_required']);
    const desk = await member();
    await fair.app(desk.session, 'PUT', '/membership/pin', { pin: '048213' });
    const body = { member: desk.id, pin: '048213' };
    expect((await fair.t.call('POST', '/api/v1/devices/self/unlock', { key: other, body })).status).toBe(200);
    expect((await undo(late.id, other)).status).toBe(200);
    expect(await audited('hand_out.undone')).toMatchObject({
      actor: { kind: 'member', id: desk.id },
      changes: { details: { device: 'North gate' } },
    });
    expect(await handedOut(fair.t, fair.key, attendee)).toEqual([0]);
  });
});

describe('test mode', () => {
  test('a test key hands out to test people only, and each mode has hand-outs of its own', async () => {
    const live = await guest();
    expect(code(await handOut({ attendee: live.attendee }, fair.testKey))).toEqual([403, 'test_key_live_object']);
    const client_uuid = randomUUID();
    expect((await handOut({ attendee: live.attendee, client_uuid })).status).toBe(201);
    const test = await guest([{ product: 'lunch' }], { as: fair.testKey });
    const made = await handOut({ attendee: test.attendee, client_uuid }, fair.testKey);
    expect([made.status, made.body.test]).toEqual([201, true]);
    expect(code(await handOut({ attendee: test.attendee }))).toEqual([400, 'validation_failed']);
    expect((await list('', fair.testKey)).map(({ id }) => id)).toEqual([made.body.id]);
    expect((await list()).some(({ id }) => id === made.body.id)).toBe(false);
  });
});

describe('the wall around a group', () => {
  test('only what its own people were given, and of a registration as a whole only what it sees all of', async () => {
    const north = (await fair.t.key('acme', { group: 'north' })).secret;
    const mine = await guest([{ product: 'lunch' }], { group: 'hill' });
    const theirs = await guest([{ product: 'lunch' }], { group: 'south' });
    const mixed = await fair.register({ group: ['north', 'south'] });
    const own = await fair.register({ group: ['north', 'hill'] });
    for (const { id } of [mixed, own])
      await book(fair.t, fair.key, { registration: id }, [{ product: 'table', quantity: 2 }]);
    const table = (one: { id: string }) => ({ registration: one.id, product: 'table' });
    expect(code(await handOut({ attendee: theirs.attendee }, north))).toEqual([400, 'validation_failed']);
    expect(code(await handOut(table(mixed), north))).toEqual([409, 'mixed_groups']);
    const seen = [
      (await handOut({ attendee: mine.attendee }, north)).body.id,
      (await handOut(table(own), north)).body.id,
    ];
    for (const sent of [{ attendee: theirs.attendee }, table(mixed)]) expect((await handOut(sent)).status).toBe(201);
    expect((await list('limit=100', north)).map(({ id }) => id)).toEqual(seen);
    const other = await member('desk', 'south');
    const path = `/events/fair/hand-outs/${seen[0]}/undo`;
    expect(code(await fair.app(other.session, 'POST', path, { reason: 'No' }))).toEqual([404, 'not_found']);
  });

  test('whoever goes to another group takes along what they were given', async () => {
    const [north, south] = [
      (await fair.t.key('acme', { group: 'north' })).secret,
      (await fair.t.key('acme', { group: 'south' })).secret,
    ];
    const { attendee } = await guest([{ product: 'lunch' }], { group: 'north' });
    const { id, updated_at } = (await handOut({ attendee })).body;
    const since = `limit=100&include=removed&updated_since=${updated_at}`;
    clock.advance(MINUTE);
    const moved = await fair.t.call('PATCH', `/v1/events/fair/attendees/${attendee}`, {
      key: fair.key,
      body: { group: 'south' },
    });
    expect(moved.status).toBe(200);
    expect((await list(since, north)).filter((one) => one.id === id)).toMatchObject([{ removed: true }]);
    expect((await list(since, south)).filter((one) => one.id === id)).toMatchObject([{ product: 'lunch' }]);
  });
});

test('what was handed out cannot be taken from the booking, and can once it is back', async () => {
  const { attendee } = await guest();
  const { id } = (await handOut({ attendee })).body;
  const leave = () =>
    fair.t.call('PATCH', `/v1/events/fair/attendees/${attendee}`, { key: fair.key, body: { products: [] } });
  expect(code(await leave())).toEqual([409, 'invalid_state']);
  const desk = await member();
  await fair.app(desk.session, 'POST', `/events/fair/hand-outs/${id}/undo`, { reason: 'Not wanted' });
  expect((await leave()).status).toBe(200);
});

test('what was handed out keeps its product, its option and its check-in point', async () => {
  const make = (path: string, body: object) => fair.post(`/events/fair/${path}`, body);
  await make('products', {
    code: 'mug',
    name: 'Mug',
    options: [
      { code: 'red', name: 'Red' },
      { code: 'blue', name: 'Blue' },
    ],
  });
  await make('check-in-points', { code: 'counter', name: 'Counter', kind: 'entry' });
  const { attendee } = await guest();
  const sent = { attendee, product: 'mug', option: 'red', check_in_point: 'counter', offline: true };
  expect((await handOut(sent)).body.surplus).toBe(true);
  const call = (method: string, path: string, body?: object) =>
    fair.t.call(method, `/v1/events/fair/${path}`, { key: fair.key, body });
  expect(code(await call('DELETE', 'products/mug'))).toEqual([409, 'invalid_state']);
  expect(code(await call('DELETE', 'check-in-points/counter'))).toEqual([409, 'invalid_state']);
  expect(code(await call('PATCH', 'products/mug', { options: [{ code: 'blue', name: 'Blue' }] }))).toEqual([
    409,
    'invalid_state',
  ]);
  expect((await call('PATCH', 'products/mug', { options: [{ code: 'red', name: 'Red' }] })).status).toBe(200);
});
