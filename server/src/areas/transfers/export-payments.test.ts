import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type Exporting, openExporting } from './export.support.ts';

let x: Exporting;
const ids: Record<string, string> = {};
const what = 'payments';

const pay = async (registration: string, body: object, event = 'fair', as = x.key): Promise<string> => {
  const reply = await x.post(`/events/${event}/registrations/${registration}/payments`, body, as);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
};

beforeAll(async () => {
  x = await openExporting();
  const guest = { attendee_type: 'guest', last_name: 'Guest' };
  const gus = await x.register([{ ...guest, first_name: 'Gus', email: 'gus@example.org', group: 'hill' }], {
    group: 'hill',
  });
  ids.code = gus.code;
  ids.half = await pay(gus.id, { amount_minor: 1550, method: 'cash' });
  x.t.clock.advance(3600_000);
  ids.rest = await pay(gus.id, { amount_minor: 1000, method: 'transfer', reference: '=HYPERLINK("http://x")' });
  const back = await x.post(`/payments/${ids.rest}/refund`, { amount_minor: 250 });
  expect(back.status, back.text).toBe(200);
  const mixed = await x.register([
    { ...guest, first_name: 'Nan', group: 'north' },
    { ...guest, first_name: 'Sue', group: 'south' },
  ]);
  ids.failed = await pay(mixed.id, { amount_minor: 5100, method: 'card', status: 'failed' });
  ids.mixed = await pay(mixed.id, { amount_minor: 5100, method: 'card' });
  const tess = await x.register([{ ...guest, first_name: 'Tess' }], {}, x.testKey);
  ids.test = await pay(tess.id, { amount_minor: 1, method: 'other' }, 'fair', x.testKey);
});
afterAll(() => x.t.stop());

const paid = async (more: object = {}, as?: string) =>
  (await x.rows({ what, columns: ['payment_id'], ...more }, as)).map((row) => row['Payment ID']);

test('every payment is one row, in the order of creation, with the columns that bookkeeping needs', async () => {
  const rows = await x.rows({ what });
  expect(rows).toHaveLength(4);
  expect(rows[0]).toEqual({
    Registration: ids.code,
    'First name': 'Gus',
    'Last name': 'Guest',
    Email: 'gus@example.org',
    Amount: '15.50',
    Refunded: '0.00',
    'Charged back': '0.00',
    Net: '15.50',
    Currency: 'EUR',
    Method: 'cash',
    Reference: '',
    Status: 'received',
    'Created at': '2026-10-25 02:30:00',
    'Payment ID': ids.half,
  });
  // Between the two payments the clocks were put back. A text that a spreadsheet would run is guarded.
  expect(rows[1]).toMatchObject({
    ...{ Amount: '10.00', Refunded: '2.50', Net: '7.50', Reference: `'=HYPERLINK("http://x")` },
    ...{ 'Created at': '2026-10-25 02:30:00', Status: 'received', 'Payment ID': ids.rest },
  });
  expect(rows[2]).toMatchObject({ Amount: '51.00', Net: '0.00', Status: 'failed' });
});

test('amounts have the digits of their currency', async () => {
  await x.post('/events', { code: 'tokyo', name: 'Tokyo', currency: 'JPY', timezone: 'Asia/Tokyo' });
  await x.post('/events/tokyo/days', { code: 'd', date: '2036-12-01' });
  await x.post('/events/tokyo/attendee-types', { code: 'guest', name: 'Guest', price_minor: 2500 });
  await x.post('/events/tokyo/publish');
  const attendees = [{ attendee_type: 'guest', first_name: 'Aya', last_name: 'Ito' }];
  const { id } = (await x.post('/events/tokyo/registrations', { attendees })).body;
  await pay(id, { amount_minor: 2500, method: 'cash' }, 'tokyo');
  expect(await x.rows({ what, event: 'tokyo' })).toMatchObject([
    { Amount: '2500', Refunded: '0', Net: '2500', Currency: 'JPY', 'Created at': '2026-10-25 10:30:00' },
  ]);
});

