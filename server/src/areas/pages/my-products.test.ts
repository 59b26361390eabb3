import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MovedClock } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { textOf } from '../../outside/ticket-pdf/ticket-pdf.support.ts';
import { hasTool } from '../../outside/ticket-pdf/tools.support.ts';
import { sql } from '../../store/sql.ts';
import { Pages } from './my.support.ts';

let t: TestTurnout;
let pages: Pages;
const clock = new MovedClock();
const sent: OutgoingMail[] = [];
const UNTIL = '2055-11-01T00:00:00Z';
const NOTHING = { change_until: null, cancel_until: null, transfer_until: null };

beforeAll(async () => {
  t = await startTest({
    clock,
    mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) },
  });
  pages = new Pages(t, sent);
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
});
afterAll(() => t.stop());
beforeEach(() =>
  t.system(async (tx) => {
    await tx.run(sql`delete from mails`);
    await tx.run(sql`delete from stranger_mails`);
  }),
);

let serial = 0;
/** An event with a T-shirt, a meal and parking for all together, and a code that takes a tenth off everything. */
async function fair(settings: object = {}): Promise<string> {
  const code = `fair${++serial}`;
  const given = { self_service: { ...NOTHING, products_until: UNTIL }, ...settings };
  await pages.event(code, given, 2500);
  const product = (body: object) => pages.made(`/events/${code}/products`, body);
  const options = [
    { code: 'm', name: 'Medium', capacity: 2 },
    { code: 'l', name: 'Large', capacity: 1 },
  ];
  await product({ code: 'shirt', name: 'T-shirt', price_minor: 1500, options });
  await product({ code: 'meal', name: 'Meal', price_minor: 900, max: 3 });
  await product({ code: 'parking', name: 'Parking', price_minor: 500, per: 'registration' });
  const tenth = { code: 'TEN', name: 'A tenth', kind: 'percent', value: 10, products: null };
  await pages.made(`/events/${code}/discounts`, tenth);
  return code;
}
const person = (more: object = {}) => {
  serial += 1;
  return {
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: `L${serial}`,
    email: `ada${serial}@example.org`,
    ...more,
  };
};
const SHIRT = [{ product: 'shirt', option: 'm' }];
const register = (event: string, attendees: object[], more: object = {}) =>
  pages.made(`/events/${event}/registrations`, { attendees, ...more });
const now = async (event: string, id: string) => (await pages.api('GET', `/events/${event}/registrations/${id}`)).body;
const extras = (attendee: { id: string }) => `/people/${attendee.id}/extras`;

describe('what is booked', () => {
  test('is on the page: for the registrant with amounts, the code and what it takes off; for an attendee without', async () => {
    const code = await fair();
    const made = await register(code, [person({ products: [...SHIRT, { product: 'meal', quantity: 2 }] }), person()], {
      products: [{ product: 'parking' }],
      discount_code: 'ten',
    });
    const whole = (await pages.get(await pages.link(made))).text;
    for (const text of [
      'T-shirt, Medium · €13.50',
      'Meal × 2 · €16.20',
      'Parking · €4.50',
      'Saved with TEN €8.80',
      'Total €79.20',
    ])
      expect(whole).toContain(text);
    const own = (await pages.get(await pages.link(made, made.attendees[0]))).text;
    expect(own).toContain('T-shirt, Medium');
    for (const text of ['€', 'TEN', 'Parking']) expect(own).not.toContain(text);
    const other = (await pages.get(await pages.link(made, made.attendees[1]))).text;
    expect(other).not.toContain('T-shirt');
  });
});

