import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { BookedLine } from '../registrations/index.ts';
import { type Exporting, openExporting, type Row } from './export.support.ts';

let x: Exporting;
// biome-ignore lint/suspicious/noExplicitAny: registrations as the API shows them
const made: Record<string, any> = {};
const id: Record<string, Id> = {};
const keys: Record<string, string> = {};

const line = (product: string, more: Partial<BookedLine> = {}): BookedLine => ({
  ...{ product_id: id[product]!, option_id: null, quantity: 1, price_minor: 1000, discount_minor: 0, handed_out: 0 },
  ...more,
});
/** Writes what is booked, so that these tests need nothing but what is stored. */
const book = (
  table: 'attendees' | 'registrations',
  row: string,
  lines: BookedLine[],
  more: Record<string, unknown> = {},
) =>
  x.t.system((tx) => {
    const discount = more.discount_minor ?? 0;
    const to = [JSON.stringify(lines), discount, more.discount_id ?? null] as const;
    return table === 'attendees'
      ? tx.run(
          sql`update attendees set products = ${to[0]}::jsonb, discount_minor = ${to[1]}, discount_id = ${to[2]} where id = ${toUuid(row)}`,
        )
      : tx.run(sql`update registrations set products = ${to[0]}::jsonb, discount_minor = ${to[1]}, discount_id = ${to[2]},
          discount_code = ${more.discount_code ?? null} where id = ${toUuid(row)}`);
  });
const handOut = (registration: string, attendee: string | null, product: string, more: Record<string, unknown> = {}) =>
  x.t.system((tx) =>
    tx.run(sql`
      insert into hand_outs (org_id, id, event_id, registration_id, attendee_id, product_id, option_id, client_uuid, test, surplus, handed_out_at,
        actor_kind, actor_name, undone_at, undo_reason, created_at, updated_at)
      values (${x.org}, ${newId(x.t.clock.now())}, ${x.event}, ${toUuid(registration)}, ${attendee && toUuid(attendee)}, ${id[product]!}, ${more.option ?? null},
        ${randomUUID()}, ${more.test ?? false}, ${more.surplus ?? false}, ${more.at ?? '2026-10-25T10:00:00Z'}, 'key', 'Desk', ${more.undone_at ?? null},
        ${more.undo_reason ?? null}, now(), clock_timestamp())`),
  );

beforeAll(async () => {
  x = await openExporting();
  for (const group of ['north', 'south']) keys[group] = (await x.t.key('acme', { group })).secret;
  for (const body of [
    { code: 'dinner', name: 'Dinner', price_minor: 2500 },
    { code: 'shirt', name: 'T-shirt', price_minor: 1000, max: 5, options: [{ code: 'm', name: 'M' }] },
    { code: 'parking', name: '=Parking', per: 'registration', price_minor: 500 },
  ]) {
    const reply = await x.post('/events/fair/products', body);
    expect(reply.status, reply.text).toBe(201);
    id[body.code] = toUuid(reply.body.id);
  }
  id.m = await x.t.system(
    async (tx) => (await tx.one<{ id: Id }>(sql`select options->0->>'id' as id from products where code = 'shirt'`)).id,
  );
  const guest = { attendee_type: 'guest', last_name: 'Guest' };
  made.ann = await x.register([{ ...guest, first_name: 'Ann', group: 'hill' }], { group: 'hill' });
  await x.post(`/events/fair/registrations/${made.ann.id}/payments`, { amount_minor: 2550, method: 'cash' });
  made.mixed = await x.register(
    [
      { ...guest, first_name: 'Nan', group: 'north' },
      { ...guest, first_name: 'Sue', group: 'south', days: ['d2'] },
    ],
    { contact: { first_name: 'Reg', last_name: 'Istrant', email: 'reg@example.org' } },
  );
  made.test = await x.register([{ ...guest, first_name: 'Tess' }], {}, x.testKey);
  made.none = await x.register([{ ...guest, first_name: 'Noah' }]);
  const shirts = line('shirt', { option_id: id.m!, quantity: 2, discount_minor: 200, handed_out: 1 });
  const [ann, [nan, sue]] = [made.ann.attendees[0], made.mixed.attendees];
  const discount_id = newId(x.t.clock.now());
  await book('attendees', ann.id, [line('dinner', { price_minor: 2500 }), shirts], {
    discount_id,
    discount_minor: 255,
  });
  await book('registrations', made.ann.id, [], { discount_id, discount_minor: 455, discount_code: 'FRIENDS-25' });
  await book('attendees', nan.id, [line('dinner', { price_minor: 2500 })]);
  await book('attendees', sue.id, [line('dinner', { price_minor: 2500, handed_out: 1 })], {
    discount_id,
    discount_minor: 100,
  });
  await book('registrations', made.mixed.id, [line('parking', { price_minor: 500 })], {
    ...{ discount_id, discount_minor: 100, discount_code: 'friends 25' },
  });
  await book('attendees', made.test.attendees[0].id, [line('dinner')]);
  await handOut(made.ann.id, ann.id, 'shirt', {
    option: id.m,
    undone_at: '2026-10-25T11:00:00Z',
    undo_reason: 'Wrong size',
  });
  await handOut(made.ann.id, ann.id, 'shirt', { option: id.m, at: '2026-10-25T12:00:00Z' });
  await handOut(made.mixed.id, sue.id, 'dinner', { at: '2026-10-26T18:00:00Z', surplus: true });
  await handOut(made.mixed.id, null, 'parking');
  await handOut(made.test.id, made.test.attendees[0].id, 'dinner', { test: true });
});
afterAll(() => x.t.stop());