test('as Excel, amounts are numbers', async () => {
  const { rows } = await x.sheet({ what, columns: ['amount', 'net', 'registration_status', 'updated_at'] });
  expect(rows[0]).toEqual(['Amount', 'Net', 'Registration status', 'Updated at']);
  expect(rows[1]!.slice(0, 2)).toEqual([15.5, 15.5]);
});

test.each([
  [{ status: 'failed' }, ['failed']],
  [{ method: 'card' }, ['failed', 'mixed']],
  [{ method: 'card', status: 'received' }, ['mixed']],
  [{ registration_status: 'cancelled' }, []],
  [{ group: 'north' }, ['half', 'rest']],
  [{ from: '2026-10-25T01:00:00Z' }, ['rest', 'failed', 'mixed']],
  [{ to: '2026-10-25T01:00:00Z' }, ['half']],
  [{ updated_since: '2026-10-25T01:00:00Z', method: 'transfer' }, ['rest']],
])('only some: %j', async (filter, expected) => {
  expect(await paid({ filter })).toEqual(expected.map((name) => ids[name]));
});

test('filters of other exports, and statuses that no payment has, are refused', async () => {
  const reply = await x.ask({ what, filter: { status: 'confirmed', checked_in: true }, columns: ['tickets'] });
  expect(reply.status).toBe(400);
  expect(reply.body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual([
    'columns/0',
    'filter/checked_in',
    'filter/status',
  ]);
  expect((await x.ask({ what: 'people', filter: { method: 'cash' } })).status).toBe(400);
});

describe('which payments a key sees', () => {
  test('a live key sees none that were made in test mode; a test key sees what its lists show', async () => {
    expect(await paid()).not.toContain(ids.test);
    const rows = await x.rows({ what, columns: ['payment_id', 'test'] }, x.testKey);
    expect(rows).toContainEqual({ 'Payment ID': ids.test, Test: 'true' });
    expect(rows).toHaveLength(5);
  });

  test('a key limited to a group sees payments of registrations all of whose attendees it sees', async () => {
    const limited = async (group: string) => paid({}, (await x.t.key('acme', { group })).secret);
    expect(await limited('hill')).toEqual([ids.half, ids.rest]);
    expect(await limited('north')).toEqual([ids.half, ids.rest]);
    expect(await limited('south')).toEqual([]);
  });
});

test('2,000 rows are written at once, 2,001 in the background', async () => {
  // An event of its own, because what the other tests export is written at once.
  await x.post('/events', { code: 'throng', name: 'Throng', currency: 'EUR' });
  await x.post('/events/throng/days', { code: 'd', date: '2055-12-01' });
  await x.post('/events/throng/attendee-types', { code: 'guest', name: 'Guest', price_minor: 2500 });
  const event = toUuid((await x.post('/events/throng/publish')).body.id);
  const attendees = [{ attendee_type: 'guest', first_name: 'Gus', last_name: 'Guest' }];
  const { id } = (await x.post('/events/throng/registrations', { attendees })).body;
  await pay(id, { amount_minor: 100, method: 'cash' }, 'throng');
  const more = (rows: number) =>
    x.t.system((tx) =>
      tx.run(sql`
        insert into payments (org_id, id, event_id, registration_id, amount_minor, currency, method, status, test, created_at, updated_at)
        select org_id, gen_random_uuid(), event_id, registration_id, 100, currency, 'cash', 'received', false, created_at, created_at
        from (select * from payments where event_id = ${event} limit 1) p, generate_series(1, ${rows})`),
    );
  await more(1999);
  const small = await x.ask({ what, event: 'throng' });
  expect([small.status, small.body.counts]).toEqual([201, { rows: 2000 }]);
  await more(1);
  const large = await x.ask({ what, event: 'throng' });
  expect([large.status, large.body.what]).toEqual([202, 'payments']);
  await x.t.step.jobs();
  const job = await x.job(large.body.id);
  expect(job).toMatchObject({ status: 'succeeded', counts: { rows: 2001 } });
  expect((await (await x.download(job)).text()).trim().split('\r\n')).toHaveLength(2002);
});
