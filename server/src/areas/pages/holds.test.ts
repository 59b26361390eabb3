import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StripeDouble, type StripeEvent } from '../../../../test/support/stripe-double.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { formatInstant } from '../../outside/locale.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { stripeProvider } from '../../outside/stripe.ts';
import { sql } from '../../store/sql.ts';
import {
  forgetPage,
  lastMail,
  minute,
  minutesLeft,
  openPaymentPage,
  PAID,
  pay,
  registered,
  sendForm,
} from './holds.support.ts';
import { openPages, type Pages, textOf } from './pages.support.ts';

/** An installation that takes payments online, and one that does not. */
let online: Pages;
let offline: Pages;
let stripe: StripeDouble;
const sent: OutgoingMail[] = [];

beforeAll(async () => {
  let now = () => new Date();
  stripe = await StripeDouble.start(() => now());
  const settings = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, apiUrl: stripe.url };
  const payments = await stripeProvider({ ...settings, clock: { now: () => now() }, timeoutMs: 5000 });
  const mail = { describe: 'kept', close: () => {}, send: async (one: OutgoingMail) => void sent.push(one) };
  [online, offline] = await Promise.all([openPages({ payments, mail }), openPages({ mail })]);
  now = () => online.clock.now();
});
afterAll(async () => {
  await Promise.all([online.t.stop(), offline.t.stop()]);
  await stripe.stop();
});

const paidEvent = (x: Pages, event: object = {}, types: object[] = PAID) => x.event({ event, types });
const holds = (x: Pages) =>
  x.t.system((tx) =>
    tx.all<{ network: string; unproven: boolean; extensions: number }>(sql`
      select network, unproven, extensions from payment_holds order by registration_id`),
  );
const keep = (x: Pages, link: string) => x.post(`${link}/keep`, new URLSearchParams({ key: randomUUID() }));

describe('a form that nobody pays for', () => {
  test('gives all its places back after 30 minutes where they can be paid online', async () => {
    const { code } = await paidEvent(online, { capacity: 10 });
    const taken = await registered(online, code, { people: 10 });
    expect(minutesLeft(online, await taken.now())).toBe(30);
    expect((await sendForm(online, code)).status).toBe(409);
    online.clock.jump(new Date(Date.parse((await taken.now()).payment_due_at) - 1));
    await minute(online);
    expect((await taken.now()).status).toBe('pending_payment');
    online.clock.advance(1);
    await minute(online);
    expect((await taken.now()).status).toBe('expired');
    await registered(online, code, { people: 10 });
  });

  test('gives them back after 24 hours where they cannot', async () => {
    const { code } = await paidEvent(offline, { capacity: 10 });
    const taken = await registered(offline, code, { people: 10 });
    expect(minutesLeft(offline, await taken.now())).toBe(24 * 60);
    offline.clock.advance(24 * HOUR);
    await minute(offline);
    expect((await taken.now()).status).toBe('expired');
    await registered(offline, code, { people: 10 });
  });

  test('holds them as long as the event says, and never longer than payment_hours', async () => {
    const rules = { checkout_minutes: 90, confirm_hours: 48, payment_hours: 1 };
    const short = await paidEvent(online, { registration: rules });
    expect(minutesLeft(online, await (await registered(online, short.code)).now())).toBe(60);
    const long = await paidEvent(online, { registration: { ...rules, payment_hours: 72 } });
    const before = await registered(online, long.code);
    expect(minutesLeft(online, await before.now())).toBe(90);
    // Those that were told a deadline keep it.
    const told = (await before.now()).payment_due_at;
    await online.api('PATCH', `/events/${long.code}`, { registration: { checkout_minutes: 10 } });
    expect((await before.now()).payment_due_at).toBe(told);
    expect(minutesLeft(online, await (await registered(online, long.code)).now())).toBe(10);
    const at = await paidEvent(offline, { registration: { ...rules, payment_hours: 72 } });
    expect(minutesLeft(offline, await (await registered(offline, at.code)).now())).toBe(48 * 60);
  });

  test('lets the waitlist have its places', async () => {
    const { code } = await paidEvent(online, { capacity: 1, registration: { waitlist: true } });
    const first = await registered(online, code);
    const next = await registered(online, code);
    expect((await next.now()).status).toBe('waitlisted');
    online.clock.advance(30 * MINUTE);
    await minute(online);
    expect((await first.now()).status).toBe('expired');
    // A promotion gives the whole time to pay: nobody waits at the screen for it.
    const promoted = await next.now();
    expect([promoted.status, minutesLeft(online, promoted)]).toEqual(['pending_payment', 72 * 60]);
  });
});

