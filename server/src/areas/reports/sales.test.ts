import { randomUUID } from 'node:crypto';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { sql } from '../../store/sql.ts';
import { type Row, rowsOf } from './reports.support.ts';

/*
 * One event with types, prices, products and codes, of which people of several groups have taken some. The report is compared with
 * counting the rows one by one.
 */

const clock = new HeldClock(Date.parse('2026-10-01T08:00:00Z'));
const HOLDING = ['pending_approval', 'pending_payment', 'confirmed'];
const REACH: Record<string, string[]> = { north: ['north', 'hill'], hill: ['hill'], south: ['south'] };
let t: TestTurnout;
let org: Id;
let key: string;
let testKey: string;
const limited: Record<string, string> = {};
const id: Record<string, Id> = {};

const post = (path: string, body: unknown = {}, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const get = (path: string, as = key) => t.call('GET', `/v1${path}`, { key: as });
async function done(call: Promise<Reply>): Promise<Reply['body']> {
  const reply = await call;
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}
const report = (query = '', as = key, event = 'fair') => done(get(`/events/${event}/reports/sales${query}`, as));

beforeAll(async () => {
  t = await startTest({ clock });
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const body of [{ code: 'north' }, { code: 'hill', parent: 'north' }, { code: 'south' }])
    await done(post('/groups', { name: body.code, ...body }));
  for (const group of Object.keys(REACH)) limited[group] = (await t.key('acme', { group })).secret;
  await done(post('/events', { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin', currency: 'EUR' }));
  await done(post('/events/fair/days', { code: 'sat', date: '2026-11-24' }));
  const phase = { name: 'Early bird', from: null, until: '2026-10-10T00:00:00Z', price_minor: 800 };
  await done(post('/events/fair/attendee-types', { code: 'adult', name: 'Adult', price_minor: 1000, prices: [phase] }));
  await done(post('/events/fair/attendee-types', { code: 'child', name: 'Child', price_minor: 0 }));
  await done(post('/events/fair/attendee-types', { code: 'unsold', name: 'Unsold' }));
  for (const body of [
    {
      code: 'shirt',
      name: 'Shirt',
      price_minor: 1500,
      capacity: 200,
      max: 5,
      options: [{ name: 'M', capacity: 150 }, { name: 'L' }],
    },
    { code: 'dinner', name: 'Dinner', price_minor: 2500 },
    { code: 'parking', name: 'Parking', price_minor: 300, per: 'registration', capacity: 60, max: 2 },
    { code: 'unsold', name: 'Unsold', capacity: 5 },
  ])
    id[body.code] = toUuid((await done(post('/events/fair/products', body))).id);
  for (const option of ['m', 'l'])
    id[option] = await t.system(
      async (tx) =>
        (
          await tx.one<{ id: Id }>(
            sql`select o->>'id' as id from products, jsonb_array_elements(options) o where products.code = 'shirt' and o->>'code' = ${option}`,
          )
        ).id,
    );
  await done(post('/events/fair/publish'));
  await sell('fair', 40);
  // Of another organization's event of the same code nothing may be counted.
  const foreign = await t.org('other');
  const otherKey = (await t.key('other')).secret;
  await done(post('/events', { code: 'fair', name: 'Fair' }, otherKey));
  await done(post('/events/fair/attendee-types', { code: 'adult', name: 'Adult', price_minor: 777 }, otherKey));
  await done(post('/events/fair/days', { code: 'sat', date: '2026-11-24' }, otherKey));
  await done(post('/events/fair/publish', {}, otherKey));
  const person = { attendee_type: 'adult', first_name: 'For', last_name: 'Eign' };
  await done(post('/events/fair/registrations', { attendees: [person], send_emails: false }, otherKey));
  expect(foreign).not.toBe(org);
});
afterAll(() => t.stop());

/**
 * Registrations of one or two people in different groups, of whom some are cancelled and some have got what they booked; every third has
 * a code, every seventh is a test.
 */
async function sell(event: string, many: number): Promise<void> {
  const groups = [undefined, 'north', 'hill', 'south'];
  await discounts(event);
  for (let i = 0; i < many; i += 1) {
    clock.advance(DAY / 2);
    const shirt = { product: 'shirt', option: i % 2 === 0 ? 'm' : 'l', quantity: 1 + (i % 3) };
    const person = (n: number, first: boolean) => ({
      attendee_type: (i + n) % 3 === 0 ? 'child' : 'adult',
      first_name: 'Pat',
      last_name: `No${i}-${n}`,
      ...(groups[(i + n) % 4] !== undefined && { group: groups[(i + n) % 4] }),
      products: [...(i % 5 !== 0 ? [shirt] : []), ...(first && i % 5 < 3 ? [{ product: 'dinner' }] : [])],
    });
    const as = i % 7 === 6 ? testKey : key;
    const attendees = [person(0, true), ...(i % 2 === 0 ? [] : [person(i % 4 === 1 ? 4 : 2, false)])];
    const body = {
      attendees,
      send_emails: false,
      ...(i % 4 === 0 && { products: [{ product: 'parking', quantity: 2 }] }),
      ...(i % 3 === 1 && { discount_code: i % 9 === 1 ? 'PRESS' : 'FRIENDS' }),
    };
    const made = await done(post(`/events/${event}/registrations`, body, as));
    if (i % 11 === 5) await done(post(`/events/${event}/registrations/${made.id}/cancel`, {}, as));
    else if (i % 5 === 4) {
      const paid = { amount_minor: made.total_minor, method: 'cash' };
      await done(post(`/events/${event}/registrations/${made.id}/payments`, paid, as));
      const unit = {
        attendee: made.attendees[0].id,
        product: 'shirt',
        option: shirt.option,
        client_uuid: randomUUID(),
      };
      await done(post(`/events/${event}/hand-outs`, unit, as));
    }
  }
}

/** FRIENDS takes 1.00 off each ticket and unit of the first person and of the registration, PRESS a tenth off everybody's tickets. */
const discounts = (event: string) =>
  t.system((tx) =>
    tx.run(sql`
      insert into discounts (org_id, id, event_id, code, code_key, name, kind, value, attendee_type_ids, product_ids, reveal_ids,
        max_people_per_registration, active, created_at, updated_at)
      select e.org_id, gen_random_uuid(), e.id, d.code, d.code, d.code, d.kind, d.value, null, d.products, '{}', d.most, true, now(), now()
      from events e, (values ('FRIENDS', 'amount', 100, null::uuid[], 1), ('PRESS', 'percent', 10, '{}'::uuid[], null)) d(code, kind, value, products, most)
      where e.org_id = ${org} and e.code = ${event}`),
  );

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const amounts = (rows: readonly Row[], units: (row: Row) => number) => {
  const [price_minor, discount_minor] = [
    sum(rows, (row) => row.price_minor * units(row)),
    sum(rows, (row) => row.discount_minor),
  ];
  return { price_minor, discount_minor, total_minor: price_minor - discount_minor };
};
const one = () => 1;
const byQuantity = (row: Row): number => row.quantity;

/** The report's numbers from the rows, of those whom a caller reaches. */
function countSales(rows: Awaited<ReturnType<typeof rowsOf>>, between: (at: string) => boolean = () => true) {
  const attendees = rows.attendees.filter((row) => HOLDING.includes(row.status) && between(row.created_at));
  const registrations = rows.registrations.filter(
    (row) => HOLDING.includes(row.status) && row.whole && between(row.created_at),
  );
  const lines = [...attendees, ...registrations].flatMap((row) => row.products as Row[]);
  const product = (code: string) => lines.filter((row) => row.product_id === id[code]);
  const unitsOf = (some: readonly Row[]) => ({
    ...{ units: sum(some, byQuantity), handed_out: sum(some, (row) => row.handed_out) },
    ...amounts(some, byQuantity),
  });
  const tickets = amounts(attendees, one);
  const booked = amounts(lines, byQuantity);
  return {
    people: attendees.length,
    units: sum(lines, byQuantity),
    price_minor: tickets.price_minor + booked.price_minor,
    discount_minor: tickets.discount_minor + booked.discount_minor,
    total_minor: tickets.total_minor + booked.total_minor,
    attendee_types: rows.types.flatMap((type) => {
      const own = attendees.filter((row) => row.attendee_type_id === type.id);
      if (own.length === 0) return [];
      const prices = [...Map.groupBy(own, (row) => row.price_name)].map(([name, some]) => ({
        ...{ name, people: some.length },
        ...amounts(some, one),
      }));
      return [{ attendee_type: type.code, people: own.length, ...amounts(own, one), prices }];
    }),
    products: ['shirt', 'dinner', 'parking', 'unsold'].map((code) => ({
      product: code,
      ...unitsOf(product(code)),
      options: (code === 'shirt' ? ['m', 'l'] : []).map((option) => ({
        option,
        ...unitsOf(product(code).filter((row) => row.option_id === id[option])),
      })),
    })),
    codes: [
      ...Map.groupBy(
        registrations.filter((row) => row.discount_code !== null),
        (row) => row.discount_code,
      ),
    ].map(([code, some]) => ({
      code,
      registrations: some.length,
      people: attendees.filter(
        (row) => row.discount_id !== null && some.some(({ id: of }) => of === row.registration_id),
      ).length,
      discount_minor: sum(some, (row) => Number(row.discount_minor)),
    })),
  };
}

/** What is left is checked on its own: it does not come from these rows. Prices are ordered by people, of whom two may have as many. */
const comparable = ({ currency: _c, other_codes: _o, ...found }: Row) => ({
  ...found,
  attendee_types: found.attendee_types.map((type: Row) => ({ ...type, prices: sorted(type.prices, 'name') })),
  products: found.products.map(({ left: _l, ...of }: Row) => ({
    ...of,
    options: of.options.map(({ left: _, ...option }: Row) => option),
  })),
  codes: sorted(found.codes, 'code'),
});
const sorted = (rows: Row[], field: string): Row[] =>
  rows.toSorted((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1));

const callers = () => [
  { who: 'everybody', as: key, reach: null, test: false },
  { who: 'everybody, tests', as: key, reach: null, test: true },
  ...Object.entries(REACH).map(([who, reach]) => ({ who, as: limited[who]!, reach, test: false })),
];

describe('sales', () => {
  test('are those of the rows, for every caller', async () => {
    for (const { who, as, reach, test: tests } of callers()) {
      const { currencies, ...about } = await report(`?test=${tests}`, as);
      expect(about).toMatchObject({ test: tests, timezone: 'Europe/Berlin' });
      expect(currencies).toHaveLength(1);
      const counted = countSales(await rowsOf(t, 'fair', tests, reach));
      expect(comparable(currencies[0]), who).toEqual(comparable(counted));
    }
  });

  test('the world of these tests has everything that makes a difference', async () => {
    const [all] = (await report()).currencies;
    expect(all.attendee_types[0].prices.map(({ name }: Row) => name).sort()).toEqual(['Early bird', null]);
    expect(all.codes.map(({ code }: Row) => code)).toEqual(['PRESS', 'FRIENDS']);
    expect(all.products.map(({ units }: Row) => units > 0)).toEqual([true, true, true, false]);
    const [north] = (await report('', limited.north)).currencies;
    expect(north.people).toBeGreaterThan(0);
    expect(north.people).toBeLessThan(all.people);
    expect(north.codes[0].people).toBeLessThan(all.codes[0].people);
    const rows = await rowsOf(t, 'fair', false, REACH.north!);
    expect(rows.registrations.some((row) => !row.whole && row.discount_code !== null)).toBe(true);
  });

  test('are narrowed to those who registered between `from` and `to`', async () => {
    const [from, to] = ['2026-10-05T20:00:00Z', '2026-10-12T08:00:00Z'];
    const within = (at: string) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
    const [found] = (await report(`?from=${from}&to=${to}`)).currencies;
    expect(comparable(found)).toEqual(comparable(countSales(await rowsOf(t, 'fair', false, null), within)));
    expect(found.people).toBeGreaterThan(3);
  });

  test('what is left is told to callers who reach the group of the event', async () => {
    const left = (found: Row) => found.products.map((one: Row) => [one.left, ...one.options.map((of: Row) => of.left)]);
    const [all] = (await report()).currencies;
    const [shirt, , parking] = all.products;
    expect(left(all)).toEqual([
      [200 - shirt.units, 150 - shirt.options[0].units, null],
      [null],
      [60 - parking.units],
      [5],
    ]);
    expect(left((await report('', limited.north)).currencies[0])).toEqual([[null, null, null], [null], [null], [null]]);
  });

  test('name the 100 codes that are used most, and sum up the others', async () => {
    await done(post('/events', { code: 'coded', name: 'Coded' }));
    await done(post('/events/coded/attendee-types', { code: 'adult', name: 'Adult' }));
    // Code 1 is used by one person, code 2 by two and so on up to 12; 110 further codes by one each.
    await t.system((tx) =>
      tx.run(sql`
        with e as (select e.id, e.org_id, a.id as type from events e join attendee_types a on a.event_id = e.id where e.code = 'coded'),
        uses as (select c, md5('code' || c)::uuid as discount, gen_random_uuid() as r from generate_series(1, 122) c,
          generate_series(1, case when c <= 12 then c else 1 end)),
        made as (insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails,
            discount_id, discount_code, discount_minor, created_at, updated_at)
          select org_id, r, e.id, 'R' || r, 'confirmed', 'api', false, 'EUR', 0, 0, false, discount, 'CODE-' || c, 10, now(), now() from uses, e returning id)
        insert into attendees (org_id, id, event_id, registration_id, position, attendee_type_id, day_ids, first_name, last_name, answers, price_minor,
          status, test, name_key, given_key, discount_id, discount_minor, created_at, updated_at)
        select org_id, gen_random_uuid(), e.id, r, 0, type, '{}', 'P', 'Q', '{}', 10, 'confirmed', false, '', '', discount, 10, now(), now()
        from uses, e, (select count(*) from made) m`),
    );
    const { currencies } = await report('', key, 'coded');
    const { codes, other_codes } = currencies.find((one: Row) => one.people > 0);
    expect(codes).toHaveLength(100);
    expect(codes.slice(0, 2)).toEqual([
      { code: 'CODE-12', registrations: 12, people: 12, discount_minor: 120 },
      { code: 'CODE-11', registrations: 11, people: 11, discount_minor: 110 },
    ]);
    expect(other_codes).toEqual({ codes: 22, registrations: 22, people: 22, discount_minor: 220 });
  });

  test('as a file: every number of the report, under the name of its column', async () => {
    const job = await done(post('/exports', { what: 'report_sales', format: 'csv', event: 'fair' }));
    const text = await (await fetch(t.url + new URL(job.result_url).pathname)).text();
    const rows = Papa.parse<Row>(text.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data;
    const [found] = (await report()).currencies;
    const of = (breakdown: string) => rows.filter((row) => row.Breakdown === breakdown);
    const minor = (some: Row[], heading: string) => Math.round(sum(some, (row) => Number(row[heading])) * 100);
    expect(minor(of('total'), 'Total')).toBe(found.total_minor);
    expect(minor([...of('attendee_type'), ...of('product')], 'Price')).toBe(found.price_minor);
    expect(minor(of('attendee_type_and_price'), 'Discount')).toBe(minor(of('attendee_type'), 'Discount'));
    expect(sum(of('product_and_option'), (row) => Number(row.Units))).toBe(found.products[0].units);
    expect(of('code').map((row) => [row.Code, Number(row.People)])).toEqual(
      found.codes.map((one: Row) => [one.code, one.people]),
    );
  });

  test('an event that sells nothing has zeros', async () => {
    await done(post('/events', { code: 'plain', name: 'Plain', currency: 'CHF' }));
    expect((await report('', key, 'plain')).currencies).toEqual([
      {
        ...{ currency: 'CHF', people: 0, units: 0, price_minor: 0, discount_minor: 0, total_minor: 0 },
        ...{ attendee_types: [], products: [], codes: [], other_codes: null },
      },
    ]);
  });

  test('are for members who may read people, and not found by a key of another organization', async () => {
    const as = async (role: 'viewer' | 'door') =>
      (
        await t.call('GET', '/app/api/events/fair/reports/sales', {
          headers: { cookie: `${SESSION_COOKIE}=${await t.session('acme', role)}` },
        })
      ).status;
    expect([await as('viewer'), await as('door')]).toEqual([200, 403]);
    await t.org('third');
    expect((await get('/events/fair/reports/sales', (await t.key('third')).secret)).status).toBe(404);
  });

  test.each([
    'from=yesterday',
    'to=9999-12-31T23:59:59Z',
    'from=2026-10-02T00:00:00Z&to=2026-10-01T00:00:00Z',
    'by=day',
  ])('400 for %s', async (query) => {
    expect((await get(`/events/fair/reports/sales?${query}`)).status).toBe(400);
  });
});

describe('money by attendee type', () => {
  test('is what people cost with their products and less the discount', async () => {
    const money = (await done(get('/events/fair/reports/money'))).currencies[0];
    const rows = await rowsOf(t, 'fair', false, null);
    const costs = (row: Row) => row.price_minor - row.discount_minor + amounts(row.products, byQuantity).total_minor;
    const paying = new Set(
      rows.registrations.filter((row) => HOLDING.includes(row.status) && row.total_minor > 0).map((row) => row.id),
    );
    const charged = (type: Row) =>
      sum(
        rows.attendees.filter(
          (row) => row.attendee_type_id === type.id && paying.has(row.registration_id) && row.status !== 'cancelled',
        ),
        costs,
      );
    expect(money.attendee_types.map((one: Row) => [one.attendee_type, one.charged_minor])).toEqual(
      rows.types.filter((type) => charged(type) > 0).map((type) => [type.code, charged(type)]),
    );
    // What was booked for registrations as a whole is due, too, and is nobody's own.
    const ofAll = sum(
      rows.registrations.filter((row) => paying.has(row.id) && row.paid_minor < row.total_minor),
      (row) => amounts(row.products, byQuantity).total_minor,
    );
    expect(sum(money.attendee_types, (row) => row.due_minor) + ofAll).toBe(money.due_minor);
  });
});
