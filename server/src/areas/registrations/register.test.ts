import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
let testKey: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
});
afterAll(() => t.stop());

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const get = (path: string, as = key) => t.call('GET', `/v1${path}`, { key: as });

let serial = 0;
async function event(
  body: object = {},
  options: { days?: object[]; types?: object[]; questions?: object[]; publish?: boolean } = {},
) {
  const code = `e${++serial}`;
  expect((await post('/events', { code, name: code, ...body })).status).toBe(201);
  for (const day of options.days ?? [{ code: 'd1', date: '2036-12-01' }])
    expect((await post(`/events/${code}/days`, day)).status).toBe(201);
  for (const type of options.types ?? [{ code: 'adult', name: 'Adult' }])
    expect((await post(`/events/${code}/attendee-types`, type)).status).toBe(201);
  for (const question of options.questions ?? [])
    expect((await post(`/events/${code}/questions`, question)).status).toBe(201);
  if (options.publish !== false) expect((await post(`/events/${code}/publish`)).status).toBe(200);
  return code;
}
const person = (more: object = {}) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: `Person${++serial}`,
  ...more,
});
const register = (code: string, attendees: object[], more: object = {}, as = key) =>
  post(`/events/${code}/registrations`, { attendees, ...more }, as);
const occurrences = async (code: string) =>
  (
    await t.system((tx) =>
      tx.all<{ type: string }>(sql`
      select o.type from outbox o join events e on e.id = o.event_id where e.code = ${code} order by o.id`),
    )
  ).map((row) => row.type);

describe('a registration', () => {
  // claim: registration-attendees, registration-status, tickets-issued
  test('is confirmed with tickets if nothing has to be approved or paid', async () => {
    const code = await event();
    const made = await register(code, [person({ email: 'ada@example.org' }), person()]);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: 'confirmed',
      source: 'api',
      test: false,
      total_minor: 0,
      currency: 'EUR',
      contact: { email: 'ada@example.org' },
    });
    expect(made.body.attendees).toHaveLength(2);
    for (const attendee of made.body.attendees) {
      expect(attendee).toMatchObject({ attendee_type: 'adult', days: ['d1'], status: 'confirmed' });
      expect(attendee).not.toHaveProperty('checked_in');
      expect(attendee.tickets).toHaveLength(1);
      expect(attendee.tickets[0].code).toMatch(/^[0-9A-HJKMNP-TV-Z]{28}$/);
    }
    expect(await occurrences(code)).toEqual([
      'registration.created',
      'registration.confirmed',
      'ticket.issued',
      'ticket.issued',
    ]);
    const again = await get(`/events/${code}/registrations/${made.body.code.toLowerCase()}`);
    expect(again.body).toEqual(made.body);
  });

  // claim: tickets-on-confirmation
  test('waits for payment, is confirmed when paid in full, and stays so when refunded', async () => {
    const code = await event({}, { types: [{ code: 'adult', name: 'Adult', price_minor: 1500 }] });
    const made = (await register(code, [person(), person()])).body;
    expect(made).toMatchObject({ status: 'pending_payment', total_minor: 3000, paid_minor: 0 });
    expect(made.attendees[0].tickets).toEqual([]);
    const pay = (amount_minor: number) =>
      post(`/events/${code}/registrations/${made.id}/payments`, { amount_minor, method: 'cash' });
    const part = await pay(1000);
    expect(part.body).toMatchObject({ amount_minor: 1000, status: 'received', refunded_minor: 0 });
    expect((await get(`/events/${code}/registrations/${made.id}`)).body).toMatchObject({
      status: 'pending_payment',
      paid_minor: 1000,
    });
    await pay(2500);
    const paid = (await get(`/events/${code}/registrations/${made.id}`)).body;
    expect(paid).toMatchObject({ status: 'confirmed', paid_minor: 3500 });
    expect(paid.attendees[0].tickets).toHaveLength(1);
    const some = await post(`/payments/${part.body.id}/refund`, { amount_minor: 400 });
    expect(some.body).toMatchObject({ status: 'received', refunded_minor: 400 });
    expect((await get(`/events/${code}/registrations/${made.id}`)).body.status).toBe('confirmed');
    expect((await post(`/payments/${part.body.id}/refund`, {})).body).toMatchObject({
      status: 'refunded',
      refunded_minor: 1000,
    });
    const back = (await get(`/events/${code}/registrations/${made.id}`)).body;
    expect(back).toMatchObject({ status: 'confirmed', paid_minor: 2500, balance_minor: 500 });
    expect(back.attendees[0].tickets[0].status).toBe('valid');
    expect((await post(`/payments/${part.body.id}/refund`, {})).status).toBe(409);
  });
});