describe('what does not come straight from the form has the whole time to pay', () => {
  test('a call of the API', async () => {
    const { code } = await paidEvent(online);
    const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' }];
    const made = await online.api('POST', `/events/${code}/registrations`, { attendees });
    expect(minutesLeft(online, made)).toBe(72 * 60);
  });

  test('a registration that was approved', async () => {
    const { code } = await paidEvent(online, { registration: { approval: true } });
    const asked = await registered(online, code);
    expect((await asked.now()).status).toBe('pending_approval');
    online.clock.advance(5 * HOUR);
    const approved = await online.api('POST', `/events/${code}/registrations/${asked.id}/approve`);
    expect([approved.status, minutesLeft(online, approved)]).toEqual(['pending_payment', 72 * 60]);
  });
});

describe('the payment page', () => {
  test('opened in the last minute and paid 26 minutes later confirms, and the place was never sold twice', async () => {
    const { code } = await paidEvent(online, { capacity: 1 });
    const honest = await registered(online, code);
    online.clock.advance(29 * MINUTE);
    const session = (await openPaymentPage(online, honest.path))!;
    const ends = stripe.sessions.get(session)!.expires_at * 1000;
    expect(Date.parse((await honest.now()).payment_due_at)).toBe(ends + 5 * MINUTE);
    for (let i = 0; i < 26; i += 1) {
      online.clock.advance(MINUTE);
      await minute(online);
    }
    expect((await sendForm(online, code)).status).toBe(409);
    await pay(online, stripe, session);
    expect(await honest.now()).toMatchObject({ status: 'confirmed', payment_due_at: null, paid_minor: 2500 });
    expect((await sendForm(online, code)).status).toBe(409);
    expect((await online.registrations(code)).filter(({ status }) => status === 'confirmed')).toHaveLength(1);
  });

  test('paid in its last second, and reported five minutes later, still confirms', async () => {
    const { code } = await paidEvent(online);
    const honest = await registered(online, code);
    const session = (await openPaymentPage(online, honest.path))!;
    online.clock.jump(new Date(stripe.sessions.get(session)!.expires_at * 1000 - 1000));
    const report = stripe.pay(session);
    online.clock.advance(5 * MINUTE);
    await minute(online);
    await stripe.deliver(online.t.url, report);
    expect((await honest.now()).status).toBe('confirmed');
  });

  test('is the same one however often it is opened while it is open', async () => {
    const { code } = await paidEvent(online);
    const { path, now } = await registered(online, code);
    const first = await openPaymentPage(online, path);
    const due = (await now()).payment_due_at;
    for (let i = 0; i < 4; i += 1) {
      online.clock.advance(5 * MINUTE);
      expect(await openPaymentPage(online, path)).toBe(first);
    }
    expect((await now()).payment_due_at).toBe(due);
  });

  test('is another one if another amount is to be paid', async () => {
    const { code } = await paidEvent(online);
    const { id, path } = await registered(online, code, { people: 2 });
    const first = (await openPaymentPage(online, path))!;
    const { attendees } = await online.api('GET', `/events/${code}/registrations/${id}`);
    await online.api('POST', `/events/${code}/attendees/${attendees[1].id}/cancel`);
    const second = (await openPaymentPage(online, path))!;
    expect([first, second].map((one) => stripe.sessions.get(one)!.amount_total)).toEqual([5000, 2500]);
  });

  test('holds the places longer at most twice; then nobody gets a page that could outlive them', async () => {
    const { code } = await paidEvent(online);
    const { path, now } = await registered(online, code);
    for (const page of [1, 2]) {
      const session = (await openPaymentPage(online, path))!;
      expect(session, `page ${page}`).not.toBe(null);
      // Its last minutes: too little to fill in a card, so the next one is asked for.
      online.clock.jump(new Date(stripe.sessions.get(session)!.expires_at * 1000 - MINUTE));
      await minute(online);
    }
    const { payment_due_at: due } = await now();
    const before = stripe.sessions.size;
    expect(await openPaymentPage(online, path)).toBe(null);
    expect(await openPaymentPage(online, path)).toBe(null);
    expect((await now()).payment_due_at).toBe(due);
    expect(stripe.sessions.size).toBeGreaterThan(before);
    online.clock.jump(new Date(due));
    await minute(online);
    expect((await now()).status).toBe('expired');
  });

  test('of a call of the API whose time to pay is nearly over holds its places as well', async () => {
    const { code } = await paidEvent(online, { registration: { payment_hours: 1 } });
    const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' }];
    const made = await online.api('POST', `/events/${code}/registrations`, { attendees });
    const urls = { success_url: 'https://fair.example.org/', cancel_url: 'https://fair.example.org/' };
    const at = `/events/${code}/registrations/${made.id}`;
    online.clock.advance(50 * MINUTE);
    const { reference, expires_at } = await online.api('POST', `${at}/checkout`, urls);
    expect(Date.parse((await online.api('GET', at)).payment_due_at)).toBe(Date.parse(expires_at) + 5 * MINUTE);
    online.clock.advance(30 * MINUTE);
    await minute(online);
    await pay(online, stripe, reference);
    expect((await online.api('GET', at)).status).toBe('confirmed');
  });
});

