import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

/** What an event sells, in templates: products and shared limits, and the points that ask for a product. */
let t: TestTurnout;
let key: string;
const post = async (path: string, body: unknown) => {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const template = async (event: string) => (await t.call('GET', `/v1/events/${event}/template`, { key })).body;
const importing = (body: unknown) => t.call('POST', '/v1/event-templates/imports', { key, body });

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin' });
  const inEvent = (path: string, body: unknown) => post(`/events/fair/${path}`, body);
  await inEvent('days', { date: '2026-10-24' });
  await inEvent('days', { code: 'sun', date: '2026-10-25' });
  await inEvent('attendee-types', { code: 'adult', name: 'Adult' });
  await inEvent('products', {
    code: 'workshop',
    name: 'Workshop',
    description: 'At the oven.',
    price_minor: 2500,
    options: [{ code: 'am', name: 'Morning', capacity: 12 }, { name: 'Evening' }],
    capacity: 20,
    required: true,
    attendee_types: ['adult'],
    days: ['2026-10-24'],
    on_sale: { from: '2026-09-30T22:00:00Z', until: '2026-10-24T06:00:00Z' },
  });
  await inEvent('products', { code: 'parking', name: 'Parking', per: 'registration', max: 2, visible: false });
  await inEvent('quotas', { code: 'kitchen', name: 'Kitchen', capacity: 30, products: ['workshop'], days: ['sun'] });
  await inEvent('discounts', { code: 'FRIENDS', name: 'Friends', kind: 'percent', value: 10 });
  const policy = { products: ['workshop'] };
  await inEvent('check-in-points', { code: 'oven', name: 'Oven', kind: 'pre_check', policy });
});
afterAll(() => t.stop());

test('make the same again: products with their options, limits and points, and no discounts', async () => {
  const original = await template('fair');
  expect(JSON.stringify(original)).not.toContain('FRIENDS');
  expect(original.products.map((one: { code: string }) => one.code)).toEqual(['workshop', 'parking']);
  expect(original.products[0].options).toEqual([
    { code: 'am', name: 'Morning', capacity: 12 },
    { code: 'evening', name: 'Evening', capacity: null },
  ]);
  const job = await importing({ template: original, event: { code: 'copy' } });
  expect(job.status, job.text).toBe(201);
  expect(job.body.counts).toMatchObject({ products: 2, quotas: 1, check_in_points: 1 });
  expect(await template('copy')).toEqual(original);
});

test('move sales and days with the first day, and keep local times', async () => {
  const job = await importing({ template: await template('fair'), event: { first_day: '2027-07-10', code: 'summer' } });
  expect(job.status, job.text).toBe(201);
  const { products, quotas, check_in_points } = await template('summer');
  expect(products[0].days).toEqual(['2027-07-10']);
  // Local midnight, and eight in the morning of the first day.
  expect(products[0].on_sale).toEqual({ from: '2027-06-16T22:00:00Z', until: '2027-07-10T06:00:00Z' });
  expect([quotas[0].days, quotas[0].products]).toEqual([['sun'], ['workshop']]);
  expect(check_in_points[0].policy.products).toEqual(['workshop']);
});

test('of earlier releases have neither, and are still imported', async () => {
  const { products: _products, quotas: _quotas, ...earlier } = await template('fair');
  for (const point of earlier.check_in_points) delete point.policy.products;
  const job = await importing({ template: earlier, event: { code: 'earlier' } });
  expect(job.status, job.text).toBe(201);
  expect(await template('earlier')).toMatchObject({ products: [], quotas: [] });
});

test('are refused with every fault of products and limits at once', async () => {
  const wrong = await template('fair');
  const [workshop, parking] = wrong.products;
  workshop.days = ['mon'];
  workshop.options[1].code = 'AM';
  parking.attendee_types = ['nobody'];
  parking.on_sale = { from: '2026-10-02T00:00:00Z', until: '2026-10-01T00:00:00Z' };
  parking.code = 'Workshop';
  wrong.quotas.push({ code: 'empty', name: 'Empty', capacity: 3, attendee_types: null, days: null, products: null });
  wrong.quotas[0].products = ['workshop', 'boat'];
  wrong.check_in_points[0].policy.products = ['boat'];
  const reply = await importing({ template: wrong, event: { code: 'wrong' } });
  expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
  expect(reply.body.error.details.map((one: { path: string }) => one.path).sort()).toEqual([
    'template/check_in_points/0/policy/products/0',
    'template/products/0/days/0',
    'template/products/0/options/1/code',
    'template/products/1/attendee_types/0',
    'template/products/1/code',
    'template/products/1/on_sale/until',
    'template/quotas/0/products/1',
    'template/quotas/1/',
  ]);
});

test('whose sales would leave the accepted years cannot be moved there', async () => {
  const early = await template('fair');
  early.products[0].on_sale.from = '1900-01-05T00:00:00Z';
  const reply = await importing({ template: early, event: { first_day: '2026-09-01' } });
  expect(reply.body.error.details.map((one: { path: string }) => one.path)).toEqual(['event/first_day']);
});
