import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StripeDouble, type StripeEvent } from '../../../../test/support/stripe-double.ts';
import { call, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { toUlid, toUuid } from '../../common/ids.ts';
import type { PaymentProvider } from '../../outside/payments.ts';
import { stripeProvider } from '../../outside/stripe.ts';
import { sql } from '../../store/sql.ts';
import { expireUnpaid } from './index.ts';

let t: TestTurnout;
let stripe: StripeDouble;
let key: string;
let testKey: string;
/** Loses the answer after the provider has done its work, as a crash or a lost connection does. */
let lost: 'checkout' | 'refund' | null = null;

beforeAll(async () => {
  // The double of Stripe uses the clock of the server under test.
  let now = () => new Date();
  stripe = await StripeDouble.start(() => now());
  const clock = { now: () => now() };
  const real = await stripeProvider({ ...stripeOptions(), clock, timeoutMs: 1000 });
  t = await startTest({ payments: losing(real) });
  now = () => t.clock.now();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
});
afterAll(async () => {
  await t.stop();
  await stripe.stop();
});
beforeEach(() => {
  stripe.requests.length = 0;
  stripe.troubles = [];
  stripe.delayMs = 0;
  lost = null;
});

const stripeOptions = () => ({
  secretKey: stripe.secretKey,
  webhookSecret: stripe.webhookSecret,
  apiUrl: stripe.url,
});

function losing(provider: PaymentProvider): PaymentProvider {
  const loses = async <T>(name: 'checkout' | 'refund', done: Promise<T>): Promise<T> => {
    const result = await done;
    if (lost !== name) return result;
    lost = null;
    throw new Error('the process died here');
  };
  return {
    ...provider,
    checkout: (input) => loses('checkout', provider.checkout(input)),
    refund: (input) => loses('refund', provider.refund(input)),
  };
}

const post = (path: string, body?: unknown, options: { as?: string; key?: string } = {}) =>
  t.call('POST', `/v1${path}`, {
    key: options.as ?? key,
    body,
    ...(options.key !== undefined && { idempotencyKey: options.key }),
  });
const get = (path: string) => t.call('GET', `/v1${path}`, { key });

let serial = 0;
/** A registration of one attendee that owes 25.00, with the paths to act on it. */
async function owing(options: { as?: string; event?: object; price?: number } = {}) {
  const code = `e${++serial}`;
  expect((await post('/events', { code, name: `Fair ${code}`, ...options.event })).status).toBe(201);
  await post(`/events/${code}/days`, { code: 'd1', date: '2055-12-01' });
  const type = { code: 'adult', name: 'Adult', price_minor: options.price ?? 2500 };
  expect((await post(`/events/${code}/attendee-types`, type)).status).toBe(201);
  expect((await post(`/events/${code}/publish`)).status).toBe(200);
  const person = {
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada${serial}@example.org`,
  };
  const made = await post(`/events/${code}/registrations`, { attendees: [person] }, { as: options.as ?? key });
  expect([made.status, made.body.status]).toEqual([201, 'pending_payment']);
  const path = `/events/${code}/registrations/${made.body.id}`;
  return {
    code,
    path,
    id: made.body.id as string,
    name: made.body.code as string,
    now: async () => (await get(path)).body,
    payments: async () => (await get(`${path}/payments`)).body.data,
  };
}
const urls = {
  success_url: 'https://fair.example.org/thanks?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:5173/',
};
const checkout = (path: string, options: { as?: string; key?: string } = {}) => post(`${path}/checkout`, urls, options);
const deliver = (event: StripeEvent, options: Parameters<StripeDouble['deliver']>[2] = {}) =>
  stripe.deliver(t.url, event, options);
async function paid(options: Parameters<typeof owing>[0] = {}) {
  const it = await owing(options);
  const session = (await checkout(it.path)).body.reference as string;
  expect((await deliver(stripe.pay(session))).status).toBe(200);
  const [payment] = await it.payments();
  return { ...it, session, payment, intent: payment.reference as string };
}
const occurrences = async (code: string) =>
  (
    await t.system((tx) =>
      tx.all<{ type: string }>(sql`
        select o.type from outbox o join events e on e.id = o.event_id where e.code = ${code} order by o.id`),
    )
  ).map((row) => row.type);
const audit = (action: string, code: string) =>
  t.system((tx) =>
    tx.all<{ actor_kind: string; actor_name: string; source: string; changes: Record<string, unknown> }>(sql`
      select a.actor_kind, a.actor_name, a.source, a.changes from audit_log a join events e on e.id = a.event_id
      where a.action = ${action} and e.code = ${code} order by a.id`),
  );
const mailsTo = (n: number) =>
  t.system((tx) =>
    tx.all<{ kind: string }>(sql`select kind from mails where recipient = ${`ada${n}@example.org`} order by id`),
  );

describe('a checkout', () => {
  test('asks Stripe for the balance, and paying it confirms the registration', async () => {
    const it = await owing();
    const n = serial;
    const started = await checkout(it.path);
    expect(started.status).toBe(201);
    const [session] = [...stripe.sessions.values()].slice(-1);
    expect(started.body).toEqual({
      url: `https://checkout.stripe.com/c/pay/${session!.id}`,
      reference: session!.id,
      amount_minor: 2500,
      currency: 'EUR',
      expires_at: new Date(session!.expires_at * 1000).toISOString(),
    });
    expect(stripe.requests[0]!.form).toMatchObject({
      mode: 'payment',
      line_items: {
        0: { price_data: { currency: 'eur', unit_amount: '2500', product_data: { name: `Fair ${it.code}` } } },
      },
      success_url: urls.success_url,
      customer_email: `ada${n}@example.org`,
      client_reference_id: it.id,
    });
    expect(await audit('payment.checkout_started', it.code)).toMatchObject([
      { actor_kind: 'key', changes: { details: { reference: session!.id, amount_minor: 2500, currency: 'EUR' } } },
    ]);
    expect((await it.now()).status).toBe('pending_payment');

    expect(await deliver(stripe.pay(session!.id))).toEqual({ status: 200, text: '{"received":true}' });
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 2500, total_minor: 2500 });
    expect((await it.now()).attendees[0].tickets).toHaveLength(1);
    expect(await it.payments()).toMatchObject([
      { amount_minor: 2500, currency: 'EUR', method: 'online', status: 'received', reference: session!.payment_intent },
    ]);
    expect((await occurrences(it.code)).slice(1)).toEqual([
      'payment.received',
      'registration.confirmed',
      'ticket.issued',
      'registration.updated',
    ]);
    expect(await audit('payment.recorded', it.code)).toMatchObject([
      {
        actor_kind: 'system',
        actor_name: 'stripe',
        source: 'system',
        changes: { details: { amount_minor: 2500 }, objects: [{ kind: 'payment' }] },
      },
    ]);
    expect((await mailsTo(n)).map((mail) => mail.kind)).toEqual(['payment_due', 'confirmation']);
  });

  test('asks for what is left after another payment', async () => {
    const it = await owing();
    await post(`${it.path}/payments`, { amount_minor: 1000, method: 'cash' });
    expect((await checkout(it.path)).body.amount_minor).toBe(1500);
  });

  test('repeated with the same Idempotency-Key gives the same page, and Stripe is asked once', async () => {
    const it = await owing();
    const first = await checkout(it.path, { key: 'again' });
    const again = await checkout(it.path, { key: 'again' });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(stripe.requests).toHaveLength(1);
    const twins = await Promise.all([1, 2, 3, 4].map(() => checkout(it.path, { key: 'twins' })));
    expect(new Set(twins.map((reply) => reply.text)).size).toBe(1);
    expect(stripe.requests).toHaveLength(2);
  });

  test('whose answer was lost gives the same session on the retry', async () => {
    const it = await owing();
    const before = stripe.sessions.size;
    lost = 'checkout';
    expect((await checkout(it.path, { key: 'crash' })).status).toBe(500);
    expect(await audit('payment.checkout_started', it.code)).toEqual([]);
    const retried = await checkout(it.path, { key: 'crash' });
    expect(retried.status).toBe(201);
    expect(stripe.sessions.size).toBe(before + 1);
    expect(stripe.requests.map((request) => request.headers['idempotency-key'])).toHaveLength(2);
    // Another key gives the session that is open; another balance ends it and gives another one, and never an idempotency error.
    lost = 'checkout';
    await checkout(it.path, { key: 'changed' });
    await post(`${it.path}/payments`, { amount_minor: 100, method: 'cash' });
    expect((await checkout(it.path, { key: 'changed' })).body.amount_minor).toBe(2400);
    expect(stripe.sessions.size).toBe(before + 2);
  });

  test('ends five minutes before the time to pay, but at the latest after 24 hours and at the earliest after 35 minutes', async () => {
    const minutes = async (hours: number, moved: number) => {
      const it = await owing({ event: { registration: { payment_hours: hours } } });
      t.clock.advance(moved);
      const started = await checkout(it.path);
      const left = (Date.parse(started.body.expires_at) - t.clock.now().getTime()) / MINUTE;
      t.clock.advance(-moved);
      return left;
    };
    expect(await minutes(72, 0)).toBeGreaterThan(23 * 60);
    const two = await minutes(2, 0);
    expect(two).toBeLessThanOrEqual(115);
    expect(two).toBeGreaterThan(112);
    expect(await minutes(1, 50 * MINUTE)).toBeGreaterThan(34);
  });

  test('converts amounts of currencies that Stripe counts in other units', async () => {
    const it = await owing({ event: { currency: 'ISK' } });
    const { reference } = (await checkout(it.path)).body;
    expect(stripe.sessions.get(reference)).toMatchObject({ amount_total: 250_000, currency: 'isk' });
    await deliver(stripe.pay(reference));
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 2500 });
    const [payment] = await it.payments();
    expect((await post(`/payments/${payment.id}/refund`, { amount_minor: 500 })).body.refunded_minor).toBe(500);
    expect(stripe.refunds.at(-1)!.amount).toBe(50_000);
  });

  describe('is refused', () => {
    test('409 if nothing is owed, or if the time to pay is over', async () => {
      const it = await paid();
      const again = await checkout(it.path);
      expect([again.status, again.body.error.message]).toEqual([
        409,
        'The registration is confirmed; only a registration that is pending_payment can be paid online.',
      ]);
      const late = await owing({ event: { registration: { payment_hours: 1 } } });
      t.clock.advance(2 * HOUR);
      expect((await checkout(late.path)).body.error.message).toContain('time to pay is over');
      t.clock.advance(-2 * HOUR);
    });

    test('409 for test registrations, because tests never reach Stripe; 403 for a live one with a test key', async () => {
      const it = await owing({ as: testKey });
      const reply = await checkout(it.path, { as: testKey });
      expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
      expect(reply.body.error.message).toContain('tests never reach the payment provider');
      expect((await checkout((await owing()).path, { as: testKey })).body.error.code).toBe('test_key_live_object');
      expect(stripe.requests).toHaveLength(0);
    });

    test('400 for URLs that are neither https nor on this machine', async () => {
      const it = await owing();
      const good = urls.cancel_url;
      for (const bad of [
        'http://fair.example.org/',
        'https://user@fair.example.org/',
        'javascript:alert(1)',
        'http://localhost.example.org/',
        'https://%%%/',
        'https://a b/',
        '/thanks',
      ]) {
        const reply = await post(`${it.path}/checkout`, { success_url: bad, cancel_url: good });
        expect([bad, reply.status, reply.body.error.details?.[0].path]).toEqual([bad, 400, 'success_url']);
      }
      expect(stripe.requests).toHaveLength(0);
    });

    test('409 with Stripe’s own message when Stripe refuses', async () => {
      const it = await owing({ price: 10 });
      const reply = await checkout(it.path);
      expect([reply.status, reply.body.error.message]).toEqual([
        409,
        "Stripe refused the request: The Checkout Session's total amount must be at least 0.50",
      ]);
    });
  });

  test.each([
    ['answers 500', [{ status: 500 }, { status: 500 }]],
    ['is overloaded', [{ status: 429 }]],
    ['cuts the line', ['cut', 'cut', 'cut']],
    ['does not answer', ['hangs', 'hangs']],
  ] as const)('503 when Stripe %s; nothing is stored and the same key works later', async (_, troubles) => {
    const it = await owing();
    stripe.troubles = [...troubles];
    const down = await checkout(it.path, { key: `down ${_}`.replaceAll(' ', '-') });
    expect([down.status, down.body.error.code, down.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(down.body.error.message).toContain('same `Idempotency-Key`');
    expect(await audit('payment.checkout_started', it.code)).toEqual([]);
    stripe.troubles = [];
    expect((await checkout(it.path, { key: `down ${_}`.replaceAll(' ', '-') })).status).toBe(201);
  });

  test('one failed connection goes unnoticed, because the library tries again with the same key', async () => {
    const it = await owing();
    const before = stripe.sessions.size;
    stripe.troubles = ['cut after done'];
    expect((await checkout(it.path)).status).toBe(201);
    expect(stripe.sessions.size).toBe(before + 1);
    expect(stripe.requests).toHaveLength(2);
  });

  test('503 when Stripe does not know the key of the installation', async () => {
    const clock = t.clock;
    const payments = await stripeProvider({ ...stripeOptions(), secretKey: 'sk_test_another', clock });
    const other = await startTest({ payments, database: t.database, clock });
    const it = await owing();
    const reply = await call(other.url, 'POST', `/v1${it.path}/checkout`, { key, body: urls });
    expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
    expect(reply.text).not.toContain('sk_test');
    await other.stop();
  });
});

