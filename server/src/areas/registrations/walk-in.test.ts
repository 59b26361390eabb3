import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { sql } from '../../store/sql.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
let events = 0;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

async function makeEvent(registration: object = {}, more: object = {}): Promise<string> {
  events += 1;
  const code = `fair${events}`;
  const made = async (path: string, body?: object) =>
    expect((await t.call('POST', `/v1/events${path}`, { key, body })).status).toBeLessThan(300);
  await made('', { code, name: code, registration, ...more });
  await made(`/${code}/days`, { code: 'd1', date: '2030-06-01' });
  await made(`/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 1500 });
  await made(`/${code}/attendee-types`, { code: 'child', name: 'Child', price_minor: 0 });
  await made(`/${code}/publish`);
  return code;
}
const walkIn = (event: string, payment: object, type = 'adult') =>
  t.call('POST', `/v1/events/${event}/registrations`, {
    key,
    body: {
      attendees: [{ attendee_type: type, first_name: 'Wanda', last_name: 'Walker', email: 'wanda@example.org' }],
      payment,
    },
  });
const payments = async (event: string): Promise<Row[]> =>
  (await t.call('GET', `/v1/events/${event}/payments`, { key })).body.data;
const mails = (event: string) =>
  t.system(async (tx) =>
    (
      await tx.all<{ kind: string }>(sql`
        select m.kind from mails m join events e on e.id = m.event_id where e.code = ${event} order by m.id`)
    ).map(({ kind }) => kind),
  );

test('whoever pays at once is confirmed at once, and is not asked to pay by mail', async () => {
  const event = await makeEvent();
  const { status, body } = await walkIn(event, { method: 'cash', reference: 'Receipt 7' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: 'confirmed', total_minor: 1500, paid_minor: 1500, balance_minor: 0 });
  expect(body.payment_due_at).toBe(null);
  expect(body.attendees[0].tickets).toHaveLength(1);
  expect(await payments(event)).toMatchObject([
    { amount_minor: 1500, method: 'cash', reference: 'Receipt 7', status: 'received', registration_id: body.id },
  ]);
  expect(await mails(event)).toEqual(['confirmation']);
  const raised = await t.system((tx) =>
    tx.all<{ type: string }>(sql`
      select o.type from outbox o join events e on e.id = o.event_id where e.code = ${event} order by o.type`),
  );
  expect(raised.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['payment.received', 'registration.confirmed', 'registration.created', 'ticket.issued']),
  );
});

test('a part is received as a part', async () => {
  const event = await makeEvent();
  const { body } = await walkIn(event, { method: 'card', amount_minor: 500 });
  expect(body).toMatchObject({ status: 'pending_payment', paid_minor: 500, balance_minor: 1000 });
  expect(body.attendees[0].tickets).toEqual([]);
});

test('where nothing is due, nothing is recorded unless an amount is given', async () => {
  const event = await makeEvent();
  expect((await walkIn(event, { method: 'cash' }, 'child')).body).toMatchObject({ status: 'confirmed', paid_minor: 0 });
  expect(await payments(event)).toEqual([]);
  expect((await walkIn(event, { method: 'cash', amount_minor: 200 }, 'child')).body).toMatchObject({
    status: 'confirmed',
    balance_minor: -200,
  });
});

test('what waits for approval is paid, and still waits', async () => {
  const event = await makeEvent({ approval: true });
  const { body } = await walkIn(event, { method: 'cash' });
  expect(body).toMatchObject({ status: 'pending_approval', paid_minor: 1500 });
});

test('without room nobody pays: the registration is refused, and nothing is left of it', async () => {
  const event = await makeEvent({ waitlist: true }, { capacity: 1 });
  expect((await walkIn(event, { method: 'cash' })).status).toBe(201);
  const refused = await walkIn(event, { method: 'cash' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
  const { data } = (await t.call('GET', `/v1/events/${event}/registrations`, { key })).body;
  expect(data).toHaveLength(1);
  expect(await payments(event)).toHaveLength(1);
});

test('another currency, another method and an amount below one are refused beside the field', async () => {
  const event = await makeEvent();
  const paths = async (payment: object) =>
    (await walkIn(event, payment)).body.error.details.map((one: Row) => one.path);
  expect(await paths({ method: 'cash', currency: 'USD' })).toEqual(['payment/currency']);
  expect(await paths({ method: 'online' })).toEqual(['payment/method']);
  expect(await paths({ method: 'cash', amount_minor: 0 })).toEqual(['payment/amount_minor']);
  expect(await payments(event)).toEqual([]);
});

test('many walk-ins at once share a transaction, and each pays for itself', async () => {
  const event = await makeEvent({}, { capacity: 5 });
  const replies = await Promise.all(Array.from({ length: 8 }, () => walkIn(event, { method: 'cash' })));
  expect(replies.map((one) => one.status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
  const rows = await payments(event);
  expect(rows).toHaveLength(5);
  expect(new Set(rows.map((row) => row.registration_id)).size).toBe(5);
});

test('a desk clerk takes the money', async () => {
  const event = await makeEvent();
  const desk = await t.session('acme', 'desk');
  const reply = await t.call('POST', `/app/api/events/${event}/registrations`, {
    headers: { cookie: `${SESSION_COOKIE}=${desk}` },
    body: {
      attendees: [{ attendee_type: 'adult', first_name: 'Wim', last_name: 'Walker' }],
      payment: { method: 'cash' },
    },
  });
  expect([reply.status, reply.body.status]).toEqual([201, 'confirmed']);
});

test('a member registers a guest under a type that the form hides, and a key does not', async () => {
  const event = await makeEvent();
  const guest = { code: 'guest', name: 'Guest', price_minor: 0, visible: false };
  expect((await t.call('POST', `/v1/events/${event}/attendee-types`, { key, body: guest })).status).toBe(201);
  const body = { attendees: [{ attendee_type: 'guest', first_name: 'Gus', last_name: 'Guest' }] };
  const byKey = await t.call('POST', `/v1/events/${event}/registrations`, { key, body });
  expect([byKey.status, byKey.body.error?.code]).toEqual([422, 'type_not_available']);
  const desk = await t.session('acme', 'desk');
  const headers = { cookie: `${SESSION_COOKIE}=${desk}` };
  const made = await t.call('POST', `/app/api/events/${event}/registrations`, { headers, body });
  expect([made.status, made.body.status, made.body.total_minor]).toEqual([201, 'confirmed', 0]);
  // One who paid for another type can become a guest, too.
  const adult = { attendees: [{ attendee_type: 'adult', first_name: 'Wim', last_name: 'Walker' }] };
  const other = await t.call('POST', `/app/api/events/${event}/registrations`, { headers, body: adult });
  const change = { headers, body: { attendee_type: 'guest' } };
  const changed = await t.call('PATCH', `/app/api/events/${event}/attendees/${other.body.attendees[0].id}`, change);
  expect([changed.status, changed.body.attendee_type]).toEqual([200, 'guest']);
});
