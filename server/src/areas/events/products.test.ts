import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
const call = (method: string, path: string, body?: object) =>
  t.call(method, `/v1${path}`, { key, ...(body && { body }) });
const made = async (path: string, body: object) => {
  const reply = await call('POST', path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const answer = ({ status, body }: Reply) => [status, body?.error?.code];
const faults = ({ status, body }: Reply) => [status, body?.error?.details?.map((one: { path: string }) => one.path)];
const product = (body: object) => made('/events/fair/products', { name: 'Product', ...body });
const change = (code: string, body: object) => call('PATCH', `/events/fair/products/${code}`, body);
const SIZES = [
  { code: 's', name: 'S' },
  { code: 'm', name: 'M', capacity: 5 },
];
/** Somebody registers with these products. */
const booked = (products: object[], together: object[] = []) =>
  made('/events/fair/registrations', {
    attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Byron', days: ['sat'], products }],
    products: together,
    send_emails: false,
  });

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { rpm: 1_000_000 })).secret;
  await made('/events', { code: 'fair', name: 'Fair' });
  await made('/events/fair/days', { code: 'sat', date: '2055-05-01' });
  await made('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await call('POST', '/events/fair/publish');
});
afterAll(() => t.stop());

describe('options', () => {
  test('get codes from their names, each its own, and no more than 50', async () => {
    const options = [{ name: 'Größe M' }, { code: 'groesse-m', name: 'x' }, { name: 'Größe M' }, { name: '!' }];
    const { options: shown } = await product({ code: 'named', options });
    expect(shown.map((one: { code: string }) => one.code)).toEqual(['grosse-m', 'groesse-m', 'grosse-m-2', 'option']);
    const many = Array.from({ length: 51 }, (_, i) => ({ name: `N${i}` }));
    expect(faults(await change('named', { options: many }))).toEqual([400, ['options']]);
    const twice = [
      { code: 'a', name: 'A' },
      { code: 'A', name: 'B' },
    ];
    expect(faults(await change('named', { options: twice }))).toEqual([400, ['options/1/code']]);
  });

  test('stay what they are by their code: renamed and moved, what was booked of them still counts', async () => {
    await product({ code: 'shirt', options: SIZES });
    await booked([{ product: 'shirt', option: 'm' }]);
    const options = [
      { code: 'l', name: 'L' },
      { code: 'm', name: 'Medium', capacity: 3 },
      { code: 's', name: 'S' },
    ];
    expect((await change('shirt', { options })).status).toBe(200);
    const availability = (await call('GET', '/events/fair/availability')).body.products;
    const shirt = availability.find((one: { product: string }) => one.product === 'shirt');
    expect(shirt.options).toMatchObject([
      { option: 'l', taken: 0 },
      { option: 'm', taken: 1, capacity: 3, left: 2 },
      { option: 's', taken: 0 },
    ]);
  });

  test('that somebody has booked cannot leave the list nor get another code; others can', async () => {
    await product({ code: 'cap', options: SIZES });
    const { id } = await booked([{ product: 'cap', option: 'm' }]);
    const [s, m] = SIZES;
    expect((await change('cap', { options: [m!] })).status).toBe(200);
    for (const options of [[s!], [], [{ ...m!, code: 'M' }]])
      expect(answer(await change('cap', { options }))).toEqual([409, 'invalid_state']);
    // Also after they have cancelled: the registration still shows it.
    await call('POST', `/events/fair/registrations/${id}/cancel`, {});
    expect(answer(await change('cap', { options: [s!] }))).toEqual([409, 'invalid_state']);
  });

  test('a product that was booked without options gets none', async () => {
    await product({ code: 'bag' });
    expect((await change('bag', { options: SIZES })).status).toBe(200);
    expect((await change('bag', { options: [] })).status).toBe(200);
    await booked([{ product: 'bag' }]);
    expect(answer(await change('bag', { options: SIZES }))).toEqual([409, 'invalid_state']);
  });
});

describe('once somebody has booked it, a product', () => {
  test('keeps its code and who takes it, and is not deleted; its price may change', async () => {
    await product({ code: 'parking', per: 'registration', price_minor: 1000 });
    expect((await change('parking', { per: 'attendee' })).status).toBe(200);
    expect((await change('parking', { per: 'registration' })).status).toBe(200);
    const { id } = await booked([], [{ product: 'parking' }]);
    expect(answer(await change('parking', { per: 'attendee' }))).toEqual([409, 'invalid_state']);
    expect(answer(await change('parking', { code: 'car-park' }))).toEqual([409, 'invalid_state']);
    expect(answer(await call('DELETE', '/events/fair/products/parking'))).toEqual([409, 'invalid_state']);
    expect((await change('parking', { price_minor: 1200, max: 3, visible: false })).status).toBe(200);
    expect((await call('GET', `/events/fair/registrations/${id}`)).body.total_minor).toBe(1000);
  });
});

test('what names a product keeps it, and five of these are named', async () => {
  await product({ code: 'named-often' });
  for (let n = 0; n < 6; n += 1)
    await made('/events/fair/quotas', { name: `Limit ${n}`, capacity: 1, products: ['named-often'] });
  const refused = await call('DELETE', '/events/fair/products/named-often');
  expect(answer(refused)).toEqual([409, 'invalid_state']);
  expect(refused.body.error.message.match(/the shared limit/g)).toHaveLength(5);
  for (let n = 0; n < 6; n += 1) await call('DELETE', `/events/fair/quotas/limit-${n}`);
  expect((await call('DELETE', '/events/fair/products/named-often')).status).toBe(204);
});

test('a day and a type that a product is for stay', async () => {
  await made('/events/fair/days', { code: 'sun', date: '2055-05-02' });
  await made('/events/fair/attendee-types', { code: 'child', name: 'Child' });
  await product({ code: 'brunch', days: ['sun'], attendee_types: ['child'] });
  expect(answer(await call('DELETE', '/events/fair/days/sun'))).toEqual([409, 'invalid_state']);
  expect(answer(await call('DELETE', '/events/fair/attendee-types/child'))).toEqual([409, 'invalid_state']);
  await call('DELETE', '/events/fair/products/brunch');
  expect((await call('DELETE', '/events/fair/days/sun')).status).toBe(204);
});

test('an event has at most 200 products', async () => {
  await made('/events', { code: 'shop', name: 'Shop' });
  for (let n = 0; n < 200; n += 1) await made('/events/shop/products', { name: 'Thing' });
  expect(answer(await call('POST', '/events/shop/products', { name: 'Thing' }))).toEqual([409, 'invalid_state']);
});
