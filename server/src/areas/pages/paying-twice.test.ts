import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StripeDouble } from '../../../../test/support/stripe-double.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { stripeProvider } from '../../outside/stripe.ts';
import { sql } from '../../store/sql.ts';
import { refundDuplicates } from '../registrations/index.ts';
import { forgetPage, openPaymentPage, PAID, pay, registered } from './holds.support.ts';
import { ADA, type Got, openForm, openPages, type Pages, textOf } from './pages.support.ts';

let x: Pages;
let stripe: StripeDouble;
let OWNER: string;
/** What runs each minute. */
let job: () => Promise<number>;
const sent: OutgoingMail[] = [];
beforeAll(async () => {
  let now = () => new Date();
  stripe = await StripeDouble.start(() => now());
  const settings = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, apiUrl: stripe.url };
  const payments = await stripeProvider({ ...settings, clock: { now: () => now() }, timeoutMs: 5000 });
  const mail = { describe: 'kept', close: () => {}, send: async (one: OutgoingMail) => void sent.push(one) };
  x = await openPages({ payments, mail });
  now = () => x.clock.now();
  await x.t.session('acme', 'owner');
  OWNER = (await x.t.system((tx) => tx.one<{ email: string }>(sql`select email from accounts`))).email;
  job = () =>
    refundDuplicates({ pool: x.t.pool, clock: x.clock, log: pino({ level: 'silent' }), outside: { payments } });
});
afterAll(async () => {
  await x.t.stop();
  await stripe.stop();
});

const paidEvent = () => x.event({ types: PAID, event: { registration: { payment_hours: 72, checkout_minutes: 600 } } });
const payButton = ({ text }: Got): string | null => /\/pay".*?<button>(.*?)<\/button>/.exec(text)?.[1] ?? null;
const isWaiting = ({ text }: Got): boolean => textOf(text).includes('Payment is being confirmed');

test('before anything is booked, people read that they pay next', async () => {
  const { code } = await paidEvent();
  const form = (await openForm(x, code)).fill(ADA);
  x.clock.advance(2000);
  const summary = await x.post(form.action, form.sent('review'));
  expect(textOf(summary.text)).toContain('You’ll pay in the next step.');
  expect(textOf(summary.text)).toContain('Register and pay');
});