describe('changing what is booked by link', () => {
  test('is offered only where the event allows it, and only until then', async () => {
    const code = await fair({ self_service: { ...NOTHING, products_until: null } });
    const made = await register(code, [person()]);
    const link = await pages.link(made);
    const change = async () => (await pages.get(link)).text.includes('Change extras');
    expect(await change()).toBe(false);
    expect((await pages.get(link + extras(made.attendees[0]))).status).toBe(303);
    expect((await pages.post(link + extras(made.attendees[0]), { 'p0-x-meal': '1' })).headers.get('location')).toMatch(
      /done=stale/,
    );
    await pages.api('PATCH', `/events/${code}`, { self_service: { ...NOTHING, products_until: UNTIL } });
    expect(await change()).toBe(true);
    await pages.api('PATCH', `/events/${code}`, {
      self_service: { ...NOTHING, products_until: '2020-01-01T00:00:00Z' },
    });
    expect(await change()).toBe(false);
    expect((await now(code, made.id)).attendees[0].products).toEqual([]);
  });

  test('adds, takes another option and removes; the page says what is then due, and what is in credit', async () => {
    const code = await fair();
    const made = await register(code, [person({ products: SHIRT })]);
    await pages.made(`/events/${code}/registrations/${made.id}/payments`, { amount_minor: 4000, method: 'cash' });
    const link = await pages.link(made);
    const at = link + extras(made.attendees[0]);
    const added = await pages.send(at, { 'p0-x-shirt': 'l', 'p0-x-meal': '2' });
    expect(added.headers.get('location')).toMatch(/done=changed$/);
    const [attendee] = (await now(code, made.id)).attendees;
    expect(attendee.products).toMatchObject([
      { product: 'shirt', option: 'l', quantity: 1 },
      { product: 'meal', option: null, quantity: 2 },
    ]);
    expect(await now(code, made.id)).toMatchObject({ status: 'confirmed', total_minor: 5800, balance_minor: 1800 });
    expect((await pages.get(link)).text).toContain('To pay €18.00');
    expect((await pages.send(at, { 'p0-x-shirt': '', 'p0-x-meal': '0' })).status).toBe(303);
    expect((await now(code, made.id)).attendees[0].products).toEqual([]);
    expect((await pages.get(link)).text).toContain('Credit €15.00');
    const [entry] = await pages.audit('attendee.changed', toUuid(made.id));
    expect(entry).toMatchObject({ actor_kind: 'visitor', actor_name: 'registrant' });
  });

  test('a form that is sent as it came changes nothing, also where the price has changed or it is no longer offered', async () => {
    const code = await fair();
    const made = await register(code, [person({ products: [...SHIRT, { product: 'meal', quantity: 2 }] })]);
    await pages.api('PATCH', `/events/${code}/products/shirt`, { visible: false });
    await pages.api('PATCH', `/events/${code}/products/meal`, { price_minor: 9900, max: 1 });
    const { attendees, total_minor } = await now(code, made.id);
    const link = await pages.link(made);
    const form = await pages.get(link + extras(made.attendees[0]));
    expect(form.html).toContain('<option value="m" selected>');
    // The most of one taker was lowered: what is above it must be given back with the next change.
    const kept = await pages.send(link + extras(made.attendees[0]), { 'p0-x-meal': '1' });
    expect(kept.status).toBe(303);
    const after = await now(code, made.id);
    expect(after.attendees[0].products[0]).toEqual(attendees[0].products[0]);
    expect(after.total_minor).toBe(total_minor - 900);
  });

  test('each of them: the registrant for everybody and for all together, an attendee for themselves alone', async () => {
    const code = await fair();
    const made = await register(code, [person(), person()]);
    const [ada, bob] = made.attendees;
    const registrant = await pages.link(made);
    const own = await pages.link(made, bob);
    expect((await pages.send(registrant + extras(bob), { 'p0-x-meal': '1' })).status).toBe(303);
    expect((await pages.send(own + extras(bob), { 'p0-x-meal': '3' })).status).toBe(303);
    expect((await pages.send(`${registrant}/extras`, { 'r-x-parking': '1' })).status).toBe(303);
    const { attendees, products } = await now(code, made.id);
    expect([attendees[0].products, attendees[1].products, products]).toMatchObject([
      [],
      [{ product: 'meal', quantity: 3 }],
      [{ product: 'parking' }],
    ]);
    for (const path of [extras(ada), '/extras']) {
      expect((await pages.get(own + path)).status).toBe(404);
      expect((await pages.post(own + path, { 'p0-x-meal': '1', 'r-x-parking': '1' })).status).toBe(404);
    }
  });

  test('what is gone meanwhile is refused beside the form, in the language of the page, and nothing is lost', async () => {
    const code = await fair();
    const made = await register(code, [person()], { contact: { email: 'reg@example.org', language: 'de' } });
    const link = await pages.link(made);
    const at = link + extras(made.attendees[0]);
    const form = await pages.get(at);
    expect(form.html).toContain('<option value="l">');
    await register(code, [person({ products: [{ product: 'shirt', option: 'l' }] })]);
    const got = await pages.post(at, { 'p0-x-shirt': 'l', 'p0-x-meal': '2' });
    expect([got.status, got.text.includes('Davon ist nicht mehr genug da.')]).toEqual([422, true]);
    expect(got.html).toContain('<option value="l" selected>');
    expect(got.html).toMatch(/<select id="p0-x-meal"[^>]*>.*<option value="2" selected>/s);
    expect((await now(code, made.id)).attendees[0].products).toEqual([]);
    // Whoever comes later is not offered it at all.
    const other = await register(code, [person()]);
    const late = await pages.get((await pages.link(other)) + extras(other.attendees[0]));
    expect(late.html).toContain('<option value="l" disabled>');
  });

  test('what was handed out stays', async () => {
    const code = await fair();
    const made = await register(code, [person({ products: SHIRT })]);
    await pages.made(`/events/${code}/registrations/${made.id}/payments`, { amount_minor: 4000, method: 'cash' });
    const [attendee] = made.attendees;
    await pages.made(`/events/${code}/hand-outs`, {
      attendee: attendee.id,
      product: 'shirt',
      option: 'm',
      client_uuid: crypto.randomUUID(),
    });
    const at = (await pages.link(made)) + extras(attendee);
    const form = await pages.get(at);
    expect(/<select id="p0-x-shirt"[\s\S]*?<\/select>/.exec(form.html)?.[0].match(/value="\w*"/g)).toEqual([
      'value="m"',
    ]);
    expect((await pages.post(at, { 'p0-x-shirt': '' })).headers.get('location')).toMatch(/done=stale/);
    expect((await now(code, made.id)).attendees[0].products).toMatchObject([{ product: 'shirt', option: 'm' }]);
  });
});