describe('people and registrations', () => {
  const columns = ['first_name', 'price', 'discount', 'discount_code', 'products', 'turnout_export'];
  const ofPeople = async (more: object = {}, as?: string) => {
    const rows = await x.rows({ what: 'people', columns, ...more }, as);
    return Object.fromEntries(
      rows.map((row) => [row['First name'], [row.Price, row.Discount, row['Discount code'], row.Products]]),
    );
  };

  test('have what was booked in words, the price, and what the code took off', async () => {
    expect(await ofPeople()).toEqual({
      Ann: ['25.50', '2.55', 'FRIENDS-25', 'Dinner; T-shirt (M) x 2'],
      Nan: ['25.50', '0.00', '', 'Dinner'],
      Sue: ['25.50', '1.00', 'friends 25', 'Dinner'],
      Noah: ['25.50', '0.00', '', ''],
    });
    const registrations = await x.rows({
      what: 'registrations',
      columns: ['registration', 'discount', 'discount_code', 'products'],
    });
    expect(registrations.map((row) => [row.Discount, row['Discount code'], row.Products])).toEqual([
      ['4.55', 'FRIENDS-25', ''],
      ['1.00', 'friends 25', "'=Parking"],
      ['0.00', '', ''],
    ]);
  });

  test('a caller limited to a group sees the code of a registration only if everybody in it is in reach', async () => {
    expect(await ofPeople({}, keys.north)).toEqual({
      Ann: ['25.50', '2.55', 'FRIENDS-25', 'Dinner; T-shirt (M) x 2'],
      Nan: ['25.50', '0.00', '', 'Dinner'],
    });
    expect(await ofPeople({}, keys.south)).toEqual({ Sue: ['25.50', '1.00', '', 'Dinner'] });
    const registrations = await x.rows(
      { what: 'registrations', columns: ['registration', 'total', 'discount', 'discount_code', 'products'] },
      keys.south,
    );
    expect(registrations).toEqual([
      { Registration: made.mixed.code, Total: '', Discount: '', 'Discount code': '', Products: '' },
    ]);
  });

  test('a file with these columns is imported again without a change', async () => {
    const job = await x.ask({
      what: 'people',
      columns: ['first_name', 'last_name', 'attendee_type', 'group', 'days', 'external_id', ...columns.slice(1)],
      filter: { group: 'hill' },
    });
    const csv = await (await x.download(job.body)).text();
    expect(csv).toContain('T-shirt (M) x 2');
    const again = await x.post('/events/fair/imports', { csv });
    expect(again.body, JSON.stringify(again.body)).toMatchObject({
      status: 'succeeded',
      counts: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
    });
    expect(await ofPeople({ filter: { group: 'hill' } })).toMatchObject({
      Ann: ['25.50', '2.55', 'FRIENDS-25', 'Dinner; T-shirt (M) x 2'],
    });
  });

  test('are found by a product that they have booked', async () => {
    expect(Object.keys(await ofPeople({ filter: { product: 'shirt' } }))).toEqual(['Ann']);
    expect(Object.keys(await ofPeople({ filter: { product: 'parking' } }))).toEqual([]);
  });
});