describe('a payment that takes days', () => {
  const underWay = async (event: object = {}) => {
    const { code } = await paidEvent(online, event);
    const email = `debit-${code}@example.org`;
    const it = await registered(online, code, { email });
    const session = (await openPaymentPage(online, it.path))!;
    await stripe.deliver(online.t.url, stripe.payLater(session));
    return { ...it, code, email, session };
  };

  test('holds the places until the provider reports that it has arrived', async () => {
    const it = await underWay({ capacity: 1 });
    expect(await it.now()).toMatchObject({ status: 'pending_payment', payment_due_at: null });
    const page = textOf((await online.get(it.path)).text);
    expect(page).toContain('Your payment is on its way.');
    expect(page).not.toContain('Pay €25.00');
    online.clock.advance(10 * 24 * HOUR);
    await minute(online);
    expect((await sendForm(online, it.code)).status).toBe(409);
    for (const event of stripe.settle(it.session, true)) await stripe.deliver(online.t.url, event);
    expect((await it.now()).status).toBe('confirmed');
  });

  test('and that fails leaves a day to pay in another way, of which the registrant is told', async () => {
    const it = await underWay();
    online.clock.advance(10 * 24 * HOUR);
    await minute(online);
    for (const event of stripe.settle(it.session, false)) await stripe.deliver(online.t.url, event);
    expect(minutesLeft(online, await it.now())).toBe(24 * 60);
    expect((await lastMail(online, sent, it.email)).text).toContain('Pay €25.00 by');
    online.clock.advance(24 * HOUR);
    await minute(online);
    expect((await it.now()).status).toBe('expired');
  });

  test('and that fails at once leaves what was left before, if that is more', async () => {
    const it = await underWay({ registration: { confirm_hours: 1, checkout_minutes: 1440 } });
    for (const event of stripe.settle(it.session, false)) await stripe.deliver(online.t.url, event);
    expect(minutesLeft(online, await it.now())).toBe(1440);
  });

  test('is not ended by a card that is declined on another page of the registration', async () => {
    const { code } = await paidEvent(online, { registration: { checkout_minutes: 1440 } });
    const it = await registered(online, code);
    const at = `/events/${code}/registrations/${it.id}/checkout`;
    const urls = { success_url: 'https://acme.example/ok', cancel_url: 'https://acme.example/no' };
    const pages: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      pages.push((await online.api('POST', at, urls)).reference);
      await forgetPage(online, it.id);
    }
    expect(new Set(pages).size).toBe(2);
    const [debit, card] = pages as [string, string];
    await stripe.deliver(online.t.url, stripe.payLater(debit));
    await stripe.deliver(online.t.url, stripe.decline(card));
    expect(await it.now()).toMatchObject({ status: 'pending_payment', payment_due_at: null });
    online.clock.advance(10 * 24 * HOUR);
    await minute(online);
    for (const event of stripe.settle(debit, true)) await stripe.deliver(online.t.url, event);
    expect((await it.now()).status).toBe('confirmed');
  });

  test.each([
    ['the payment before the page', (events: StripeEvent[]) => events],
    ['the page before the payment', (events: StripeEvent[]) => events.toReversed()],
  ])('and that fails is reported twice, in any order: %s', async (_, inOrder) => {
    const it = await underWay();
    for (const event of inOrder(stripe.settle(it.session, false))) await stripe.deliver(online.t.url, event);
    expect(minutesLeft(online, await it.now())).toBe(24 * 60);
  });

  test('and whose first report comes last holds nothing', async () => {
    const { code } = await paidEvent(online);
    const it = await registered(online, code);
    const session = (await openPaymentPage(online, it.path))!;
    const completed = stripe.payLater(session);
    for (const event of stripe.settle(session, false)) await stripe.deliver(online.t.url, event);
    await stripe.deliver(online.t.url, completed);
    expect((await it.now()).payment_due_at).not.toBe(null);
  });
});

