import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

// A caller can decode a cursor and make up another one. Its parts are input like any other: a made-up cursor gets 400.

let t: TestTurnout;
let key: string;
const ids: Record<string, string> = {};

/** Two of everything that is listed, so that every list has a second page if a page holds one. */
beforeAll(async () => {
  t = await startTest();
  const org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  const make = async (path: string, body: object) => {
    const made = await t.call('POST', path, { key, body });
    expect([path, made.status < 300]).toEqual([path, true]);
    return made.body;
  };
  const twice = async (path: string, body: (n: number) => object) => {
    await make(path, body(1));
    return make(path, body(2));
  };
  await twice('/v1/groups', (n) => ({ name: `Group ${n}` }));
  await make('/v1/events', { name: 'Ada’s other' });
  ids.event = (await make('/v1/events', { name: 'Ada’s fair' })).id;
  const event = `/v1/events/${ids.event}`;
  await twice(`${event}/days`, (n) => ({ code: `d${n}`, date: `2036-12-0${n}` }));
  await twice(`${event}/attendee-types`, (n) => ({ code: `t${n}`, name: `Type ${n}`, price_minor: 100 }));
  await twice(`${event}/products`, (n) => ({ name: `Product ${n}` }));
  await twice(`${event}/quotas`, (n) => ({ name: `Limit ${n}`, capacity: 10, products: ['product-1'] }));
  await twice(`${event}/discounts`, (n) => ({ code: `ADA-${n}`, name: `Ada’s ${n}`, kind: 'percent', value: 10 }));
  await twice(`${event}/questions`, (n) => ({ label: `Question ${n}`, kind: 'text' }));
  await twice(`${event}/check-in-points`, (n) => ({ code: `p${n}`, name: `Gate ${n}`, kind: 'entry' }));
  await t.call('POST', `${event}/publish`, { key });
  const registration = await twice(`${event}/registrations`, (n) => ({
    attendees: [1, 2].map((m) => ({
      attendee_type: 't1',
      first_name: 'Ada',
      last_name: `Lovelace ${n}${m}`,
      days: ['d1'],
      email: `ada${n}${m}@example.org`,
    })),
  }));
  ids.registration = registration.id;
  ids.attendee = registration.attendees[0].id;
  await twice(`${event}/registrations/${registration.id}/payments`, () => ({ amount_minor: 100, method: 'cash' }));
  const paid = (await t.call('GET', `${event}/registrations/${registration.id}`, { key })).body;
  const scans = paid.attendees.map((attendee: { tickets: { code: string }[] }) => ({
    code: attendee.tickets[0]!.code,
    check_in_point: 'p1',
    client_uuid: randomUUID(),
    offline_result: 'rejected', // the server decides otherwise, so both lists of check-ins show them
  }));
  await make(`/api/v1/events/${ids.event}/scan/batch`, { scans });
  await make(`${event}/products`, { code: 'lunch', name: 'Lunch' });
  const { id: attendee } = paid.attendees[0];
  const gone = { attendee, product: 'lunch', offline: true };
  await twice(`${event}/hand-outs`, () => ({ ...gone, client_uuid: randomUUID() }));
  ids.communication = (await twice(`${event}/communications`, (n) => ({ subject: `Hello ${n}`, text: 'Hello' }))).id;
  ids.webhook = (await twice('/v1/webhooks', (n) => ({ url: `https://hooks.example.org/${n}`, events: ['*'] }))).id;
  await twice(`/v1/webhooks/${ids.webhook}/test`, () => ({}));
  await twice('/v1/exports', () => ({ what: 'people', format: 'csv', event: ids.event }));
  await t.system(async (tx) => {
    const { id } = await tx.one<{ id: string }>(
      sql`select id from communications where org_id = ${org} order by id desc limit 1`,
    );
    await tx.run(sql`
      insert into communication_recipients (org_id, communication_id, attendee_id, status)
      select org_id, ${id}, id, 'queued' from attendees where org_id = ${org}`);
  });
}, 120_000);
afterAll(() => t.stop());

const lists = operations.filter(
  ({ method, query }) => method === 'GET' && 'cursor' in ((query as { properties?: object })?.properties ?? {}),
);
/** The query parameters that ask a list for another order: a search, or the order itself. */
const ordersOf = ({ query }: Operation): string[] => {
  const { order, search } = (query as { properties: Record<string, { enum?: string[] }> }).properties;
  const orders = (order?.enum ?? []).map((one) => `&order=${one}`);
  return search === undefined ? orders : [...orders, '&search=ada', ...orders.map((one) => `&search=ada${one}`)];
};

const urlOf = ({ path, id, hosts = ['api'] }: Operation) =>
  `${hosts.includes('api') ? '/v1' : '/api/v1'}${path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? expect.fail(`${id} needs a ${name}`),
  )}`;

const write = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
const uuid = '0192d1f0-0000-7000-8000-000000000000';
const FORGED: ((mark: string, rest: string[]) => string)[] = [
  // The right number of parts, some of them replaced.
  ...[
    '-'.repeat(36),
    '2026-13-45T99:99:99Z',
    '2026-02-30T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '2026-01-01T....Z',
    '2026-01-01T::::Z',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '',
    'infinity',
    'x'.repeat(599),
    `${uuid.slice(0, 35)}g`,
  ].flatMap((part) => [
    (mark: string, rest: string[]) => write([mark, ...rest.slice(0, -1), part]),
    (mark: string, rest: string[]) => write([mark, ...rest.slice(0, -1).map(() => part), part]),
  ]),
  (mark, rest) => write([mark, ...rest.map(() => 5)]),
  (mark, rest) => write([mark, ...rest.map(() => null)]),
  (mark, rest) => write([mark, ...rest.map(() => ['x'])]),
  (mark, rest) => write([mark, ...rest, uuid]),
  (mark, rest) => write([mark, ...rest.slice(1)]),
  (mark) => write([mark]),
  (mark, rest) => write({ 0: mark, 1: rest[0], length: 3 }),
  (_mark, rest) => write(['xxxxxxxx', ...rest]),
  (mark) => write(mark),
  () => write(null),
  () => 'x',
  () => '%00',
  () => encodeURIComponent('\u0000'),
  () => 'A'.repeat(2001),
  () => '[[[['.repeat(400),
];

test('every list is tested', () => {
  expect(lists.length).toBeGreaterThan(15);
  expect(lists.filter((list) => ordersOf(list).includes('&search=ada&order=name')).length).toBe(3);
});

test.each(lists.flatMap((list) => ['', ...ordersOf(list)].map((search) => [list.id, search, list] as const)))(
  '%s%s: a forged cursor is 400 validation_failed',
  async (_id, search, list) => {
    const ask = (cursor: string) => t.call('GET', `${urlOf(list)}?limit=1${search}&cursor=${cursor}`, { key });
    const first = await t.call('GET', `${urlOf(list)}?limit=1${search}`, { key });
    expect([first.status, first.body.page?.has_more]).toEqual([200, true]);
    const cursor: string = first.body.page.next_cursor;
    expect((await ask(cursor)).status).toBe(200); // the control: this cursor, which is changed below, is accepted
    const [mark, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const forge of FORGED) {
      const reply = await ask(forge(mark, rest));
      expect([forge(mark, rest), reply.status, reply.body.error.code, reply.body.error.details[0].path]).toEqual([
        forge(mark, rest),
        400,
        'validation_failed',
        'cursor',
      ]);
    }
  },
);
