import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { doctor } from './data.ts';

/** What the doctor counts again of what an event sells: products, options, shared limits, uses of codes, and sums. */
let t: TestTurnout;
let key: string;
const call = async (method: string, path: string, body?: object) => {
  const reply = await t.call(method, `/v1${path}`, { key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await call('POST', '/events', { code: 'fair', name: 'Fair' });
  await call('POST', '/events/fair/days', { code: 'sat', date: '2055-05-01' });
  await call('POST', '/events/fair/attendee-types', { code: 'adult', name: 'Adult', price_minor: 2000 });
  const options = [
    { code: 'm', name: 'M' },
    { code: 'l', name: 'L' },
  ];
  await call('POST', '/events/fair/products', { code: 'shirt', name: 'Shirt', price_minor: 1500, options, max: 5 });
  await call('POST', '/events/fair/products', {
    code: 'parking',
    name: 'Parking',
    price_minor: 1000,
    per: 'registration',
  });
  const counted = { products: ['shirt', 'parking'], attendee_types: ['adult'], days: ['sat'] };
  await call('POST', '/events/fair/quotas', { code: 'all', name: 'All', capacity: 100, ...counted });
  const value = { name: 'Friends', kind: 'percent', value: 10, products: null };
  await call('POST', '/events/fair/discounts', { code: 'FRIENDS', ...value });
  await call('POST', '/events/fair/publish');
  const person = (shirts: number) => ({
    ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Byron', days: ['sat'] },
    products: [{ product: 'shirt', option: 'm', quantity: shirts }],
  });
  const register = (...people: number[]) =>
    call('POST', '/events/fair/registrations', {
      attendees: people.map(person),
      products: [{ product: 'parking' }],
      discount_code: 'friends',
      send_emails: false,
    });
  const stays = await register(1, 2, 3);
  await call('POST', `/events/fair/attendees/${stays.attendees[2].id}/cancel`, {});
  await call('PATCH', `/events/fair/attendees/${stays.attendees[0].id}`, {
    products: [{ product: 'shirt', option: 'l', quantity: 4 }],
  });
  const { id } = await register(5);
  await call('POST', `/events/fair/registrations/${id}/cancel`, {});
});
afterAll(() => t.stop());

const faults = async () =>
  (await t.system((tx) => doctor(tx))).findings.filter((one) => !one.ok).map(({ check, says }) => `${check}: ${says}`);

test('nothing is wrong after people have booked, changed and cancelled', async () => {
  expect(await faults()).toEqual([]);
  const scopes = await t.system((tx) =>
    tx.all<{ code: string; taken: number }>(sql`
      select x.code, p.taken from places p join (
        select id, code from products union all select id, code from quotas
        union all select (o->>'id')::uuid, o->>'code' from products, jsonb_array_elements(options) o) x on x.id = p.scope_id
      where not p.test order by 1`),
  );
  // Two people, six shirts and a place to park.
  expect(Object.fromEntries(scopes.map(({ code, taken }) => [code, taken]))).toEqual({
    ...{ all: 9, l: 4, m: 2, parking: 1, shirt: 6 },
  });
});

test.each([
  ['places', `update places set taken = taken + 1 where scope_id = (select id from products where code = 'shirt')`],
  [
    'places',
    `update places set taken = taken + 1 where scope_id = (select (options->0->>'id')::uuid from products where code = 'shirt')`,
  ],
  ['places', `update places set taken = taken - 1 where scope_id = (select id from quotas)`],
  ['places', `delete from places where scope_id = (select id from products where code = 'parking')`],
  ['uses of codes', `update discounts set used = used + 1`],
  ['uses of codes', `update discounts set used_test = 1`],
  ['sums', `update registrations set total_minor = total_minor + 1 where status = 'pending_payment'`],
  ['sums', `update registrations set discount_minor = 0 where status = 'pending_payment'`],
])('%s: seen failing after %s', async (check, change) => {
  const undo = new Error('undo');
  const found = await t
    .system(async (tx) => {
      expect(await tx.run(sql([change] as never))).toBeGreaterThan(0);
      throw Object.assign(undo, { findings: (await doctor(tx)).findings });
    })
    .catch((error: typeof undo & { findings: { check: string; ok: boolean }[] }) => {
      if (error !== undo) throw error;
      return error.findings;
    });
  expect(found.filter((one) => !one.ok).map((one) => one.check)).toEqual([check]);
});