describe('the form’s rules', () => {
  // claim: api-follows-form-rules
  test('422 registration_closed while not published, before it opens, after it closes', async () => {
    const draft = await event({}, { publish: false });
    expect((await register(draft, [person()])).body.error.code).toBe('registration_closed');
    const later = await event({ registration: { opens_at: '2099-01-01T00:00:00Z' } });
    expect((await register(later, [person()])).body.error.message).toContain('opens at');
    const over = await event({ registration: { closes_at: '2020-01-01T00:00:00Z' } });
    expect((await register(over, [person()])).body.error.code).toBe('registration_closed');
  });

  // claim: attendee-input, type-and-days
  test('all faults of types, days and answers are named together, and refusals come in their order', async () => {
    const code = await event(
      { registration: { max_people: 2 } },
      {
        days: [
          { code: 'd1', date: '2036-12-01' },
          { code: 'd2', date: '2036-12-02' },
        ],
        types: [
          { code: 'adult', name: 'Adult' },
          { code: 'crew', name: 'Crew', visible: false, days: ['d1'] },
          { code: 'one', name: 'One', days: ['d1'] },
          { code: 'pass', name: 'Pass', pass_days: 1 },
        ],
        questions: [
          { code: 'size', label: 'Size?', kind: 'choice', options: ['S', 'M'], required: true },
          { code: 'age', label: 'Age?', kind: 'number' },
          { code: 'skills', label: 'Skills?', kind: 'choices', options: ['a', 'b'] },
        ],
      },
    );
    const wrong = await register(code, [
      person({ attendee_type: 'nobody', days: ['d1'] }),
      person({ days: ['d1', 'd9'], answers: { size: 'XXL', age: 'old', skills: ['a', 'z'], odd: 1 } }),
      person({ group: 'nowhere' }),
    ]);
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual(
      [
        'attendees',
        'attendees/0/attendee_type',
        'attendees/1/answers/age',
        'attendees/1/answers/odd',
        'attendees/1/answers/size',
        'attendees/1/answers/skills',
        'attendees/1/days/1',
        'attendees/2/days',
        'attendees/2/group',
      ].sort(),
    );
    const hidden = await register(code, [person({ attendee_type: 'crew' })]);
    expect(hidden.body.error.code).toBe('type_not_available');
    const day = await register(code, [person({ attendee_type: 'one', days: ['d2'] })]);
    expect(day.body.error.code).toBe('day_not_available');
    const answer = await register(code, [person({ days: ['d1'] })]);
    expect(answer.body.error).toMatchObject({
      code: 'answer_required',
      details: [{ path: 'attendees/0/answers/size' }],
    });
    const good = await register(code, [person({ attendee_type: 'pass', answers: { SIZE: 'M', skills: ['b'] } })]);
    expect(good.body.attendees[0]).toMatchObject({ days: ['d1', 'd2'], answers: { size: 'M', skills: ['b'] } });
  });

  test('an e-mail address can register once if the event says so', async () => {
    const code = await event({ registration: { unique_email: true } });
    expect(
      (await register(code, [person({ email: 'a@example.org' }), person({ email: 'A@example.org' })])).body.error.code,
    ).toBe('duplicate_email');
    const first = await register(code, [person({ email: 'a@example.org' })]);
    expect(first.status).toBe(201);
    expect((await register(code, [person({ email: 'A@Example.org' })])).body.error.code).toBe('duplicate_email');
    const both = await Promise.all([1, 2, 3].map(() => register(code, [person({ email: 'same@example.org' })])));
    expect(both.map((reply) => reply.status).sort()).toEqual([201, 422, 422]);
    await post(`/events/${code}/registrations/${first.body.id}/cancel`, {});
    expect((await register(code, [person({ email: 'a@example.org' })])).status).toBe(201);
  });
});