describe('the webhook', () => {
  test('400 for what Stripe did not sign: nothing is recorded', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    const payload = JSON.stringify(event, null, 2);
    for (const options of [
      { secret: 'whsec_of_somebody_else' },
      { signature: null },
      { signature: '' },
      { signature: 't=1,v1=00' },
      { signature: stripe.sign(payload).replace('v1=', 'v2=') },
      { body: payload.replace('"amount_total": 2500', '"amount_total": 9900') },
      { body: JSON.stringify(event) }, // the same JSON, other bytes
      { body: '' },
    ]) {
      const reply = await deliver(event, options);
      expect([JSON.stringify(options).slice(0, 60), reply.status]).toEqual([JSON.stringify(options).slice(0, 60), 400]);
      expect(JSON.parse(reply.text).error.code).toBe('validation_failed');
    }
    expect(await it.payments()).toEqual([]);
    expect((await deliver(event)).status).toBe(200);
  });

  test('400 for an event older than five minutes, however well signed', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    expect((await deliver(event, { at: new Date(t.clock.now().getTime() - 6 * MINUTE) })).status).toBe(400);
    expect((await deliver(event, { at: new Date(t.clock.now().getTime() - 4 * MINUTE) })).status).toBe(200);
    expect((await it.now()).status).toBe('confirmed');
  });

  test('an event reported again changes nothing, and ten at once record one payment', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    const replies = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    const after = await it.now();
    const told = await occurrences(it.code);
    expect(await it.payments()).toHaveLength(1);
    expect(after).toMatchObject({ status: 'confirmed', paid_minor: 2500 });
    expect((await deliver(event)).status).toBe(200);
    expect(await it.now()).toEqual(after);
    expect(await occurrences(it.code)).toEqual(told);
    expect(await audit('payment.recorded', it.code)).toHaveLength(1);
  });

  test('two paid pages are an over-payment, which is recorded; a job refunds it', async () => {
    const it = await owing();
    const one = (await checkout(it.path)).body.reference;
    expect((await checkout(it.path)).body.reference, 'the open page is answered again').toBe(one);
    // As an earlier build did, which opened a second page beside the first.
    await t.system((tx) =>
      tx.run(sql`update payment_holds set session = null where registration_id = ${toUuid(it.id)}`),
    );
    const two = (await checkout(it.path)).body.reference;
    await Promise.all([deliver(stripe.pay(one)), deliver(stripe.pay(two))]);
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 5000 });
    expect(await it.payments()).toHaveLength(2);
    expect(await audit('payment.duplicate', it.code)).toHaveLength(1);
  });

  test('409 while a payment is being confirmed: nobody gets another page', async () => {
    const it = await owing();
    const report = stripe.pay((await checkout(it.path)).body.reference);
    const again = await checkout(it.path);
    expect([again.status, again.body.error.code]).toEqual([409, 'invalid_state']);
    expect(again.body.error.message).toContain('is being confirmed');
    expect((await deliver(report)).status).toBe(200);
    expect(await it.now()).toMatchObject({ status: 'confirmed' });
  });

  test('a payment that is reported when the registration has expired is recorded and can be refunded; the place stays free', async () => {
    const it = await owing({ event: { registration: { payment_hours: 1 } } });
    const n = serial;
    const late = stripe.pay((await checkout(it.path)).body.reference);
    t.clock.advance(2 * HOUR);
    await expireUnpaid(t.pool, t.clock);
    expect((await deliver(late)).status).toBe(200);
    expect(await it.now()).toMatchObject({ status: 'expired', paid_minor: 2500, attendees: [{ tickets: [] }] });
    const [payment] = await it.payments();
    expect(payment).toMatchObject({ status: 'received', amount_minor: 2500 });
    expect((await occurrences(it.code)).slice(-2)).toEqual(['payment.received', 'registration.updated']);
    expect(await audit('payment.recorded', it.code)).toMatchObject([
      { changes: { details: { registration: 'expired' } } },
    ]);
    expect((await post(`/payments/${payment.id}/refund`, {})).body).toMatchObject({
      status: 'refunded',
      refunded_minor: 2500,
    });
    expect((await it.now()).paid_minor).toBe(0);
    // The expiry is mailed once.
    expect((await mailsTo(n)).map((mail) => mail.kind)).toEqual(['payment_due', 'registration_expired']);
    t.clock.advance(-2 * HOUR);
  });

  test('so is a payment for a cancelled registration', async () => {
    const it = await owing();
    const session = (await checkout(it.path)).body.reference;
    await post(`${it.path}/cancel`, {});
    await deliver(stripe.pay(session));
    expect(await it.now()).toMatchObject({ status: 'cancelled', paid_minor: 2500 });
    expect(await it.payments()).toHaveLength(1);
  });

  test('a payment in another currency is not recorded, but the audit log keeps it', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    event.data.object.currency = 'usd';
    expect((await deliver(event)).status).toBe(200);
    expect(await it.payments()).toEqual([]);
    expect(await it.now()).toMatchObject({ status: 'pending_payment', paid_minor: 0 });
    expect(await audit('payment.not_booked', it.code)).toMatchObject([
      { actor_name: 'stripe', changes: { details: { amount_minor: 2500, currency: 'USD' } } },
    ]);
  });

  // claim: all-types-raised
  test('a bank debit counts when the money has arrived, and a failed one is reported once', async () => {
    const it = await owing();
    const session = (await checkout(it.path)).body.reference;
    expect((await deliver(stripe.payLater(session))).status).toBe(200);
    expect(await it.payments()).toEqual([]);
    for (const event of stripe.settle(session, true)) await deliver(event);
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 2500 });

    const fails = await owing();
    const other = (await checkout(fails.path)).body.reference;
    await deliver(stripe.payLater(other));
    const events = stripe.settle(other, false);
    expect(events.map((event) => event.type)).toEqual([
      'payment_intent.payment_failed',
      'checkout.session.async_payment_failed',
    ]);
    for (const event of events.reverse()) expect((await deliver(event)).status).toBe(200);
    expect(await fails.payments()).toMatchObject([{ status: 'failed', amount_minor: 2500, method: 'online' }]);
    expect(await fails.now()).toMatchObject({ status: 'pending_payment', paid_minor: 0 });
    expect((await occurrences(fails.code)).filter((type) => type === 'payment.failed')).toHaveLength(1);
  });

  test('declined cards are recorded as failed payments, and the same page can still be paid', async () => {
    const it = await owing();
    const session = (await checkout(it.path)).body.reference;
    const declined = [stripe.decline(session), stripe.decline(session)];
    for (const event of [...declined, ...declined]) await deliver(event);
    await deliver(stripe.pay(session));
    expect((await it.payments()).map((payment: { status: string }) => payment.status)).toEqual([
      'failed',
      'failed',
      'received',
    ]);
    const [failed] = await it.payments();
    const reply = await post(`/payments/${failed.id}/refund`, {});
    expect([reply.status, reply.body.error.message]).toEqual([
      409,
      'The payment failed, so there is nothing to refund.',
    ]);
  });

  test('200 for events about something that is not ours, which change nothing', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    const altered = (metadata: Record<string, string>) => {
      const copy = structuredClone(event);
      copy.data.object.metadata = metadata;
      return copy;
    };
    const { metadata } = event.data.object;
    const another = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
    const rival = toUlid(await t.org('rival'));
    for (const wrong of [
      {},
      { order: '17' },
      { ...metadata, turnout_org: another },
      { ...metadata, turnout_org: rival },
      { ...metadata, turnout_org: 'no id' },
      { ...metadata, turnout_event: another },
      { ...metadata, turnout_registration: another },
    ]) {
      expect((await deliver(altered(wrong))).status).toBe(200);
    }
    expect((await deliver(stripe.event('customer.created', { id: 'cus_1' }))).status).toBe(200);
    expect(await it.payments()).toEqual([]);
  });

  test('413 for a body that is too large, 405 for another method, 404 for other paths', async () => {
    const large = await fetch(`${t.url}/provider/stripe/webhook`, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect(large.status).toBe(413);
    expect((await fetch(`${t.url}/provider/stripe/webhook`)).status).toBe(405);
    expect((await fetch(`${t.url}/provider/other/webhook`, { method: 'POST', body: '{}' })).status).toBe(404);
  });
});

