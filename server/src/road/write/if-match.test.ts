import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { operations } from '../../areas/index.ts';

let t: TestTurnout;
let key: string;
const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  t.call(method, `/v1${path}`, { key, headers, ...(body && { body }) });
async function make(path: string, body: object): Promise<string> {
  const reply = await call('POST', path, body);
  expect([path, reply.status, reply.text]).toEqual([path, 201, reply.text]);
  return `${path}/${reply.body.id}`;
}
const person = {
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  days: ['sat'],
};

beforeAll(async () => {
  t = await startTest();
  await t.org('acme', 'scale');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { scopes: ['read', 'write', 'admin'], rpm: 1_000_000 })).secret;
  await make('/events', { code: 'fair', name: 'Fair' });
  await make('/events/fair/days', { code: 'sat', name: 'Saturday', date: '2055-05-01' });
  await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await call('POST', '/events/fair/publish');
});
afterAll(() => t.stop());

/** For each PATCH or DELETE with `If-Match`: makes an object, and changes of it that differ. */
const OBJECTS: Record<string, { make: () => Promise<string>; change?: (i: number) => object }> = {
  '/organization': { make: async () => '/organization', change: (i) => ({ name: `Acme ${i}` }) },
  '/groups/{group}': { make: () => make('/groups', { name: 'North' }), change: (i) => ({ name: `North ${i}` }) },
  '/events/{event}': { make: () => make('/events', { name: 'Event' }), change: (i) => ({ name: `Event ${i}` }) },
  '/events/{event}/days/{day}': {
    make: () => make('/events/fair/days', { name: 'Sunday', date: '2055-05-02' }),
    change: (i) => ({ name: `Sunday ${i}` }),
  },
  '/events/{event}/attendee-types/{attendee_type}': {
    make: () => make('/events/fair/attendee-types', { name: 'Child' }),
    change: (i) => ({ name: `Child ${i}` }),
  },
  '/events/{event}/products/{product}': {
    make: () => make('/events/fair/products', { name: 'Dinner' }),
    change: (i) => ({ name: `Dinner ${i}` }),
  },
  '/events/{event}/quotas/{quota}': {
    make: () => make('/events/fair/quotas', { name: 'Hall', capacity: 900, days: ['sat'] }),
    change: (i) => ({ name: `Hall ${i}` }),
  },
  '/events/{event}/discounts/{discount}': {
    make: () => make('/events/fair/discounts', { code: randomUUID(), name: 'Friends', kind: 'percent', value: 5 }),
    change: (i) => ({ name: `Friends ${i}` }),
  },
  '/events/{event}/questions/{question}': {
    make: () => make('/events/fair/questions', { label: 'Diet?', kind: 'text' }),
    change: (i) => ({ label: `Diet ${i}?` }),
  },
  '/events/{event}/check-in-points/{check_in_point}': {
    make: () => make('/events/fair/check-in-points', { name: 'Gate', kind: 'entry' }),
    change: (i) => ({ name: `Gate ${i}` }),
  },
  '/events/{event}/registrations/{registration}': {
    make: () => make('/events/fair/registrations', { attendees: [person], send_emails: false }),
    change: (i) => ({ contact: { first_name: `Ada ${i}` } }),
  },
  '/events/{event}/attendees/{attendee}': {
    make: async () => {
      const { body } = await call('POST', '/events/fair/registrations', { attendees: [person], send_emails: false });
      return `/events/fair/attendees/${body.attendees[0].id}`;
    },
    change: (i) => ({ first_name: `Ada ${i}` }),
  },
  '/contacts/{contact}': {
    make: async () => {
      const { body } = await call('POST', '/events/fair/registrations', {
        attendees: [{ ...person, email: `${Math.random()}@example.org` }],
        send_emails: false,
      });
      return `/contacts/${body.attendees[0].contact_id}`;
    },
    change: (i) => ({ first_name: `Ada ${i}` }),
  },
  '/events/{event}/communications/{communication}': {
    make: () => make('/events/fair/communications', { subject: 'Hello', text: 'See you.' }),
    change: (i) => ({ subject: `Hello ${i}` }),
  },
  '/webhooks/{webhook}': {
    make: () => make('/webhooks', { url: 'https://hooks.example.org/a', events: ['*'] }),
    change: (i) => ({ url: `https://hooks.example.org/${i}` }),
  },
};