describe('proving the address', () => {
  const asking = async (x: Pages) => {
    const { code } = await paidEvent(x, { timezone: 'Europe/Berlin' });
    const email = `reads-${code}@example.org`;
    const it = await registered(x, code, { email });
    const created = x.clock.now().getTime();
    return { ...it, code, email, created, ...(await lastMail(x, sent, email)) };
  };

  test.each(['online', 'offline'] as const)(
    'by the button behind the link in the mail gives payment_hours (%s)',
    async (which) => {
      const x = { online, offline }[which];
      const it = await asking(x);
      const told = (at: number) =>
        formatInstant(new Date(at).toISOString(), { language: 'en', timezone: 'Europe/Berlin' });
      const [short, long] = [it.created + (which === 'online' ? 30 * MINUTE : 24 * HOUR), it.created + 72 * HOUR].map(
        told,
      );
      expect(it.text).toContain(`Pay €25.00 by ${short} to keep your places.`);
      expect(it.text).toContain(`you then have until ${long} to pay.`);
      x.clock.advance(10 * MINUTE);
      // Programs that look for dangerous mails open every link. That changes nothing.
      const before = await it.now();
      const page = await x.get(it.link);
      expect(await it.now()).toEqual(before);
      expect(textOf(page.text)).toContain('Confirm and keep my places');
      expect(textOf(page.text)).toContain(`Pay by ${short} to keep your places.`);
      expect(textOf(page.text)).toContain(`you have until ${long} to pay.`);
      const pressed = await keep(x, it.link);
      expect([pressed.status, pressed.headers.location]).toEqual([303, expect.stringContaining('done=kept')]);
      expect(Date.parse((await it.now()).payment_due_at)).toBe(it.created + 72 * HOUR);
      const after = textOf((await x.get(it.link)).text);
      expect(after).not.toContain('keep my places');
      expect(after).toContain(`Pay by ${long} to keep your places.`);
      // Pressing it again does nothing more.
      const { updated_at } = await it.now();
      expect((await keep(x, it.link)).headers.location).toContain('done=kept');
      expect((await it.now()).updated_at).toBe(updated_at);
      const [row] = await x.t.system((tx) =>
        tx.all<{ actor_kind: string }>(sql`
          select actor_kind from audit_log where action = 'registration.address_proven' order by id desc limit 1`),
      );
      expect(row!.actor_kind).toBe('visitor');
    },
  );

  test('is not possible by the page that the form leads to: whoever fills it in may have typed any address', async () => {
    const it = await asking(offline);
    expect(it.link).not.toBe(it.path);
    const page = await offline.get(it.path);
    expect(textOf(page.text)).toContain('Open the link in our e-mail');
    expect(page.text).not.toContain('/keep"');
    const { payment_due_at } = await it.now();
    expect((await keep(offline, it.path)).status).toBe(404);
    expect((await it.now()).payment_due_at).toBe(payment_due_at);
  });

  test('is too late once the places are released', async () => {
    const it = await asking(offline);
    offline.clock.advance(24 * HOUR);
    await minute(offline);
    expect((await keep(offline, it.link)).headers.location).toContain('done=stale');
    expect((await it.now()).status).toBe('expired');
  });

  test('happens by paying a part', async () => {
    const it = await asking(offline);
    await offline.api('POST', `/events/${it.code}/registrations/${it.id}/payments`, {
      amount_minor: 1000,
      method: 'transfer',
    });
    expect(Date.parse((await it.now()).payment_due_at)).toBe(it.created + 72 * HOUR);
  });

  test('uses the hours that the event gives when the button is pressed, and never shortens', async () => {
    const it = await asking(offline);
    await offline.api('PATCH', `/events/${it.code}`, { registration: { payment_hours: 2 } });
    const { payment_due_at } = await it.now();
    await keep(offline, it.link);
    expect((await it.now()).payment_due_at).toBe(payment_due_at);
  });

  test('of one registration proves nothing for the next one: anybody can type an address', async () => {
    const it = await asking(offline);
    await keep(offline, it.link);
    const next = await registered(offline, it.code, { email: it.email });
    expect(minutesLeft(offline, await next.now())).toBe(24 * 60);
  });

  test('after opening a payment page near the end of payment_hours, the page is held as well', async () => {
    const it = await asking(online);
    await keep(online, it.link);
    online.clock.advance(71 * HOUR + 50 * MINUTE);
    const session = (await openPaymentPage(online, it.path))!;
    online.clock.advance(30 * MINUTE);
    await minute(online);
    await pay(online, stripe, session);
    expect((await it.now()).status).toBe('confirmed');
  });
});