describe('products', () => {
  const what = 'products';
  const short = (rows: Row[]) =>
    rows.map((row) =>
      [row['First name'], row.Product, row.Quantity, row.Total, row['Handed out'], row['Booked for']].join(' '),
    );
  const booked = async (filter: object = {}, as?: string) => short(await x.rows({ what, filter }, as));

  test('each line is a row, those of one registration together', async () => {
    const rows = await x.rows({ what });
    expect(rows[1]).toEqual({
      'First name': 'Ann',
      'Last name': 'Guest',
      Email: '',
      Type: 'guest',
      Group: 'hill',
      Product: 'T-shirt',
      Option: 'M',
      Quantity: '2',
      Price: '10.00',
      Discount: '2.00',
      Total: '18.00',
      Currency: 'EUR',
      'Handed out': '1',
      Status: 'confirmed',
      Registration: made.ann.code,
      'Booked for': 'attendee',
    });
    expect(short(rows)).toEqual([
      'Ann Dinner 1 25.00 0 attendee',
      'Ann T-shirt 2 18.00 1 attendee',
      "Reg '=Parking 1 5.00 0 registration",
      'Nan Dinner 1 25.00 0 attendee',
      'Sue Dinner 1 25.00 1 attendee',
    ]);
    expect(
      await x.rows({
        what,
        columns: ['product_code', 'option_code', 'discount_code', 'attendee_id'],
        filter: { product: 'shirt' },
      }),
    ).toEqual([
      {
        'Product code': 'shirt',
        'Option code': 'm',
        'Discount code': 'FRIENDS-25',
        'Attendee ID': made.ann.attendees[0].id,
      },
    ]);
  });

  test('as Excel, with numbers', async () => {
    const { rows, name } = await x.sheet({ what, columns: ['product', 'quantity', 'price', 'total'] });
    expect(name).toBe('Products');
    expect(rows[2]).toEqual(['T-shirt', 2, 10, 18]);
    expect(rows[3]).toEqual(['=Parking', 1, 5, 5]);
  });

  test('a caller limited to a group sees what its own people have booked, and of whole registrations only its own', async () => {
    expect(await booked({}, keys.north)).toEqual([
      'Ann Dinner 1 25.00 0 attendee',
      'Ann T-shirt 2 18.00 1 attendee',
      'Nan Dinner 1 25.00 0 attendee',
    ]);
    expect(await booked({}, keys.south)).toEqual(['Sue Dinner 1 25.00 1 attendee']);
    const withCode = { what, columns: ['first_name', 'discount_code'] };
    expect(await x.rows(withCode, keys.south)).toEqual([{ 'First name': 'Sue', 'Discount code': '' }]);
  });

  test('a live key sees nothing of tests, a test key both', async () => {
    expect((await booked({}, x.testKey)).filter((row) => row.startsWith('Tess'))).toHaveLength(1);
    expect((await booked()).some((row) => row.startsWith('Tess'))).toBe(false);
  });

  test.each([
    [{ product: 'dinner' }, 3],
    [{ status: 'pending_payment', product: 'parking' }, 1],
    [{ status: 'cancelled' }, 0],
    [{ attendee_type: 'guest' }, 4],
    [{ day: 'd2' }, 1],
    [{ group: 'north' }, 3],
    [{ updated_since: '2036-01-01T00:00:00Z' }, 0],
  ])('only some: %j', async (filter, rows) => {
    expect(await booked(filter)).toHaveLength(rows);
  });

  test('a large file has every line once, in order', async () => {
    const code = 'crowded';
    await x.post('/events', { code, name: code, timezone: 'UTC' });
    await x.post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
    const tea = (await x.post(`/events/${code}/products`, { code: 'tea', name: 'Tea' })).body.id;
    // Three lines each for 900 people, all with the same time: the order within one registration decides where a page ends.
    await x.t.system((tx) =>
      tx.run(sql`
        with e as (select e.id, t.id as type from events e join attendee_types t on t.event_id = e.id where e.code = ${code}),
        people as (select gen_random_uuid() as r, gen_random_uuid() as a, n from generate_series(1, 900) n),
        lines as (select jsonb_agg(jsonb_build_object('product_id', ${toUuid(tea)}::text, 'option_id', null, 'quantity', q, 'price_minor', 100,
          'discount_minor', 0, 'handed_out', 0) order by q) as lines from generate_series(1, 3) q),
        made as (insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails, created_at, updated_at)
          select ${x.org}, r, e.id, 'C' || n, 'confirmed', 'api', false, 'EUR', 0, 0, false, now(), now() from people, e returning id)
        insert into attendees (org_id, id, event_id, registration_id, position, attendee_type_id, day_ids, first_name, last_name, answers, price_minor,
          status, test, name_key, given_key, products, created_at, updated_at)
        select ${x.org}, a, e.id, r, 0, e.type, '{}', 'P' || n, 'L', '{}', 0, 'confirmed', false, '', '', lines, now(), now()
        from people, e, lines, (select count(*) from made) m`),
    );
    const job = await x.ask({ what, event: code, columns: ['registration', 'quantity'] });
    expect(job.status).toBe(202);
    await x.t.step.jobs();
    const done = await x.job(job.body.id);
    expect(done).toMatchObject({ status: 'succeeded', counts: { rows: 2700 } });
    const rows = (await (await x.download(done)).text()).trim().split(/\r?\n/).slice(1);
    expect(new Set(rows).size).toBe(2700);
    expect(rows.map((row) => row.split(',')[1]!.replaceAll('"', ''))).toEqual(
      Array.from({ length: 2700 }, (_, i) => String((i % 3) + 1)),
    );
  });
});