describe('the page of a registration whose payment page was opened', () => {
  test('paid and not reported yet: it is being confirmed, and cannot be paid again', async () => {
    const { code } = await paidEvent();
    const { path, now } = await registered(x, code);
    expect(payButton(await x.get(path))).toBe('Pay €25.00');
    const session = (await openPaymentPage(x, path))!;
    const report = stripe.pay(session);
    const before = stripe.sessions.size;
    for (const address of [path, `${path}?done=paid`]) {
      const early = await x.get(address);
      expect([isWaiting(early), payButton(early)], address).toEqual([true, null]);
    }
    // A page that was opened before still has its button; whoever presses it gets no second page.
    expect(await openPaymentPage(x, path)).toBe(null);
    expect(stripe.sessions.size).toBe(before);
    await stripe.deliver(x.t.url, report);
    const paid = await x.get(`${path}?done=paid`);
    expect([isWaiting(paid), payButton(paid)]).toEqual([false, null]);
    expect(textOf(paid.text)).toContain('Thank you. Your payment has arrived.');
    expect((await now()).status).toBe('confirmed');
  });

  test('left without paying: the same page can be opened again, and no other', async () => {
    const { code } = await paidEvent();
    const { path } = await registered(x, code);
    const session = await openPaymentPage(x, path);
    const back = await x.get(path);
    expect([isWaiting(back), payButton(back)]).toEqual([false, 'Continue to payment']);
    expect(await openPaymentPage(x, path)).toBe(session);
    x.clock.jump(new Date(stripe.sessions.get(session!)!.expires_at * 1000));
    expect(payButton(await x.get(path))).toBe('Pay €25.00');
  });

  test('another amount is due: the open page is ended before there is another', async () => {
    const { code } = await paidEvent();
    const { id, path } = await registered(x, code, { people: 2 });
    const first = (await openPaymentPage(x, path))!;
    const { attendees } = await x.api('GET', `/events/${code}/registrations/${id}`);
    await x.api('POST', `/events/${code}/attendees/${attendees[1].id}/cancel`);
    const second = (await openPaymentPage(x, path))!;
    expect([first, second].map((one) => stripe.sessions.get(one)!.status)).toEqual(['expired', 'open']);
    // Only the second can be paid, and what is left after it can be paid, too.
    expect(() => stripe.pay(first)).toThrow('expired');
    await pay(x, stripe, second);
    await x.api('POST', `/events/${code}/registrations/${id}/attendees`, {
      ...{ attendee_type: 'adult', first_name: 'New', last_name: 'Comer' },
    });
    expect((await x.api('GET', `/events/${code}/registrations/${id}`)).balance_minor).toBe(2500);
  });

  test('pressed twice at the same moment: one page is given out', async () => {
    const { code } = await paidEvent();
    const { path } = await registered(x, code);
    const pages = await Promise.all([1, 2, 3].map(() => openPaymentPage(x, path)));
    const given = new Set(pages.filter((one) => one !== null));
    expect(given.size).toBe(1);
    expect(await openPaymentPage(x, path)).toBe([...given][0]);
  });

  test('the provider does not answer: it says that it waits, and offers nothing', async () => {
    const { code } = await paidEvent();
    const { path } = await registered(x, code);
    await openPaymentPage(x, path);
    stripe.troubles = [{ status: 500 }];
    const page = await x.get(path);
    expect([isWaiting(page), payButton(page)]).toEqual([true, null]);
  });

  test('without JavaScript it is loaded again by itself, first soon and then less often', async () => {
    const { code } = await paidEvent();
    const { path } = await registered(x, code);
    const refresh = (got: Got) => /<noscript><meta http-equiv="refresh" content="(\d+);url=([^"]+)">/.exec(got.text);
    expect(refresh(await x.get(path))).toBe(null);
    const report = stripe.pay((await openPaymentPage(x, path))!);
    const seconds: number[] = [];
    let next = path;
    for (let i = 0; i < 11; i += 1) {
      const [, wait, address] = refresh(await x.get(next))!;
      seconds.push(Number(wait));
      next = address!.replaceAll('&amp;', '&');
    }
    expect(seconds).toEqual([3, 3, 4, 5, 8, 13, 20, 30, 60, 60, 60]);
    await stripe.deliver(x.t.url, report);
    expect(refresh(await x.get(next))).toBe(null);
  });

  test('a bank debit that fails can be paid in another way', async () => {
    const { code } = await paidEvent();
    const { path } = await registered(x, code);
    const session = (await openPaymentPage(x, path))!;
    await stripe.deliver(x.t.url, stripe.payLater(session));
    expect(payButton(await x.get(path))).toBe(null);
    for (const event of stripe.settle(session, false)) await stripe.deliver(x.t.url, event);
    expect(payButton(await x.get(path))).toBe('Pay €25.00');
    await pay(x, stripe, (await openPaymentPage(x, path))!);
  });
});

/** Two pages of one registration, both paid. Answers the payments, the first one first. */
async function paidTwice(email: string) {
  const { code } = await paidEvent();
  const made = await registered(x, code, { email });
  const first = (await openPaymentPage(x, made.path))!;
  await forgetPage(x, made.id);
  x.clock.advance(15 * MINUTE);
  const second = (await openPaymentPage(x, made.path))!;
  expect(second).not.toBe(first);
  for (const session of [first, second]) await pay(x, stripe, session);
  const payments = async () =>
    (await x.api('GET', `/events/${code}/registrations/${made.id}/payments`)).data.map(
      (one: { status: string; refunded_minor: number }) => [one.status, one.refunded_minor],
    );
  return { ...made, code, payments };
}
const allSent = async (): Promise<number> => {
  while ((await x.t.step.mails()) > 0);
  return sent.length;
};
const mailsTo = async (email: string, since: number) => {
  await allSent();
  return sent.slice(since).filter(({ to }) => to === email);
};