describe('how many unpaid people one network and one address may have', () => {
  test('40 from a network, however many addresses they give; room returns when places do', async () => {
    const { code } = await paidEvent(offline);
    const from = '203.0.113.40';
    for (let i = 0; i < 4; i += 1) await registered(offline, code, { people: 10, from });
    const refused = await sendForm(offline, code, { from, email: 'kept@example.org' });
    expect(refused.status).toBe(409);
    expect(textOf(refused.text)).toContain('registered for this event from your network');
    // What was typed is still there.
    expect(refused.text).toContain('value="kept@example.org"');
    await registered(offline, code, { from: '203.0.113.41' });
    const [first, second] = await offline.registrations(code);
    await offline.api('POST', `/events/${code}/attendees/${first!.attendees[0].id}/cancel`);
    await registered(offline, code, { from });
    expect((await sendForm(offline, code, { from })).status).toBe(409);
    await offline.api('POST', `/events/${code}/registrations/${second!.id}/payments`, {
      amount_minor: second!.total_minor,
      method: 'cash',
    });
    await registered(offline, code, { people: 10, from });
    expect((await sendForm(offline, code, { from })).status).toBe(409);
    offline.clock.advance(24 * HOUR);
    await minute(offline);
    await registered(offline, code, { people: 20, from });
  });

  test('addresses of one IPv6 network count together', async () => {
    const { code } = await paidEvent(offline);
    for (const from of ['2001:db8:1:2::a', '2001:db8:1:2:ffff::b'])
      await registered(offline, code, { people: 20, from });
    expect((await sendForm(offline, code, { from: '2001:db8:1:2:1::c' })).status).toBe(409);
    await registered(offline, code, { from: '2001:db8:1:3::a' });
  });

  test('20 under an e-mail address, from whatever networks, and each event for itself', async () => {
    const { code } = await paidEvent(offline);
    const email = 'many@example.org';
    await registered(offline, code, { people: 15, email, from: '203.0.113.50' });
    const refused = await sendForm(offline, code, { people: 6, email: 'MANY@example.org', from: '203.0.113.51' });
    expect([refused.status, textOf(refused.text)]).toEqual([
      409,
      expect.stringContaining('registered for this event with this e-mail'),
    ]);
    await registered(offline, code, { people: 5, email, from: '203.0.113.51' });
    expect((await sendForm(offline, code, { email, from: '203.0.113.52' })).status).toBe(409);
    const other = await paidEvent(offline);
    await registered(offline, other.code, { people: 20, email, from: '203.0.113.50' });
  });

  test('where nobody may learn who is registered, the answer is the same as for an address that is not', async () => {
    const { code } = await paidEvent(offline, { registration: { unique_email: true } });
    const email = 'hidden@example.org';
    expect((await sendForm(offline, code, { people: 20, email, from: '203.0.113.60' })).status).toBe(303);
    const full = await sendForm(offline, code, { people: 1, email, from: '203.0.113.61' });
    const fresh = await sendForm(offline, code, { people: 1, email: 'new@example.org', from: '203.0.113.61' });
    expect([full.status, full.headers.location]).toEqual([303, fresh.headers.location]);
    expect(await offline.registrations(code)).toHaveLength(2);
  });

  test('free places, those that wait for approval and calls of the API are not counted', async () => {
    const from = '203.0.113.70';
    const free = await offline.event();
    for (const _ of [1, 2, 3]) await registered(offline, free.code, { people: 20, from });
    const asked = await paidEvent(offline, { registration: { approval: true } });
    for (const _ of [1, 2, 3]) await registered(offline, asked.code, { people: 20, from });
    const paid = await paidEvent(offline);
    const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', email: 'api@example.org' };
    for (const _ of [1, 2]) {
      await offline.api('POST', `/events/${paid.code}/registrations`, { attendees: Array(40).fill(person) });
    }
    await registered(offline, paid.code, { people: 20, email: 'api@example.org', from });
  });
});

