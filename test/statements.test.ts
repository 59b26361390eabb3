import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { preparedTexts, sql } from '../server/src/store/sql.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

// A prepared statement stays in its connection for good, so the number of different statements must not depend on what callers send.

let t: TestTurnout;
let key: string;
let session: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  session = await t.session('acme', 'owner');
  await t.session('acme', 'viewer');
  const members = await t.call('GET', '/app/api/members', { headers: { cookie: `turnout_session=${session}` } });
  ids.member = members.body.data.find(({ you }: { you: boolean }) => !you).id;
  const make = async (path: string, body: object) => {
    const made = await t.call('POST', `/v1${path}`, { key, body });
    expect([path, made.status]).toEqual([path, 201]);
    return made.body;
  };
  ids.group = (await make('/groups', { name: 'North' })).id;
  ids.event = (await make('/events', { name: 'Fair' })).id;
  const event = `/events/${ids.event}`;
  ids.day = (await make(`${event}/days`, { code: 'd1', date: '2036-12-01' })).id;
  ids.attendee_type = (await make(`${event}/attendee-types`, { name: 'Adult' })).id;
  ids.question = (await make(`${event}/questions`, { label: 'Diet', kind: 'text' })).id;
  ids.check_in_point = (await make(`${event}/check-in-points`, { name: 'Gate', kind: 'entry' })).id;
  ids.product = (await make(`${event}/products`, { name: 'Dinner' })).id;
  ids.quota = (await make(`${event}/quotas`, { name: 'Hall', capacity: 900, days: ['d1'] })).id;
  const discount = { code: 'FRIENDS-25', name: 'Friends', kind: 'percent', value: 25 };
  ids.discount = (await make(`${event}/discounts`, discount)).id;
  ids.communication = (await make(`${event}/communications`, { subject: 'Hello', text: 'Hello' })).id;
  ids.key = (await t.key('acme')).id;
  ids.webhook = (await make('/webhooks', { url: 'https://hooks.example.org/x', events: ['*'] })).id;
  await t.call('POST', `/v1${event}/publish`, { key });
  const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' }];
  const registration = await make(`${event}/registrations`, { attendees });
  ids.registration = registration.id;
  ids.attendee = registration.attendees[0].id;
  ids.ticket = registration.attendees[0].tickets[0].id;
  ids.contact = registration.contact.id;
});
afterAll(() => t.stop());

/** Operations that no key can call are called by a member. */
const mountOf = ({ hosts = ['api'] }: Operation) =>
  hosts.length === 0 ? '/app/api' : hosts.includes('api') ? '/v1' : '/api/v1';
const urlOf = (operation: Operation) => mountOf(operation) + pathOf(operation);
const pathOf = ({ path, id }: Operation) =>
  `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.fail(`${id} needs a ${name}`))}`;

/** For each field, a value that the operation accepts. */
const VALUES: Record<string, Record<string, unknown>> = {
  changeGroup: { name: 'North', code: 'north' },
  changeEvent: {
    name: 'Fair',
    code: 'fair',
    group: null,
    timezone: 'Europe/Berlin',
    starts_at: '2026-12-01T00:00:00Z',
    ends_at: null,
    venue: 'Hall',
    currency: 'EUR',
    capacity: 100,
    ticketing: 'per_person',
    language: 'en',
    terms: 'Be kind.',
    registration: { approval: false },
  },
  changeDay: { name: 'One', code: 'd1', date: '2036-12-01', opens_at: null, closes_at: null, capacity: 9 },
  changeAttendeeType: {
    name: 'Adult',
    code: 'adult',
    price_minor: 0,
    capacity: null,
    days: null,
    pass_days: null,
    approval: false,
    visible: true,
  },
  changeProduct: {
    ...{
      name: 'Dinner',
      code: 'dinner',
      description: null,
      price_minor: 0,
      options: [],
      capacity: null,
      per: 'attendee',
    },
    ...{ max: 2, required: false, attendee_types: null, days: null, on_sale: null, visible: true },
  },
  changeQuota: { name: 'Hall', code: 'hall', capacity: 900, attendee_types: null, days: ['d1'], products: null },
  changeDiscount: {
    ...{
      code: 'FRIENDS-25',
      name: 'Friends',
      kind: 'percent',
      value: 25,
      attendee_types: null,
      products: [],
      reveals: [],
    },
    ...{ opens_at: null, closes_at: null, max_people: null, max_people_per_registration: null, min_people: null },
    ...{ group: null, note: null, active: true },
  },
  changeQuestion: { label: 'Diet', code: 'diet', kind: 'text', required: false, options: null, attendee_types: null },
  changeCheckInPoint: { name: 'Gate', code: 'gate', policy: { cooldown_seconds: 5 } },
  changeAttendee: {
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada@example.org',
    phone: '+49 30 1',
    date_of_birth: '1990-01-01',
    external_id: 'x1',
    answers: { diet: 'none' },
  },
  changeContact: {
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada@example.org',
    phone: '+49 30 1',
    date_of_birth: '1990-01-01',
    external_id: 'x1',
    apply_to_registrations: true,
  },
  changeRegistration: { contact: { email: 'ada@example.org' }, send_emails: false },
  changeCommunication: {
    subject: 'Hello',
    text: 'Hello',
    kind: 'service',
    audience: { checked_in: true },
    send_at: null,
  },
  changeWebhook: { url: 'https://hooks.example.org/y', events: ['*'], event: null, group: null, description: 'x' },
  changeMember: { role: 'viewer', group: null },
  changeKey: { name: 'CRM', allowed_addresses: ['192.0.2.1'] },
  changeOrganization: {
    accent: '#0b6e66',
    require_second_factor: false,
    agents: false,
    name: 'Acme',
    timezone: 'Europe/Berlin',
    defaults: { currency: 'EUR' },
    terminology: { attendee: 'guest' },
  },
};

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);