describe('refunds of what was paid online', () => {
  test('go through Stripe, first a part and then the rest; Stripe’s own event changes nothing more', async () => {
    const it = await paid();
    const part = await post(`/payments/${it.payment.id}/refund`, { amount_minor: 1000, reason: 'rain' });
    expect(part.body).toMatchObject({ status: 'received', refunded_minor: 1000 });
    expect(stripe.refunds.at(-1)).toMatchObject({ amount: 1000, metadata: { reason: 'rain' } });
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 1500, balance_minor: 1000 });
    const told = await occurrences(it.code);
    expect((await deliver(stripe.refunded(it.intent))).status).toBe(200);
    expect(await occurrences(it.code)).toEqual(told);
    expect((await it.payments())[0].refunded_minor).toBe(1000);

    const rest = await post(`/payments/${it.payment.id}/refund`, {});
    expect(rest.body).toMatchObject({ status: 'refunded', refunded_minor: 2500 });
    expect(stripe.refunds.at(-1)!.amount).toBe(1500);
    const more = await post(`/payments/${it.payment.id}/refund`, {});
    expect([more.status, more.body.error.message]).toEqual([409, 'The payment was refunded already.']);
    expect((await occurrences(it.code)).filter((type) => type === 'payment.refunded')).toHaveLength(2);
  });

  test('400 for more than is left', async () => {
    const it = await paid();
    await post(`/payments/${it.payment.id}/refund`, { amount_minor: 2000 });
    const reply = await post(`/payments/${it.payment.id}/refund`, { amount_minor: 501 });
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'amount_minor']);
    expect((await it.payments())[0].refunded_minor).toBe(2000);
  });

  test('retried after a crash are one refund at Stripe, counted once, whether Stripe has reported it meanwhile or not', async () => {
    for (const [meanwhile, body] of [
      [false, { amount_minor: 1500 }],
      [true, { amount_minor: 1500 }],
      [false, {}],
      [true, {}],
    ] as const) {
      const it = await paid();
      const before = stripe.refunds.length;
      const again = () => post(`/payments/${it.payment.id}/refund`, body, { key: `crash-${it.id}` });
      lost = 'refund';
      expect((await again()).status).toBe(500);
      if (meanwhile) await deliver(stripe.refunded(it.intent));
      const retried = await again();
      const total = 'amount_minor' in body ? 1500 : 2500;
      expect([retried.status, retried.body.refunded_minor]).toEqual([200, total]);
      expect(stripe.refunds).toHaveLength(before + 1);
      expect((await again()).headers.get('idempotent-replayed')).toBe('true');
      await deliver(stripe.refunded(it.intent));
      expect((await it.payments())[0].refunded_minor).toBe(total);
      expect((await occurrences(it.code)).filter((type) => type === 'payment.refunded')).toHaveLength(1);
      expect((await it.now()).paid_minor).toBe(2500 - total);
    }
  });

  test.each(['reopen', 'cancel'] as const)(
    'with %s, retried after a crash, are done once, even if Stripe reported the money first',
    async (then) => {
      const status = then === 'reopen' ? 'pending_payment' : 'cancelled';
      for (const meanwhile of [false, true]) {
        const it = await paid();
        const again = () => post(`/payments/${it.payment.id}/refund`, { [then]: true }, { key: `crash-${it.id}` });
        lost = 'refund';
        expect((await again()).status).toBe(500);
        if (meanwhile) await deliver(stripe.refunded(it.intent));
        expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: meanwhile ? 0 : 2500 });
        expect((await again()).body).toMatchObject({ status: 'refunded', refunded_minor: 2500 });
        await deliver(stripe.refunded(it.intent));
        expect(await it.now()).toMatchObject({ status, paid_minor: 0 });
        const told = await occurrences(it.code);
        expect(told.filter((type) => type === 'payment.refunded')).toHaveLength(1);
        expect(told.filter((type) => type === 'registration.cancelled')).toHaveLength(then === 'cancel' ? 1 : 0);
      }
    },
  );

  test('400 for reopen together with cancel, and Stripe is not asked', async () => {
    const it = await paid();
    const before = stripe.refunds.length;
    expect((await post(`/payments/${it.payment.id}/refund`, { reopen: true, cancel: true })).status).toBe(400);
    expect(stripe.refunds).toHaveLength(before);
  });

  test('made in Stripe’s dashboard are followed, with the same result if they are reported late or out of order', async () => {
    const it = await paid();
    const first = stripe.refundAtDashboard(it.intent, 300);
    const second = stripe.refundAtDashboard(it.intent, 400);
    await deliver(second);
    await Promise.all([deliver(first), deliver(second)]);
    expect((await it.payments())[0]).toMatchObject({ refunded_minor: 700, status: 'received' });
    expect(await audit('payment.refunded', it.code)).toMatchObject([{ actor_name: 'stripe', source: 'system' }]);
    // A refund here after one in the dashboard that was not reported yet: Stripe's total counts.
    stripe.refundAtDashboard(it.intent, 100);
    const ours = await post(`/payments/${it.payment.id}/refund`, { amount_minor: 200 });
    expect(ours.body.refunded_minor).toBe(1000);
    expect((await it.now()).paid_minor).toBe(1500);
  });

  test('two at once, with their events, are counted once each', async () => {
    const it = await paid();
    const replies = await Promise.all(
      [500, 700].map((amount_minor) => post(`/payments/${it.payment.id}/refund`, { amount_minor })),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
    await Promise.all([1, 2].map(() => deliver(stripe.refunded(it.intent))));
    expect((await it.payments())[0].refunded_minor).toBe(1200);
  });

  test('reported before their payment are answered with 409, so that Stripe reports them again', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    const refund = stripe.refundAtDashboard(event.data.object.payment_intent, null);
    expect((await deliver(refund)).status).toBe(409);
    await deliver(event);
    expect((await deliver(refund)).status).toBe(200);
    expect((await it.payments())[0]).toMatchObject({ status: 'refunded', refunded_minor: 2500 });
    expect((await it.now()).status).toBe('confirmed');
  });

  test('503 while Stripe is down, and nothing changes', async () => {
    const it = await paid();
    stripe.troubles = [{ status: 503 }, { status: 503 }];
    expect((await post(`/payments/${it.payment.id}/refund`, {})).status).toBe(503);
    expect((await it.payments())[0]).toMatchObject({ status: 'received', refunded_minor: 0 });
  });

  test('payments made in other ways are refunded without asking a provider', async () => {
    const it = await owing();
    const cash = await post(`${it.path}/payments`, { amount_minor: 2500, method: 'cash' });
    expect((await post(`/payments/${cash.body.id}/refund`, {})).body.status).toBe('refunded');
    expect(stripe.requests).toHaveLength(0);
  });
});