test('the network is stored as a keyed hash, and only for as long as it is needed', async () => {
  await offline.t.system((tx) => tx.run(sql`delete from payment_holds`));
  const { code } = await paidEvent(offline);
  const it = await registered(offline, code, { from: '203.0.113.80' });
  const [hold] = await holds(offline);
  expect(hold!.network).toMatch(/^[0-9a-f]{32}$/);
  const dump = await offline.t.system((tx) =>
    tx.one<{ all: string }>(sql`
      select concat((select string_agg(h::text, '') from payment_holds h), (select string_agg(a::text, '') from audit_log a)) as all`),
  );
  expect(dump.all).not.toContain('203.0.113.80');
  // Another event hashes it differently, so nobody can follow a network from event to event.
  await registered(offline, (await paidEvent(offline)).code, { from: '203.0.113.80' });
  expect(new Set((await holds(offline)).map(({ network }) => network)).size).toBe(2);
  await offline.api('POST', `/events/${code}/registrations/${it.id}/payments`, { amount_minor: 2500, method: 'cash' });
  expect(await holds(offline)).toHaveLength(1);
  offline.clock.advance(24 * HOUR);
  await minute(offline);
  expect(await holds(offline)).toEqual([]);
});

test('erasing the registrant removes the hash of their network', async () => {
  const { code } = await paidEvent(offline);
  const { now } = await registered(offline, code, { from: '203.0.113.90' });
  const { contact, id } = await now();
  await offline.api('POST', `/contacts/${contact.id}/erase`, {});
  const row = await offline.t.system((tx) =>
    tx.one<{ network: string | null }>(sql`select network from payment_holds where registration_id = ${toUuid(id)}`),
  );
  expect(row.network).toBe(null);
});

test('a hold that an earlier build left behind is removed', async () => {
  const { code } = await paidEvent(offline);
  const it = await registered(offline, code);
  const before = (await holds(offline)).length;
  await offline.t.system((tx) =>
    tx.run(sql`update registrations set status = 'cancelled' where id = ${toUuid(it.id)}`),
  );
  await minute(offline);
  expect(await holds(offline)).toHaveLength(before - 1);
});
