import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY } from '../../clock.ts';
import { iso } from '../../store/stamps.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
let events = 0;
let event: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());
beforeEach(async () => {
  events += 1;
  event = `fair${events}`;
  await call('POST', '', { code: event, name: event });
  await call('POST', `/${event}/days`, { code: 'd1', date: '2040-06-01' });
});

async function call(method: string, path: string, body?: object, status: number | null = null): Promise<Row> {
  const answer = await t.call(method, `/v1/events${path}`, { key, ...(body && { body }) });
  if (status === null) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  else expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}
/** So many days from now, which may be in the past. */
const inDays = (days: number) => iso(new Date(t.clock.now().getTime() + days * DAY));
const makeType = (more: object) => call('POST', `/${event}/attendee-types`, { code: 'adult', name: 'Adult', ...more });
const readType = () => call('GET', `/${event}/attendee-types/adult`);
const register = (people = 1, more: object = {}, status: number | null = null) =>
  call(
    'POST',
    `/${event}/registrations`,
    {
      attendees: Array.from({ length: people }, (_, i) => ({
        ...{ attendee_type: 'adult', first_name: `Ada ${i}`, last_name: 'Early' },
      })),
      ...more,
    },
    status,
  );
const publish = () => call('POST', `/${event}/publish`);

describe('prices that hold for a while', () => {
  let phases: { name: string; from: string | null; until: string; price_minor: number }[];
  beforeEach(() => {
    const [first, second] = [inDays(10), inDays(20)];
    phases = [
      { name: 'Early bird', from: null, until: first, price_minor: 1000 },
      { name: 'Advance', from: first, until: second, price_minor: 1500 },
    ];
  });

  test('the first phase that holds is the price, from its first instant to before its last', async () => {
    const made = await makeType({ price_minor: 2000, prices: phases });
    expect(made).toMatchObject({ price_minor: 2000, prices: phases, current_price_minor: 1000 });
    expect(made.current_price_until).toBe(phases[0]!.until);
    await publish();
    const early = await register();
    expect(early).toMatchObject({ total_minor: 1000, attendees: [{ price_minor: 1000, price_name: 'Early bird' }] });

    t.clock.jump(phases[0]!.until!);
    expect(await readType()).toMatchObject({ current_price_minor: 1500, updated_at: made.updated_at });
    expect(await register()).toMatchObject({ total_minor: 1500, attendees: [{ price_name: 'Advance' }] });
    t.clock.advance(10 * DAY);
    expect(await readType()).toMatchObject({ current_price_minor: 2000, current_price_until: null });
    expect(await register()).toMatchObject({ total_minor: 2000, attendees: [{ price_name: null }] });

    // Whoever has registered keeps the price, also where somebody is changed and where the type gets dearer.
    await call('PATCH', `/${event}/attendee-types/adult`, { price_minor: 9000, prices: [] });
    const [{ id }] = early.attendees;
    await call('PATCH', `/${event}/attendees/${id}`, { first_name: 'Augusta' });
    expect(await call('GET', `/${event}/registrations/${early.id}`)).toMatchObject({
      total_minor: 1000,
      attendees: [{ price_minor: 1000, price_name: 'Early bird' }],
    });
  });

  test('a person of another price is asked to agree to it first', async () => {
    await makeType({ price_minor: 2000, prices: phases });
    await publish();
    t.clock.advance(10 * DAY);
    const refused = await register(1, { expected_total_minor: 1000 }, 409);
    expect(refused.error.code).toBe('price_changed');
    await register(1, { expected_total_minor: 1500 });
  });

  test('somebody who gets another type pays its price of that moment', async () => {
    await makeType({ price_minor: 2000, prices: phases });
    await call('POST', `/${event}/attendee-types`, {
      ...{ code: 'child', name: 'Child', price_minor: 500 },
      prices: [{ name: 'Summer', from: inDays(5), until: null, price_minor: 300 }],
    });
    await publish();
    const { attendees } = await register();
    t.clock.advance(6 * DAY);
    expect(await call('PATCH', `/${event}/attendees/${attendees[0].id}`, { attendee_type: 'child' })).toMatchObject({
      price_minor: 300,
      price_name: 'Summer',
    });
  });

  test('a phase that ends before it begins is a fault, and so are more than twenty', async () => {
    const reversed = await call(
      'POST',
      `/${event}/attendee-types`,
      { name: 'Adult', prices: [{ name: 'Never', from: inDays(2), until: inDays(2), price_minor: 1 }] },
      400,
    );
    expect(reversed.error.details).toMatchObject([{ path: 'prices/0/until' }]);
    const many = Array.from({ length: 21 }, (_, i) => ({ name: `P${i}`, price_minor: i }));
    const refused = await call('POST', `/${event}/attendee-types`, { name: 'Adult', prices: many }, 400);
    expect(refused.error.details).toMatchObject([{ path: 'prices' }]);
  });
});

