import type { RosterEntry } from '@turnout/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fair, openFair } from './fair.support.ts';
import { book, handOutAs } from './hand-outs.support.ts';

/** What the roster tells a scanner to hand out. */
let fair: Fair;
/** Somebody of the roster while the event had no products. */
let earlier: RosterEntry['people'][number];
beforeAll(async () => {
  fair = await openFair();
  const { people } = await fair.register();
  earlier = personIn(await since(), people[0]!)!;
  const products = [
    { code: 'lunch', name: 'Lunch', max: 5 },
    { code: 'shirt', name: 'T-shirt', max: 5, options: [{ code: 'm', name: 'Medium' }] },
    { code: 'table', name: 'Table', per: 'registration' },
  ];
  for (const one of products) expect((await fair.post('/events/fair/products', one)).status).toBe(201);
});
afterAll(() => fair.t.stop());

const AS_EVER = '2000-01-01T00:00:00Z';
async function since(at = AS_EVER, as = fair.key): Promise<{ as_of: string; data: RosterEntry[] }> {
  const { status, body } = await fair.get(`/events/fair/scan/roster?since=${encodeURIComponent(at)}`, as);
  expect(status).toBe(200);
  return body;
}
const personIn = ({ data }: { data: RosterEntry[] }, id: string) =>
  data.flatMap(({ people }) => people).find((person) => person.id === id);

test('an event without products has no such field, and one with products has it for everybody', async () => {
  expect(earlier).not.toHaveProperty('to_hand_out');
  expect(personIn(await since(), earlier.id)!.to_hand_out).toEqual([]);
});

test('what is left, the lines of one product and option together, and what was booked for all of them', async () => {
  const { id, people } = await fair.register({ people: 2 });
  const shirt = { product: 'shirt', option: 'm' };
  const lines = [
    { ...shirt, quantity: 2, handed_out: 1 },
    { ...shirt, price_minor: 100 },
    { product: 'lunch', handed_out: 1 },
  ];
  await book(fair.t, fair.key, { attendee: people[0]! }, lines);
  await book(fair.t, fair.key, { registration: id }, [{ product: 'table' }]);
  const table = {
    product: 'table',
    option: null,
    name: 'Table',
    option_name: null,
    left: 1,
    booked_by: 'registration',
  };
  const shirts = { ...shirt, name: 'T-shirt', option_name: 'Medium', left: 2, booked_by: 'attendee' };
  const roster = await since();
  expect(personIn(roster, people[0]!)!.to_hand_out).toEqual([shirts, table]);
  expect(personIn(roster, people[1]!)!.to_hand_out).toEqual([table]);
  const { body } = await fair.get('/events/fair/scan/manifest');
  const whole = (await fair.t.call('GET', new URL(body.roster.url).pathname)).body;
  expect(personIn(whole, people[0]!)!.to_hand_out).toEqual([shirts, table]);
});

test('a hand-out comes with the next changes, to everybody whom it concerns', async () => {
  const { id, people } = await fair.register({ people: 2 });
  await book(fair.t, fair.key, { attendee: people[0]! }, [{ product: 'lunch' }]);
  await book(fair.t, fair.key, { registration: id }, [{ product: 'table' }]);
  const { as_of } = await since();
  expect((await handOutAs(fair.t, fair.key, { attendee: people[0]! })).status).toBe(201);
  const after = await since(as_of);
  expect(personIn(after, people[0]!)!.to_hand_out).toMatchObject([{ product: 'table' }]);
  expect((await handOutAs(fair.t, fair.key, { registration: id, product: 'table' })).status).toBe(201);
  const last = await since(after.as_of);
  for (const person of people) expect(personIn(last, person)!.to_hand_out).toEqual([]);
});

test('whoever is not confirmed any more gets nothing', async () => {
  const { id, people } = await fair.register();
  await book(fair.t, fair.key, { attendee: people[0]! }, [{ product: 'lunch' }]);
  expect((await fair.post(`/events/fair/registrations/${id}/cancel`)).status).toBe(200);
  expect(personIn(await since(), people[0]!)!.to_hand_out).toEqual([]);
});

test('in test mode of a live event nothing is handed out', async () => {
  const { people } = await fair.register();
  await book(fair.t, fair.key, { attendee: people[0]! }, [{ product: 'lunch' }]);
  expect(personIn(await since(AS_EVER, fair.testKey), people[0]!)).not.toHaveProperty('to_hand_out');
});

test('a roster of a group has what was booked for all only if all are of the group', async () => {
  const north = (await fair.t.key('acme', { group: 'north' })).secret;
  const own = await fair.register({ group: ['north', 'hill'] });
  const mixed = await fair.register({ group: ['north', 'south'] });
  for (const { id } of [own, mixed]) await book(fair.t, fair.key, { registration: id }, [{ product: 'table' }]);
  const roster = await since(AS_EVER, north);
  expect(personIn(roster, own.people[0]!)!.to_hand_out).toMatchObject([{ product: 'table' }]);
  expect(personIn(roster, mixed.people[0]!)!.to_hand_out).toEqual([]);
  expect(personIn(roster, mixed.people[1]!)).toBeUndefined();
});