describe('places', () => {
  // claim: api-follows-form-rules
  test('the first full scope gives the refusal, in the order event, type, day', async () => {
    const full = await event({ capacity: 1 });
    await register(full, [person()]);
    expect((await register(full, [person()])).body.error.code).toBe('event_full');
    const type = await event({}, { types: [{ code: 'adult', name: 'Adult', capacity: 1 }] });
    await register(type, [person()]);
    expect((await register(type, [person()])).body.error.code).toBe('type_full');
    const day = await event({}, { days: [{ code: 'd1', date: '2036-12-01', capacity: 2 }] });
    expect((await register(day, [person(), person(), person()])).body.error).toMatchObject({
      code: 'day_full',
      message: 'The day d1 has 2 places left.',
    });
    expect((await register(day, [person(), person()])).status).toBe(201);
    await t.plan('acme', 'scale', [['attendees_per_event', '1']]);
    const cap = await event({ capacity: 1, registration: { waitlist: true } });
    await register(cap, [person()]);
    expect((await register(cap, [person()])).body.error.code).toBe('attendee_cap_reached');
    await t.plan('acme', 'scale', [['attendees_per_event', 'default']]);
  });

  // claim: test-mode
  test('of 60 at once for 25 places exactly 25 get one, live and test apart', async () => {
    const code = await event({ capacity: 25 });
    const replies = await Promise.all(Array.from({ length: 60 }, () => register(code, [person()])));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(25);
    expect(replies.filter((reply) => reply.body.error?.code === 'event_full')).toHaveLength(35);
    const tests = await Promise.all(Array.from({ length: 30 }, () => register(code, [person()], {}, testKey)));
    expect(tests.filter((reply) => reply.status === 201)).toHaveLength(25);
    expect(tests[0]!.body.test).toBe(true);
    const count = await get(`/events/${code}/attendees?limit=200`);
    expect(count.body.data).toHaveLength(25);
    expect((await get(`/events/${code}/attendees?limit=200`, testKey)).body.data).toHaveLength(50);
  });

  test('the waitlist promotes whole registrations, oldest first; those that do not fit are passed over, and newcomers queue', async () => {
    const code = await event({ capacity: 3, registration: { waitlist: true } });
    const first = (await register(code, [person(), person()])).body;
    const second = (await register(code, [person()])).body;
    const pair = (await register(code, [person(), person()])).body;
    const single = (await register(code, [person()])).body;
    expect([first.status, second.status, pair.status, single.status]).toEqual([
      'confirmed',
      'confirmed',
      'waitlisted',
      'waitlisted',
    ]);
    const status = async (id: string) => (await get(`/events/${code}/registrations/${id}`)).body.status;
    await post(`/events/${code}/registrations/${second.id}/cancel`, {});
    expect([await status(pair.id), await status(single.id)]).toEqual(['waitlisted', 'confirmed']);
    const newcomer = (await register(code, [person()])).body;
    expect(newcomer.status).toBe('waitlisted');
    expect((await post(`/events/${code}/registrations/${pair.id}/promote`)).body.error.message).toContain(
      'enough places',
    );
    await post(`/events/${code}/registrations/${first.id}/cancel`, {});
    expect([await status(pair.id), await status(newcomer.id)]).toEqual(['confirmed', 'waitlisted']);
    expect(await occurrences(code)).toContain('registration.promoted');
  });
});

