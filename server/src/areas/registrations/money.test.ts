import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
let testKey: string;
let limited: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const code of ['rowing', 'sailing']) await done(post('/groups', { code, name: code }));
  limited = (await t.key('acme', { group: 'rowing' })).secret;
});
afterAll(() => t.stop());

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const get = (path: string, as = key) => t.call('GET', `/v1${path}`, { key: as });
async function done(call: Promise<Reply>): Promise<Reply['body']> {
  const reply = await call;
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}
let serial = 0;
async function event(more: object = {}): Promise<string> {
  const code = `e${++serial}`;
  await done(post('/events', { code, name: code, ...more }));
  await done(post(`/events/${code}/days`, { code: 'd1', date: '2030-12-01' }));
  await done(post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 1000 }));
  await done(post(`/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' }));
  await done(post(`/events/${code}/publish`));
  return code;
}
const person = (more: object = {}) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: `Payer${++serial}`,
  email: `payer${serial}@example.org`,
  ...more,
});
const register = (code: string, attendees: object[] = [person()], as = key) =>
  done(post(`/events/${code}/registrations`, { attendees }, as));
const pay = (code: string, id: string, amount_minor = 1000, more: object = {}, as = key) =>
  done(post(`/events/${code}/registrations/${id}/payments`, { amount_minor, method: 'cash', ...more }, as));
const refund = (id: string, body: object = {}) => post(`/payments/${id}/refund`, body);
const now = (code: string, id: string, as = key) => done(get(`/events/${code}/registrations/${id}`, as));
const idsOf = (page: { data: { id: string }[] }) => page.data.map((one) => one.id);
const mailsOf = async (id: string) =>
  (
    await t.system((tx) =>
      tx.all<{ kind: string; reason: string | null }>(sql`
        select m.kind, coalesce(m.data, c.data)->>'reason' as reason from mails m
        left join mail_contents c on c.org_id = m.org_id and c.id = m.content_id
        where coalesce(m.data, c.data)->'registration'->>'code' = ${id} order by m.id`),
    )
  ).map((mail) => [mail.kind, mail.reason]);

describe('a refund', () => {
  test('keeps the registration’s status, its places and its tickets, which still admit', async () => {
    const code = await event();
    const { id, attendees } = await register(code);
    const { id: payment } = await pay(code, id);
    expect((await refund(payment)).body).toMatchObject({ status: 'refunded', refunded_minor: 1000 });
    const after = await now(code, id);
    expect(after).toMatchObject({
      status: 'confirmed',
      paid_minor: 0,
      balance_minor: 1000,
      payment_due_at: null,
      attendees: [{ status: 'confirmed', tickets: [{ status: 'valid' }] }],
    });
    expect(after.attendees[0].id).toBe(attendees[0].id);
    const scan = { code: after.attendees[0].tickets[0].code, check_in_point: 'gate', client_uuid: crypto.randomUUID() };
    const scanned = await post(`/events/${code}/scan`, { ...scan, scanned_at: '2030-12-01T12:00:00Z' });
    expect(scanned.body.result).toBe('accepted');
    expect(await mailsOf(after.code)).toEqual([
      ['payment_due', null],
      ['confirmation', null],
    ]);
  });

  test('with reopen has to be paid again: a mail says so, tickets do not admit, and paying confirms it again', async () => {
    const code = await event();
    const { id } = await register(code);
    const { id: payment } = await pay(code, id);
    expect((await refund(payment, { amount_minor: 400, reopen: true })).status).toBe(200);
    const open = await now(code, id);
    expect(open).toMatchObject({ status: 'pending_payment', balance_minor: 400 });
    expect(Date.parse(open.payment_due_at)).toBeGreaterThan(t.clock.now().getTime() + 71 * HOUR);
    const scan = { code: open.attendees[0].tickets[0].code, check_in_point: 'gate', client_uuid: crypto.randomUUID() };
    const scanned = await post(`/events/${code}/scan`, { ...scan, scanned_at: '2030-12-01T12:00:00Z' });
    expect([scanned.body.result, scanned.body.reason]).toEqual(['rejected', 'not_confirmed']);
    expect((await mailsOf(open.code)).map(([kind]) => kind)).toEqual(['payment_due', 'confirmation', 'payment_due']);
    await pay(code, id, 400);
    expect(await now(code, id)).toMatchObject({ status: 'confirmed', balance_minor: 0 });
  });

  test('with reopen does not reopen if only an over-payment is refunded', async () => {
    const code = await event();
    const { id } = await register(code);
    const { id: payment } = await pay(code, id, 1500);
    expect((await now(code, id)).balance_minor).toBe(-500);
    await done(refund(payment, { amount_minor: 500, reopen: true }));
    expect(await now(code, id)).toMatchObject({ status: 'confirmed', balance_minor: 0 });
  });

  test('with cancel frees places, voids tickets and mails the reason; a registration that has ended is only refunded', async () => {
    const code = await event({ capacity: 1 });
    const { id } = await register(code);
    const { id: payment } = await pay(code, id);
    await done(refund(payment, { amount_minor: 400, cancel: true, reason: 'The hall is closed' }));
    const over = await now(code, id);
    expect(over).toMatchObject({
      status: 'cancelled',
      total_minor: 1000,
      paid_minor: 600,
      balance_minor: -600,
      attendees: [{ tickets: [{ status: 'voided' }] }],
    });
    expect((await mailsOf(over.code)).at(-1)).toEqual(['cancelled', 'The hall is closed']);
    await register(code);
    await done(refund(payment, { cancel: true }));
    expect(await now(code, id)).toMatchObject({ status: 'cancelled', paid_minor: 0, balance_minor: 0 });
    expect((await mailsOf(over.code)).filter(([kind]) => kind === 'cancelled')).toHaveLength(1);
  });

  test('400 for reopen together with cancel, and nothing is refunded', async () => {
    const code = await event();
    const { id } = await register(code);
    const { id: payment } = await pay(code, id);
    const reply = await refund(payment, { reopen: true, cancel: true });
    expect([reply.status, reply.body.error.details]).toEqual([
      400,
      [{ path: 'cancel', message: 'cannot be combined with reopen: send one of them' }],
    ]);
    expect(await now(code, id)).toMatchObject({ status: 'confirmed', paid_minor: 1000 });
    expect((await refund(payment, { reopen: true, cancel: false })).status).toBe(200);
    expect((await now(code, id)).status).toBe('pending_payment');
  });
});

describe('the balance', () => {
  test('is due or in credit in every status, and the list can be filtered by it', async () => {
    const code = await event({ capacity: 6, registration: { waitlist: true } });
    const due = await register(code, [person(), person()]);
    const square = await register(code);
    await pay(code, square.id);
    const over = await register(code);
    await pay(code, over.id, 1200);
    const gone = await register(code);
    await pay(code, gone.id);
    await done(post(`/events/${code}/registrations/${gone.id}/cancel`, {}));
    const part = await register(code);
    await pay(code, part.id, 300);
    const more = await register(code);
    const waits = await register(code);
    const balances = new Map<string, number>();
    for (const one of (await done(get(`/events/${code}/registrations`))).data) balances.set(one.id, one.balance_minor);
    expect(waits.status).toBe('waitlisted');
    expect([due, square, over, gone, part, more, waits].map((one) => balances.get(one.id))).toEqual([
      2000, 0, -200, -1000, 700, 1000, 0,
    ]);
    const list = `/events/${code}/registrations?balance=`;
    expect(idsOf(await done(get(`${list}credit`)))).toEqual([over.id, gone.id]);
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await done(get(`${list}due&limit=1${cursor}`));
      found.push(...idsOf(page));
      cursor = page.page.has_more ? `&cursor=${page.page.next_cursor}` : '';
      if (cursor !== '') expect((await get(`${list}credit&limit=1${cursor}`)).status).toBe(400);
    } while (cursor !== '');
    expect(found).toEqual([due.id, part.id, more.id]);
    expect((await get(`${list}owed`)).status).toBe(400);
  });

  test('of a registration with attendees out of reach is neither shown nor found', async () => {
    const code = await event();
    const mixed = await register(code, [person({ group: 'rowing' }), person({ group: 'sailing' })]);
    const whole = await register(code, [person({ group: 'rowing' })]);
    expect(await now(code, mixed.id, limited)).toMatchObject({ balance_minor: null, total_minor: null });
    expect(await now(code, whole.id, limited)).toMatchObject({ balance_minor: 1000 });
    expect(idsOf(await done(get(`/events/${code}/registrations?balance=due`, limited)))).toEqual([whole.id]);
    expect(idsOf(await done(get(`/events/${code}/registrations?balance=due`)))).toEqual([mixed.id, whole.id]);
  });
});

describe('payments', () => {
  test('of an event are listed by status, method, registration, time and change, and one is found by its id', async () => {
    const code = await event();
    const one = await register(code);
    const other = await register(code);
    const began = t.clock.now().toISOString();
    t.clock.advance(1000);
    const cash = await pay(code, one.id, 400);
    const failed = await pay(code, one.id, 600, { method: 'card', status: 'failed' });
    t.clock.advance(HOUR);
    const later = t.clock.now().toISOString();
    const moved = await pay(code, other.id, 1000, { method: 'transfer', reference: 'Statement 3' });
    await done(refund(cash.id, { amount_minor: 100 }));
    const list = (query = '') => get(`/events/${code}/payments${query}`);
    const all = await done(list());
    expect(idsOf(all)).toEqual([failed.id, moved.id, cash.id]);
    expect(all.data[2]).toEqual(await done(get(`/payments/${cash.id}`)));
    expect(all.data[2]).toMatchObject({
      amount_minor: 400,
      refunded_minor: 100,
      charged_back_minor: 0,
      method: 'cash',
    });
    const found = async (query: string) => idsOf(await done(list(query)));
    expect(await found('?status=failed')).toEqual([failed.id]);
    expect(await found('?method=transfer')).toEqual([moved.id]);
    expect(await found(`?registration=${one.code}`)).toEqual([failed.id, cash.id]);
    expect(await found(`?from=${began}&to=${later}`)).toEqual([failed.id, cash.id]);
    expect(await found(`?from=${later}`)).toEqual([moved.id]);
    expect(await found(`?to=${later}&status=received`)).toEqual([cash.id]);
    expect(await found(`?updated_since=${encodeURIComponent(moved.updated_at)}`)).toEqual([moved.id, cash.id]);
    const first = await done(list('?limit=2'));
    expect(await found(`?limit=2&cursor=${first.page.next_cursor}`)).toEqual([cash.id]);
    expect((await list(`?limit=2&status=failed&cursor=${first.page.next_cursor}`)).status).toBe(400);
    const strange = await list('?registration=NOBODY');
    expect([strange.status, strange.body.error.details[0].path]).toEqual([400, 'registration']);
    expect((await get('/payments/01JCAXA7R4S9T2V5W8X1Y6Z3AP')).status).toBe(404);
  });

  test('are listed for test and live apart, and only of registrations in reach', async () => {
    const code = await event();
    const tested = await register(code, undefined, testKey);
    const test = await pay(code, tested.id, 1000, {}, testKey);
    const mixed = await register(code, [person({ group: 'rowing' }), person({ group: 'sailing' })]);
    const whole = await register(code, [person({ group: 'rowing' })]);
    const unseen = await pay(code, mixed.id, 100);
    const seen = await pay(code, whole.id, 100);
    const read = async (as: string) => idsOf(await done(get(`/events/${code}/payments`, as)));
    expect(await read(key)).toEqual([unseen.id, seen.id]);
    expect(await read(testKey)).toEqual([test.id, unseen.id, seen.id]);
    expect(await read(limited)).toEqual([seen.id]);
    expect((await get(`/events/${code}/payments?registration=${mixed.id}`, limited)).body.data).toEqual([]);
    for (const [id, as, status] of [
      [test.id, key, 404],
      [test.id, testKey, 200],
      [unseen.id, limited, 404],
      [seen.id, limited, 200],
    ] as const) {
      expect((await get(`/payments/${id}`, as)).status).toBe(status);
    }
  });
});
