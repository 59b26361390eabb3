import { afterEach, beforeAll, expect, test } from 'vitest';
import { engineWorld, told } from './support/scanner/engine-world.ts';

/** Points that ask for products, as a device without a network knows them. */
const world = engineWorld();

const make = async (path: string, body: unknown) => {
  const made = await world.fair.post(path, body);
  expect(made.status, made.text).toBeLessThan(300);
  return made.body;
};
const change = async (path: string, body: unknown) => {
  const changed = await world.fair.t.call('PATCH', `/v1/events/fair${path}`, { key: world.fair.key, body });
  expect(changed.status, changed.text).toBe(200);
};
/** People of one registration, each with what they take, and what the registration takes as a whole. */
async function register(people: readonly string[][], whole: readonly string[] = []) {
  const chosen = (codes: readonly string[]) => codes.map((product) => ({ product }));
  const { id, attendees } = await make('/events/fair/registrations', {
    attendees: people.map((products, i) => ({
      ...{ attendee_type: 'adult', first_name: `P${i}`, last_name: 'Booked', days: ['d1'], products: chosen(products) },
    })),
    ...{ products: chosen(whole), send_emails: false },
  });
  const ids: string[] = attendees.map((one: { id: string }) => one.id);
  return { id: id as string, code: attendees[0].tickets[0].code as string, people: ids };
}

let kitchen: { id: string };
beforeAll(async () => {
  await make('/events/fair/products', { code: 'class', name: 'Bread class' });
  await make('/events/fair/products', { code: 'bus', name: 'Bus', per: 'registration' });
  kitchen = await make('/events/fair/check-in-points', { code: 'kitchen', name: 'Kitchen', kind: 'entry' });
});
const ask = (products: string[] | null) => change(`/check-in-points/${kitchen.id}`, { policy: { products } });
afterEach(() => ask(null));

test('a device learns what people have booked as soon as a point asks for it, and decides as the server does', async () => {
  const mixed = await register([['class'], []]);
  const nothing = await register([[]]);
  const bus = await register([[], []], ['bus']);

  const one = await world.device();
  expect(one.engine.manifest()?.min_sw_version).toBe('1.0.0');
  await ask(['class', 'bus']);
  await one.until(({ loading }) => loading === null && one.engine.manifest()?.min_sw_version === '1.1.0');
  expect(one.engine.manifest()?.products).toEqual([
    { code: 'class', name: 'Bread class' },
    { code: 'bus', name: 'Bus' },
  ]);

  await one.offline();
  const scan = async ({ code, people }: { code: string; people: string[] }) =>
    told(await one.scan({ code, people, point: 'kitchen' }));
  const first = await scan(mixed);
  expect(first).toMatchObject({ by: 'device', result: 'accepted', tone: 'mixed' });
  expect(first.people.map(({ result, reason }) => [result, reason])).toEqual([
    ['accepted', null],
    ['rejected', 'product_missing'],
  ]);
  const second = await scan(nothing);
  expect(second).toMatchObject({ by: 'device', result: 'rejected', reason: 'product_missing', tone: 'danger' });
  expect(await scan(bus)).toMatchObject({ by: 'device', result: 'accepted', tone: 'success' });

  await one.online();
  expect(await world.recorded(second.client_uuid)).toMatchObject([
    { result: 'rejected', reason: 'product_missing', offline_result: 'rejected' },
  ]);
  expect(one.disagreements).toEqual([]);
});

test('what is booked later reaches a device with the changes of the roster, for a person and for the registration', async () => {
  await ask(['class', 'bus']);
  const person = await register([[]]);
  const whole = await register([[], []]);
  const one = await world.device();
  const atKitchen = async ({ code, people }: { code: string; people: string[] }) =>
    told(await one.scan({ code, people, point: 'kitchen' }));
  await change(`/attendees/${person.people[0]}`, { products: [{ product: 'class' }] });
  await change(`/registrations/${whole.id}`, { products: [{ product: 'bus' }] });
  await world.devices.newestChanges();
  await one.offline();
  expect(await atKitchen(person)).toMatchObject({ by: 'device', result: 'accepted' });
  expect(await atKitchen(whole)).toMatchObject({ by: 'device', result: 'accepted', people: [{}, {}] });
  await one.online();
  expect(one.disagreements).toEqual([]);
});