describe('a second payment for what another page has covered', () => {
  test('is refunded once, outside the transaction, and owners and payer are told once', async () => {
    const { now, path, payments } = await paidTwice('twice@example.org');
    const credit = async () => textOf((await x.get(path)).text);
    const since = await allSent();
    expect(await payments()).toEqual([
      ['received', 0],
      ['received', 0],
    ]);
    expect(await credit()).toContain('You paid twice. We’re refunding the second payment.');
    const refunds = stripe.refunds.length;
    expect(await job()).toBe(1);
    expect(await job()).toBe(0);
    expect(await credit()).not.toContain('Credit');
    expect(await payments()).toEqual([
      ['received', 0],
      ['refunded', 2500],
    ]);
    expect(stripe.refunds.length).toBe(refunds + 1);
    expect(await now()).toMatchObject({ status: 'confirmed', balance_minor: 0, paid_minor: 2500 });
    const payer = (await mailsTo('twice@example.org', since)).filter(({ subject }) => subject.includes('twice'));
    expect(payer.map(({ subject }) => subject)).toEqual([expect.stringContaining('we refunded €25.00')]);
    const owner = await mailsTo(OWNER, since);
    expect(owner.map(({ subject }) => subject)).toEqual([expect.stringContaining('a second payment of €25.00')]);
  });

  test('is refunded once also if the process dies after the provider has refunded', async () => {
    const { payments, id } = await paidTwice('crash@example.org');
    const refunds = stripe.refunds.length;
    stripe.troubles = ['cut after done', 'cut after done'];
    expect(await job()).toBe(0);
    expect(stripe.refunds.length).toBe(refunds + 1);
    x.clock.advance(MINUTE);
    expect(await job()).toBe(1);
    expect(stripe.refunds.length).toBe(refunds + 1);
    expect((await payments())[1]).toEqual(['refunded', 2500]);
    const actions = await x.t.system((tx) =>
      tx.all<{ action: string }>(sql`select action from audit_log where object_id = ${toUuid(id)} order by id`),
    );
    expect(actions.map(({ action }) => action).slice(-2)).toEqual(['payment.duplicate', 'payment.duplicate_refunded']);
  });

  test('that the provider does not refund is left to the owners, who are told', async () => {
    const { path, payments } = await paidTwice('stuck@example.org');
    const since = await allSent();
    for (let i = 0; i < 8; i += 1) {
      stripe.troubles = [{ status: 400 }, { status: 400 }];
      expect(await job()).toBe(0);
      x.clock.advance(25 * HOUR);
    }
    stripe.troubles = [];
    expect(await job()).toBe(0);
    expect((await payments())[1]).toEqual(['received', 0]);
    const owner = await mailsTo(OWNER, since);
    expect(owner.map(({ subject }) => subject)).toEqual([expect.stringContaining('refund a second payment')]);
    expect(await mailsTo('stuck@example.org', since)).toEqual([]);
    // From now on it is theirs to decide.
    expect(textOf((await x.get(path)).text)).toContain('The organizer decides');
  });

  test('whoever is erased is not named in the mail about it', async () => {
    const { now } = await paidTwice('forget@example.org');
    expect(await job()).toBe(1);
    await allSent();
    const mails = () =>
      x.t.system((tx) =>
        tx.all<{ kind: string }>(sql`select kind from mails where recipient = 'forget@example.org' order by id`),
      );
    expect((await mails()).map(({ kind }) => kind)).toContain('duplicate_payment_refunded');
    await x.api('POST', `/contacts/${(await now()).contact.id}/erase`);
    expect(await mails()).toEqual([]);
  });

  test('other credits stay the organizer’s decision', async () => {
    const { code } = await paidEvent();
    const { id, path, now } = await registered(x, code);
    const session = (await openPaymentPage(x, path))!;
    await x.api('POST', `/events/${code}/registrations/${id}/payments`, { amount_minor: 2500, method: 'cash' });
    await pay(x, stripe, session);
    expect(await job()).toBe(0);
    expect((await now()).balance_minor).toBe(-2500);
  });

  test('somebody who refunds it first leaves nothing to do', async () => {
    const { code, id, payments } = await paidTwice('byhand@example.org');
    const since = await allSent();
    const [, second] = (await x.api('GET', `/events/${code}/registrations/${id}/payments`)).data;
    await x.t.call('POST', `/v1/payments/${second.id}/refund`, { key: x.key, body: {}, idempotencyKey: randomUUID() });
    expect((await payments())[1]).toEqual(['refunded', 2500]);
    expect(await job()).toBe(0);
    expect(await mailsTo(OWNER, since)).toEqual([]);
  });
});