describe('a charge-back', () => {
  test('makes the payment fail and reopens the registration; a won dispute restores both', async () => {
    const it = await paid();
    const n = serial;
    const disputed = stripe.dispute(it.intent);
    expect((await deliver(disputed)).status).toBe(200);
    expect((await it.payments())[0]).toMatchObject({ status: 'failed', charged_back_minor: 2500, refunded_minor: 0 });
    expect(await it.now()).toMatchObject({
      status: 'pending_payment',
      paid_minor: 0,
      balance_minor: 2500,
      attendees: [{ tickets: [{ status: 'valid' }] }],
    });
    expect((await occurrences(it.code)).slice(-2)).toEqual(['payment.failed', 'registration.updated']);
    expect((await mailsTo(n)).map((mail) => mail.kind)).toEqual(['payment_due', 'confirmation', 'payment_due']);
    const refund = await post(`/payments/${it.payment.id}/refund`, {});
    expect([refund.status, refund.body.error.message]).toEqual([
      409,
      'The payment failed, so there is nothing to refund.',
    ]);

    const won = stripe.closeDispute(it.intent, 'won');
    await deliver(won);
    expect((await it.payments())[0]).toMatchObject({ status: 'received', charged_back_minor: 0 });
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 2500, balance_minor: 0 });
    // Reports that come late or twice have the same result: what Stripe says now counts.
    const told = await occurrences(it.code);
    await Promise.all([deliver(disputed), deliver(won), deliver(disputed)]);
    expect(await occurrences(it.code)).toEqual(told);
    expect((await it.now()).status).toBe('confirmed');
    expect(await audit('payment.charged_back', it.code)).toMatchObject([
      { actor_name: 'stripe', changes: { details: { charged_back_minor: 2500 } } },
      { changes: { details: { charged_back_minor: 0 } } },
    ]);
  });

  test('of a part is counted apart from a refund, and what is left can be refunded', async () => {
    const it = await paid();
    await post(`/payments/${it.payment.id}/refund`, { amount_minor: 500 });
    await deliver(stripe.dispute(it.intent, 1500));
    expect((await it.payments())[0]).toMatchObject({
      status: 'received',
      refunded_minor: 500,
      charged_back_minor: 1500,
    });
    expect(await it.now()).toMatchObject({ status: 'pending_payment', paid_minor: 500 });
    await deliver(stripe.refunded(it.intent));
    expect((await it.now()).paid_minor).toBe(500);
    await deliver(stripe.refundAtDashboard(it.intent, 500));
    await deliver(stripe.closeDispute(it.intent, 'lost'));
    expect((await it.payments())[0]).toMatchObject({
      status: 'refunded',
      refunded_minor: 1000,
      charged_back_minor: 1500,
    });
    expect((await it.now()).paid_minor).toBe(0);
  });

  test('reported before its payment is answered with 409, so that Stripe reports it again; for a cancelled registration only the money changes', async () => {
    const it = await owing();
    const event = stripe.pay((await checkout(it.path)).body.reference);
    const disputed = stripe.dispute(event.data.object.payment_intent);
    expect((await deliver(disputed)).status).toBe(409);
    await deliver(event);
    await post(`${it.path}/cancel`, {});
    expect((await it.now()).balance_minor).toBe(-2500);
    expect((await deliver(disputed)).status).toBe(200);
    expect(await it.now()).toMatchObject({ status: 'cancelled', paid_minor: 0, balance_minor: 0 });
  });

  test('an inquiry takes no money yet, and disputes of others in the same account are not ours', async () => {
    const it = await paid();
    const inquiry = stripe.dispute(it.intent);
    stripe.disputes.at(-1)!.status = 'warning_needs_response';
    expect((await deliver(inquiry)).status).toBe(200);
    expect(await it.now()).toMatchObject({ status: 'confirmed', paid_minor: 2500 });
    stripe.intents.get(it.intent)!.metadata = {};
    stripe.disputes.at(-1)!.status = 'needs_response';
    expect((await deliver(inquiry)).status).toBe(200);
    expect((await it.now()).status).toBe('confirmed');
  });
});