test('every PATCH and DELETE of an object that a GET shows is tried here', () => {
  const paths = operations.filter(
    (one) => one.shownBy !== undefined && one.keysRefused === undefined && one.scope !== null,
  );
  expect([...new Set(paths.map((one) => one.path))].toSorted()).toEqual(Object.keys(OBJECTS).toSorted());
});

describe.each(Object.keys(OBJECTS))('%s', (path) => {
  const { make: makeOne, change } = OBJECTS[path]!;
  const writes = operations.filter((one) => one.path === path && one.shownBy !== undefined).map((one) => one.method);

  test('the ETag is its `updated_at`; what was changed since is 412 and stays as it is', async () => {
    const at = await makeOne();
    const shown = await call('GET', at);
    const tag = shown.headers.get('etag')!;
    expect(tag).toBe(`"${shown.body.updated_at}"`);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const first = await call('PATCH', at, change!(1), { 'If-Match': tag });
    expect([first.status, first.headers.get('etag')]).toEqual([200, `"${first.body.updated_at}"`]);
    for (const method of writes) {
      const late = await call(method, at, method === 'PATCH' ? change!(2) : undefined, { 'If-Match': tag });
      expect([method, late.status, late.body.error.code]).toEqual([method, 412, 'changed_meanwhile']);
      expect(late.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    const after = await call('GET', at);
    expect([after.body.updated_at, after.headers.get('etag')]).toEqual([
      first.body.updated_at,
      first.headers.get('etag'),
    ]);
    expect((await call('PATCH', at, change!(3), { 'If-Match': `"a", ${first.headers.get('etag')}` })).status).toBe(200);
    expect((await call('PATCH', at, change!(4), { 'If-Match': '*' })).status).toBe(200);
    if (!writes.includes('DELETE')) return;
    const last = (await call('GET', at)).headers.get('etag')!;
    expect((await call('DELETE', at, undefined, { 'If-Match': last })).status).toBe(204);
  });

  test('of many who change the same version at once, one succeeds; without the header all do', async () => {
    const at = await makeOne();
    const tag = (await call('GET', at)).headers.get('etag')!;
    const together = async (from: number, headers: Record<string, string>) =>
      (await Promise.all([0, 1, 2, 3, 4, 5].map((i) => call('PATCH', at, change!(from + i), headers)))).map(
        (reply) => reply.status,
      );
    expect((await together(10, { 'If-Match': tag })).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
    expect(await together(20, {})).toEqual([200, 200, 200, 200, 200, 200]);
  });
});

test.each(['2026-11-12T16:45:10.123000Z', '"a', 'a, "b"', ''])('400: If-Match: %s', async (header) => {
  const reply = await call('PATCH', '/organization', { name: 'Acme' }, { 'If-Match': header });
  expect([reply.status, reply.body.error.details?.[0]?.path]).toEqual([400, 'If-Match']);
});

test('a weak tag never matches', async () => {
  const tag = (await call('GET', '/organization')).headers.get('etag');
  expect((await call('PATCH', '/organization', { name: 'Weak' }, { 'If-Match': `W/${tag}` })).status).toBe(412);
});

test('the version of an object of another organization is not told', async () => {
  await t.org('other', 'scale');
  const other = (await t.key('other')).secret;
  const at = await make('/groups', { name: 'Secret' });
  const reply = await t.call('PATCH', `/v1${at}`, { key: other, body: { name: 'x' }, headers: { 'If-Match': '"1"' } });
  expect([reply.status, reply.headers.get('etag')]).toEqual([404, null]);
});