describe('mails and tickets', () => {
  test('have the products and what the code took off: to pay, and once confirmed', async () => {
    const code = await fair();
    const made = await register(
      code,
      [person({ email: 'ada@example.org', products: [...SHIRT, { product: 'meal', quantity: 2 }] })],
      { contact: { email: 'ada@example.org' }, products: [{ product: 'parking' }], discount_code: 'ten' },
    );
    const [unpaid] = await pages.mails();
    const { total_minor } = await now(code, made.id);
    await pages.made(`/events/${code}/registrations/${made.id}/payments`, {
      amount_minor: total_minor,
      method: 'cash',
    });
    const [confirmed] = await pages.mails();
    for (const mail of [unpaid!, confirmed!]) {
      for (const text of [
        'T-shirt, Medium · €13.50',
        'Meal × 2 · €16.20',
        'Extras for everyone together:\n- Parking · €4.50',
        'Saved with TEN:',
      ])
        expect(mail.text).toContain(text);
      for (const text of ['T-shirt, Medium · €13.50', 'Parking', 'Saved with TEN', '€6.30'])
        expect(mail.html).toContain(text);
    }
    const pdf = confirmed!.attachments?.find(({ contentType }) => contentType === 'application/pdf');
    if (hasTool('pdftotext')) {
      expect(textOf(Buffer.from(pdf!.base64, 'base64')).replace(/\s+/g, ' ')).toContain('T-shirt, Medium · Meal × 2');
    }
  });

  test('an attendee’s own mail names what is theirs, and no money', async () => {
    const code = await fair();
    const made = await register(code, [person({ products: SHIRT }), person({ products: [{ product: 'meal' }] })], {
      contact: { email: 'reg@example.org' },
      products: [{ product: 'parking' }],
      discount_code: 'ten',
    });
    await pages.mails();
    const { total_minor } = await now(code, made.id);
    await pages.made(`/events/${code}/registrations/${made.id}/payments`, {
      amount_minor: total_minor,
      method: 'cash',
    });
    const own = (await pages.mails()).find(({ to }) => to === made.attendees[0].email)!;
    expect(own.text).toContain('T-shirt, Medium');
    for (const text of ['Meal', 'Parking', 'TEN', '€']) expect(own.text).not.toContain(text);
  });

  test('a mail that an earlier build has queued goes out as before', async () => {
    const code = await fair();
    await register(code, [person({ email: 'eve@example.org', products: SHIRT })], {
      contact: { email: 'eve@example.org' },
    });
    await t.system((tx) =>
      tx.run(sql`
        update mails set data = jsonb_set(data::jsonb #- '{registration,products}' #- '{registration,discount}',
          '{registration,attendees}', (select jsonb_agg(one - 'products' - 'discount_minor') from jsonb_array_elements(data::jsonb->'registration'->'attendees') one))`),
    );
    const [mail] = await pages.mails();
    expect(mail!.text).toContain('Adult');
    expect(mail!.text).not.toContain('T-shirt');
  });
});