describe('without a Stripe key', () => {
  let off: TestTurnout;
  beforeAll(async () => {
    off = await startTest({ database: t.database, clock: t.clock });
  });
  afterAll(() => off.stop());

  test('there is no checkout and no webhook, and everything else works', async () => {
    const it = await owing();
    const reply = await call(off.url, 'POST', `/v1${it.path}/checkout`, { key, body: urls });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
    expect(reply.body.error.message).toMatch(/^Online payment is not set up/);
    const session = (await checkout(it.path)).body.reference;
    expect((await stripe.deliver(off.url, stripe.pay(session))).status).toBe(404);
    const cash = { amount_minor: 2500, method: 'cash' };
    expect((await call(off.url, 'POST', `/v1${it.path}/payments`, { key, body: cash })).status).toBe(201);
  });

  test('earlier online payments have to be refunded at Stripe', async () => {
    const it = await paid();
    const reply = await call(off.url, 'POST', `/v1/payments/${it.payment.id}/refund`, { key, body: {} });
    expect([reply.status, reply.body.error.message]).toEqual([
      409,
      'The payment came through stripe, which is not set up on this installation. Refund it at stripe.',
    ]);
  });
});

test('a Stripe key needs the webhook’s secret in the settings, and then the server sets it up by itself', async () => {
  const started = (env: Record<string, string>) => startTest({ database: t.database, clock: t.clock, env });
  await expect(started({ STRIPE_SECRET_KEY: 'sk_test_1' })).rejects.toThrow('STRIPE_WEBHOOK_SECRET must be set');
  await expect(started({ STRIPE_SECRET_KEY: 'pk_test_1' })).rejects.toThrow('start with sk_ or rk_');
  const wrong = { ...stripe.env, STRIPE_API_URL: 'ftp://x' };
  await expect(started(wrong)).rejects.toThrow('STRIPE_API_URL');
  const on = await started(stripe.env);
  const it = await owing();
  const reply = await call(on.url, 'POST', `/v1${it.path}/checkout`, { key, body: urls });
  expect(reply.status).toBe(201);
  expect((await stripe.deliver(on.url, stripe.pay(reply.body.reference))).status).toBe(200);
  expect((await it.now()).status).toBe('confirmed');
  await on.stop();
});

test('the double of Stripe follows Stripe’s rules of idempotency', async () => {
  const send = (key: string, amount: number) =>
    fetch(`${stripe.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stripe.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': key,
      },
      body: new URLSearchParams({
        mode: 'payment',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': String(amount),
        'line_items[0][price_data][product_data][name]': 'Fair',
        success_url: 'https://example.org',
        cancel_url: 'https://example.org',
      }),
    });
  const first = await send('a', 100);
  const again = await send('a', 100);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(await first.text());
  const other = await send('a', 200);
  expect([other.status, (await other.json()).error.type]).toEqual([400, 'idempotency_error']);
  stripe.delayMs = 100;
  const [slow, quick] = await Promise.all([send('b', 100), send('b', 100)]);
  const statuses = [slow!.status, quick!.status].sort();
  expect(statuses).toEqual([200, 409]);
});