describe('422 type_not_available', () => {
  test('a type is sold from its first instant to before its last', async () => {
    const [from, until] = [inDays(1), inDays(2)];
    await makeType({ on_sale: { from, until } });
    await publish();
    expect((await register(1, {}, 422)).error).toMatchObject({
      code: 'type_not_available',
      message: `The attendee type adult is on sale from ${from}.`,
    });
    t.clock.jump(from);
    await register();
    t.clock.jump(until);
    expect((await register(1, {}, 422)).error.message).toBe(`The attendee type adult was on sale until ${until}.`);
    await call('PATCH', `/${event}/attendee-types/adult`, { on_sale: null });
    await register();
  });
});

describe('how many of a type', () => {
  test('fewer or more than allowed is a fault, also where somebody is added', async () => {
    await makeType({ min_per_registration: 2, max_per_registration: 3 });
    await call('POST', `/${event}/attendee-types`, { code: 'guest', name: 'Guest' });
    await publish();
    for (const people of [1, 4]) {
      const { error } = await register(people, {}, 400);
      expect(error.details).toMatchObject([{ path: 'attendees/0/attendee_type', limit: people === 1 ? 2 : 3 }]);
    }
    const { id } = await register(3);
    const more = { attendee_type: 'adult', first_name: 'Bob', last_name: 'Late' };
    const refused = await call('POST', `/${event}/registrations/${id}/attendees`, more, 400);
    expect(refused.error.details).toMatchObject([{ path: 'attendee_type', rule: 'too_many', limit: 3 }]);
    await call('POST', `/${event}/registrations/${id}/attendees`, { ...more, attendee_type: 'guest' });
  });

  test('at most less than at least is a fault', async () => {
    await makeType({ min_per_registration: 2 });
    const { error } = await call('PATCH', `/${event}/attendee-types/adult`, { max_per_registration: 1 }, 400);
    expect(error.details).toMatchObject([{ path: 'max_per_registration' }]);
  });
});

test('a template keeps prices and sales, moved with its dates', async () => {
  await makeType({
    ...{ price_minor: 2000, description: 'With lunch.', min_per_registration: 2, max_per_registration: 4 },
    prices: [{ name: 'Early bird', from: null, until: '2040-05-01T22:00:00Z', price_minor: 1000 }],
    on_sale: { from: '2040-04-01T08:00:00Z', until: null },
  });
  const template = await call('GET', `/${event}/template`);
  expect(template.attendee_types[0]).not.toHaveProperty('current_price_minor');
  const made = await t.call('POST', '/v1/event-templates/imports', {
    key,
    body: { template, event: { code: `${event}-next`, first_day: '2040-06-11' } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  event = `${event}-next`;
  expect(await readType()).toMatchObject({
    ...{ price_minor: 2000, description: 'With lunch.', min_per_registration: 2, max_per_registration: 4 },
    prices: [{ name: 'Early bird', from: null, until: '2040-05-11T22:00:00Z', price_minor: 1000 }],
    on_sale: { from: '2040-04-11T08:00:00Z', until: null },
  });
});