describe('attendees of a registration', () => {
  // claim: add-attendee
  test('adding one issues tickets at once; a full day is refused and not waitlisted', async () => {
    const code = await event(
      { registration: { waitlist: true } },
      { days: [{ code: 'd1', date: '2036-12-01', capacity: 2 }] },
    );
    const made = (await register(code, [person()])).body;
    const added = await post(`/events/${code}/registrations/${made.id}/attendees`, person());
    expect([added.status, added.body.tickets.length, added.body.status]).toEqual([201, 1, 'confirmed']);
    expect((await post(`/events/${code}/registrations/${made.id}/attendees`, person())).body.error.code).toBe(
      'day_full',
    );
    expect(await occurrences(code)).toEqual([
      'registration.created',
      'registration.confirmed',
      'ticket.issued',
      'registration.attendee_added',
      'ticket.issued',
      'registration.updated',
    ]);
  });

  // claim: type-and-days
  test('changing type and days moves exactly their places and adjusts tickets (per_day)', async () => {
    const code = await event(
      { ticketing: 'per_day' },
      {
        days: [
          { code: 'd1', date: '2036-12-01', capacity: 1 },
          { code: 'd2', date: '2036-12-02', capacity: 1 },
          { code: 'd3', date: '2036-12-03' },
        ],
      },
    );
    const made = (await register(code, [person({ days: ['d1', 'd2'] })])).body;
    const [attendee] = made.attendees;
    expect(attendee.tickets).toHaveLength(2);
    const changed = await t.call('PATCH', `/v1/events/${code}/attendees/${attendee.id}`, {
      key,
      body: { days: ['d2', 'd3'], first_name: 'Grace' },
    });
    expect(changed.body).toMatchObject({ first_name: 'Grace', days: ['d2', 'd3'] });
    expect(changed.body.tickets.map((ticket: { status: string }) => ticket.status).sort()).toEqual([
      'valid',
      'valid',
      'voided',
    ]);
    expect((await register(code, [person({ days: ['d1'] })])).status).toBe(201);
    expect((await register(code, [person({ days: ['d2'] })])).body.error.code).toBe('day_full');
  });

  // claim: registration-status
  test('cancelling one frees the place, and cancelling the last one cancels the registration (shared ticket)', async () => {
    const code = await event({ ticketing: 'shared', capacity: 2 });
    const made = (await register(code, [person(), person()])).body;
    const [a, b] = made.attendees;
    expect(a.tickets).toEqual(b.tickets);
    expect((await post(`/events/${code}/attendees/${a.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    const ticket = (await get(`/tickets/${b.tickets[0].id}`)).body;
    expect(ticket).toMatchObject({ status: 'valid', attendees: [{ id: b.id }] });
    expect((await register(code, [person()])).status).toBe(201);
    await post(`/events/${code}/attendees/${b.id}/cancel`);
    expect((await get(`/events/${code}/registrations/${made.id}`)).body.status).toBe('cancelled');
    expect((await get(`/tickets/${ticket.id}`)).body).toMatchObject({
      status: 'voided',
      void_reason: 'registration_cancelled',
    });
  });

  test('tickets can be issued, voided and reissued by hand', async () => {
    const code = await event();
    const made = (await register(code, [person()])).body;
    const [attendee] = made.attendees;
    const extra = await post(`/events/${code}/tickets`, { attendee: attendee.id });
    expect(extra.status).toBe(201);
    const reissued = await post(`/tickets/${extra.body.id}/reissue`);
    expect(reissued.body.code).not.toBe(extra.body.code);
    expect((await get(`/tickets/${extra.body.id}`)).body).toMatchObject({
      status: 'voided',
      void_reason: 'reissued',
      replaced_by: reissued.body.id,
    });
    expect((await post(`/tickets/${extra.body.id}/void`, {})).status).toBe(409);
    expect((await post(`/tickets/${reissued.body.id}/void`, { reason: 'lost' })).body.void_reason).toBe('lost');
    const list = await get(`/events/${code}/tickets?status=valid`);
    expect(list.body.data.map((ticket: { id: string }) => ticket.id)).toEqual([attendee.tickets[0].id]);
  });
});

test('search by name, e-mail and code', async () => {
  const code = await event();
  const made = (
    await register(code, [
      { attendee_type: 'adult', first_name: 'Jürgen', last_name: 'Müller', email: 'Jurgen@Example.org' },
      { attendee_type: 'adult', first_name: 'Anna', last_name: 'Anderson' },
    ])
  ).body;
  const found = async (text: string) =>
    (await get(`/events/${code}/attendees?search=${encodeURIComponent(text)}`)).body.data.map(
      (one: { first_name: string }) => one.first_name,
    );
  expect(await found('muller')).toEqual(['Jürgen']);
  expect(await found('JÜRGEN m')).toEqual(['Jürgen']);
  expect(await found('jurgen@ex')).toEqual(['Jürgen']);
  expect(await found('ann')).toEqual(['Anna']);
  expect(await found('and')).toEqual(['Anna']);
  expect(await found(made.code)).toEqual(['Jürgen', 'Anna']);
  expect(await found(made.attendees[0].tickets[0].code)).toEqual(['Jürgen']);
  expect(await found('%')).toEqual([]);
});