describe('hand_outs', () => {
  const what = 'hand_outs';
  const given = async (filter: object = {}, as?: string) =>
    (await x.rows({ what, filter }, as)).map((row) => `${row['First name']} ${row.Product} ${row['Handed out at']}`);

  test('each unit is a row; what was undone, or given away too often, says so', async () => {
    const rows = await x.rows({ what });
    expect(rows[0]).toEqual({
      'Handed out at': '2026-10-25 11:00:00',
      Product: 'T-shirt',
      Option: 'M',
      'First name': 'Ann',
      'Last name': 'Guest',
      Type: 'guest',
      Group: 'hill',
      Registration: made.ann.code,
      'Check-in point': '',
      'Handed out by': 'Desk',
      Surplus: 'false',
      'Undone at': '2026-10-25 12:00:00',
      'Undo reason': 'Wrong size',
    });
    expect(rows.map((row) => [row['First name'], row.Surplus, row['Undone at'] !== ''])).toEqual([
      ['Ann', 'false', true],
      ['Ann', 'false', false],
      ['Sue', 'true', false],
      ['Reg', 'false', false],
    ]);
    const ids = await x.sheet({ what, columns: ['hand_out_id', 'attendee_id', 'booked_for', 'surplus'] });
    expect(ids.rows[4]).toEqual([expect.stringMatching(/^[0-9A-Z]{26}$/), null, 'registration', false]);
  });

  test('are seen by a caller limited to a group as their people are', async () => {
    expect(await given({}, keys.south)).toEqual(['Sue Dinner 2026-10-26 19:00:00']);
    expect((await given({}, keys.north)).map((row) => row.split(' ')[0])).toEqual(['Ann', 'Ann']);
    expect(await given({}, x.testKey)).toHaveLength(5);
  });

  test.each([
    [{ product: 'shirt' }, 2],
    [{ from: '2026-10-25T12:00:00Z' }, 2],
    [{ to: '2026-10-25T12:00:00Z', product: 'shirt' }, 1],
    [{ group: 'north' }, 2],
    [{ group: 'south' }, 1],
    [{ attendee_type: 'adult' }, 0],
    [{ check_in_point: 'gate' }, 0],
  ])('only some: %j', async (filter, rows) => {
    expect(await given(filter)).toHaveLength(rows);
  });

  test.each([
    [{ what, filter: { status: 'confirmed' } }, 'filter/status'],
    [{ what, filter: { product: 'none' } }, 'filter/product'],
    [{ what: 'products', filter: { checked_in: true } }, 'filter/checked_in'],
    [{ what: 'products', columns: ['answers'] }, 'columns/0'],
    [{ what: 'tickets', filter: { product: 'shirt' } }, 'filter/product'],
  ])('400 for %j', async (body, path) => {
    const reply = await x.ask(body);
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, path]);
  });
});