const some = <T>(list: readonly T[]): T[] => shuffled(list).slice(0, 1 + Math.floor(Math.random() * list.length));

type Fields = [string, Record<string, unknown>][];
const filtersOf = ({ query }: Operation): Fields =>
  Object.entries((query as { properties: Record<string, Record<string, unknown>> }).properties).filter(
    ([name]) => name !== 'cursor',
  );

/** For each filter, a value; references are ids. */
const asQuery = (fields: Fields): string =>
  fields
    .map(([name, field]) => {
      const reference = field['x-reference'] as string | undefined;
      const value = reference !== undefined ? ids[reference] : aValue(name, field);
      return `${name}=${encodeURIComponent(String(value))}`;
    })
    .join('&');
const aValue = (name: string, field: Record<string, unknown>): unknown => {
  if (Array.isArray(field.enum)) return field.enum[Math.floor(Math.random() * field.enum.length)];
  if (field.type === 'boolean') return Math.random() < 0.5;
  if (field.type === 'integer') return 1 + Math.floor(Math.random() * 50);
  if (field.format === 'timestamp') return '2026-01-01T00:00:00Z';
  return name === 'email' ? 'ada@example.org' : `x${Math.floor(Math.random() * 9)}`;
};

const patches = operations.filter(({ method }) => method === 'PATCH');
/** The operations with a query, except for those that contact another service. */
const lists = operations.filter(
  ({ method, query, path }) => method === 'GET' && query !== undefined && !path.startsWith('/platform'),
);

const patch = async (operation: Operation, fields: [string, unknown][]) => {
  const body = Object.fromEntries(fields);
  const headers = { cookie: `turnout_session=${session}` };
  const as = mountOf(operation) === '/app/api' ? { headers } : { key };
  const reply = await t.call('PATCH', urlOf(operation), { ...as, body });
  expect([operation.id, body, reply.status]).toEqual([operation.id, body, 200]);
};
const list = async (operation: Operation, fields: Fields) => {
  const reply = await t.call('GET', `${urlOf(operation)}?${asQuery(fields)}`, { key });
  expect([operation.id, reply.status < 500]).toEqual([operation.id, true]);
};

/** Every field and every filter alone, all together, and every filter with each filter that changes how the list is read. */
async function plainly(): Promise<void> {
  for (const operation of patches) {
    const fields = Object.entries(VALUES[operation.id]!);
    for (const field of fields) await patch(operation, [field]);
    await patch(operation, fields);
  }
  for (const operation of lists) {
    // Every value of an enumeration alone: some lists are read differently for it.
    const fields = filtersOf(operation).flatMap(
      ([name, field]): Fields =>
        ((field.enum as unknown[]) ?? [null]).map((one) => [name, one === null ? field : { ...field, enum: [one] }]),
    );
    await list(operation, []);
    await list(operation, filtersOf(operation));
    for (const one of fields) {
      await list(operation, [one]);
      for (const other of fields) {
        if (other[0] !== one[0] && ['updated_since', 'search', 'event'].includes(other[0]))
          await list(operation, [one, other]);
      }
    }
  }
}

test('no combination of fields and filters prepares another statement', async () => {
  expect(patches.map(({ id }) => id).sort()).toEqual(Object.keys(VALUES).sort());
  expect(lists.length).toBeGreaterThan(12);
  await plainly();
  const before = new Set(preparedTexts());
  for (let i = 0; i < 8; i += 1) {
    for (const operation of patches) await patch(operation, some(Object.entries(VALUES[operation.id]!)));
    for (const operation of lists) await list(operation, some(filtersOf(operation)));
  }
  expect(preparedTexts().filter((text) => !before.has(text))).toEqual([]);
  expect(before.size).toBeLessThan(400);
  const { n } = await t.system((tx) =>
    tx.one<{ n: number }>(sql`select count(*)::int as n from pg_prepared_statements`),
  );
  expect(n).toBeLessThan(400);
}, 240_000);
