import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
const call = (method: string, path: string, body?: object, as = key) =>
  t.call(method, `/v1${path}`, { key: as, ...(body && { body }) });
const made = async (path: string, body: object, as = key) => {
  const reply = await call('POST', path, body, as);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const answer = ({ status, body }: Reply) => [status, body?.error?.code];
const quota = (body: object) => made('/events/fair/quotas', { name: 'Limit', capacity: 100, ...body });
/** How many a limit counts. */
const taken = async (code: string) => {
  const { quotas } = (await call('GET', '/events/fair/availability')).body;
  return quotas.find((one: { quota: string }) => one.quota === code).taken;
};
const register = (people: object[], products: object[] = [], as = key) =>
  call(
    'POST',
    '/events/fair/registrations',
    {
      attendees: people.map((one) => ({
        attendee_type: 'adult',
        first_name: 'Ada',
        last_name: 'B',
        days: ['sat'],
        ...one,
      })),
      products,
      send_emails: false,
    },
    as,
  );

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await made('/events', { code: 'fair', name: 'Fair' });
  for (const [code, date] of [
    ['sat', '2055-05-01'],
    ['sun', '2055-05-02'],
  ])
    await made('/events/fair/days', { code, date });
  for (const code of ['adult', 'child']) await made('/events/fair/attendee-types', { code, name: code });
  await made('/events/fair/products', { code: 'soup', name: 'Soup', max: 10 });
  await made('/events/fair/products', { code: 'table', name: 'Table', per: 'registration' });
  await call('POST', '/events/fair/publish');
  // Three people on Saturday, two on Sunday, of whom one comes on both days; four soups and a table.
  const whole = await register(
    [
      { products: [{ product: 'soup', quantity: 3 }] },
      { attendee_type: 'child', days: ['sat', 'sun'], products: [{ product: 'soup' }] },
      { attendee_type: 'child' },
      { days: ['sun'] },
    ],
    [{ product: 'table' }],
  );
  expect(whole.status, whole.text).toBe(201);
  // What was cancelled counts nothing, and tests are counted apart.
  const gone = await register([{ products: [{ product: 'soup', quantity: 9 }] }]);
  await call('POST', `/events/fair/registrations/${gone.body.id}/cancel`, {});
  await register(
    [{ products: [{ product: 'soup', quantity: 7 }] }],
    [],
    (await t.key('acme', { mode: 'test' })).secret,
  );
});
afterAll(() => t.stop());

test.each([
  ['one day, each person once', { days: ['sat'] }, 3],
  ['several days, whoever comes on both once', { days: ['sat', 'sun'] }, 4],
  ['types', { attendee_types: ['child'] }, 2],
  ['types on a day', { attendee_types: ['child'], days: ['sun'] }, 1],
  ['units of a product, and nobody', { products: ['soup'] }, 4],
  ['units that people and registrations took', { products: ['soup', 'table'] }, 5],
  ['people and units', { days: ['sun'], products: ['table'] }, 3],
] as const)('a new limit counts those who are there: %s', async (name, counted, expected) => {
  const { code } = await quota({ name, ...counted });
  expect(await taken(code)).toBe(expected);
  await call('DELETE', `/events/fair/quotas/${code}`);
});

test('one that counts something else is counted anew, and holds from then on', async () => {
  await quota({ code: 'kitchen', capacity: 5, products: ['soup'] });
  expect(await taken('kitchen')).toBe(4);
  expect((await call('PATCH', '/events/fair/quotas/kitchen', { products: ['soup', 'table'] })).status).toBe(200);
  expect(await taken('kitchen')).toBe(5);
  const more = await register([{ products: [{ product: 'soup' }] }]);
  expect(answer(more)).toEqual([409, 'quota_full']);
  expect((await call('PATCH', '/events/fair/quotas/kitchen', { capacity: 6 })).status).toBe(200);
  const sixth = await register([{ products: [{ product: 'soup' }] }]);
  expect(sixth.status).toBe(201);
  expect(await taken('kitchen')).toBe(6);
  // Less than what is taken: nobody loses anything.
  expect((await call('PATCH', '/events/fair/quotas/kitchen', { capacity: 1 })).body.capacity).toBe(1);
  expect(await taken('kitchen')).toBe(6);
  // Whatever is booked stays booked, and no longer counts.
  expect((await call('DELETE', '/events/fair/quotas/kitchen')).status).toBe(204);
  const seventh = await register([{ products: [{ product: 'soup' }] }]);
  expect(seventh.status).toBe(201);
  // The other tests count those who were there before.
  for (const { body } of [sixth, seventh]) await call('POST', `/events/fair/registrations/${body.id}/cancel`, {});
});

test('it has to count something: 400, also when that is taken away', async () => {
  const nothing = await call('POST', '/events/fair/quotas', { name: 'N', capacity: 1 });
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'validation_failed']);
  await quota({ code: 'sunday', days: ['sun'] });
  expect((await call('PATCH', '/events/fair/quotas/sunday', { days: null })).status).toBe(400);
  expect((await call('PATCH', '/events/fair/quotas/sunday', { days: null, products: ['soup'] })).body.days).toBeNull();
});
