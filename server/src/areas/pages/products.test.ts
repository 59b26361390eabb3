import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ADA,
  book,
  byId,
  Form,
  faultsOf,
  openForm,
  openPages,
  type Pages,
  review,
  summaryOf,
  textOf,
} from './pages.support.ts';

let x: Pages;
beforeAll(async () => {
  x = await openPages({ env: { FORM_SUBMISSIONS: '1000000' } });
});
afterAll(() => x.t.stop());

const DAYS = [
  { code: 'fri', name: 'Friday', date: '2030-06-01' },
  { code: 'sat', name: 'Saturday', date: '2030-06-02' },
];
const ADULT = { code: 'adult', name: 'Adult', price_minor: 1000 };
const CHILD = { code: 'child', name: 'Child', price_minor: 500 };
const SHIRT = {
  code: 'shirt',
  name: 'T-shirt',
  price_minor: 1500,
  options: [
    { code: 's', name: 'Small', capacity: 1 },
    { code: 'm', name: 'Medium', capacity: 20 },
  ],
};

/** Registers with a form that only has to be booked, and answers what was registered. */
async function booked(event: string, values: Parameters<typeof summaryOf>[2], query = '') {
  const got = await book(x, await summaryOf(x, event, values, query));
  expect(got.status, textOf(got.text)).toBe(303);
  return (await x.registrations(event)).at(-1);
}

describe('what is offered', () => {
  test('to each person what is for their type, and once for all together', async () => {
    const { code } = await x.event({
      types: [ADULT, CHILD],
      products: [
        { code: 'wine', name: 'Wine tasting', attendee_types: ['adult'] },
        { code: 'clown', name: 'Clown', attendee_types: ['child'] },
        { code: 'parking', name: 'Parking', per: 'registration' },
        { code: 'hidden', name: 'Hidden', visible: false },
        { code: 'late', name: 'Late', on_sale: { from: '2031-01-01T00:00:00Z', until: null } },
        { code: 'early', name: 'Early', on_sale: { from: null, until: '2029-01-01T00:00:00Z' } },
      ],
    });
    const form = await openForm(x, code, '?n-adult=1&n-child=1');
    expect(form.names.filter((name) => name.includes('-x-'))).toEqual(['p0-x-wine', 'p1-x-clown', 'r-x-parking']);
  });

  test('in one choice where one of several can be had, else in numbers up to the most of each', async () => {
    const { code } = await x.event({
      products: [
        SHIRT,
        { code: 'meal', name: 'Meal', max: 3 },
        {
          code: 'drink',
          name: 'Drink',
          max: 2,
          options: [
            { code: 'tea', name: 'Tea' },
            { code: 'juice', name: 'Juice' },
          ],
        },
        { code: 'tour', name: 'Tour' },
        { code: 'fee', name: 'Insurance', required: true },
      ],
    });
    const form = await openForm(x, code);
    expect(form.offered('p0-x-shirt')).toEqual(['', 's', 'm']);
    expect(form.offered('p0-x-meal')).toEqual(['0', '1', '2', '3']);
    expect(form.offered('p0-x-drink.tea')).toEqual(['0', '1', '2']);
    expect(form.offered('p0-x-tour')).toEqual(['1']);
    // What everybody takes is no choice.
    expect(form.get('p0-x-fee')).toBe('1');
  });

  test('with a number where few are left, and not at all what is sold out', async () => {
    const { code } = await x.event({
      types: [ADULT],
      products: [
        SHIRT,
        { code: 'tour', name: 'Tour', capacity: 1 },
        { code: 'boat', name: 'Boat', capacity: 9, max: 5 },
      ],
    });
    await x.api('POST', `/events/${code}/quotas`, { code: 'seats', name: 'Seats', capacity: 3, products: ['boat'] });
    await booked(code, { 'p0-x-shirt': 's', 'p0-x-tour': '1', 'p0-x-boat': '1' });
    const page = await x.get(`/o/acme/${code}/register`);
    const form = await openForm(x, code);
    expect(textOf(page.text)).toContain('Small (sold out) Medium Tour');
    expect(form.offered('p0-x-shirt')).toEqual(['', 'm']);
    expect(form.names).not.toContain('p0-x-tour');
    // The shared limit leaves two of the eight.
    expect(textOf(page.text)).toContain('Boat free 2 left');
    expect(form.offered('p0-x-boat')).toEqual(['0', '1', '2']);
  });

  test('with the waitlist, also what is sold out: the person waits for it', async () => {
    const { code } = await x.event({
      event: { registration: { waitlist: true } },
      types: [ADULT],
      products: [{ code: 'tour', name: 'Tour', capacity: 1 }],
    });
    await booked(code, { 'p0-x-tour': '1' });
    const form = await openForm(x, code);
    const page = await x.post(form.action, form.fill({ ...ADA, 'p0-x-tour': '1' }).sent('review'));
    expect(textOf(page.text)).toContain('You’ll join the waitlist');
    x.clock.advance(2000);
    expect((await booked(code, { 'p0-x-tour': '1' })).status).toBe('waitlisted');
  });
});

describe('what is offered on certain days', () => {
  const structure = {
    days: DAYS,
    types: [ADULT],
    products: [
      { code: 'bread', name: 'Bread workshop', price_minor: 2000, days: ['sat'] },
      { code: 'bus', name: 'Bus', per: 'registration', days: ['sat'] },
    ],
  };

  test('without JavaScript, the step after the days were chosen shows it, once', async () => {
    const { code } = await x.event(structure);
    const form = (await openForm(x, code)).fill({ ...ADA, 'p0-days': ['sat'] });
    expect(form.names.filter((name) => name.includes('-x-'))).toEqual([]);
    const page = await x.post(form.action, form.sent('review'));
    expect([page.status, byId(page.text, 'faults')]).toEqual([200, undefined]);
    expect(textOf(page.text)).toContain('There are extras for what you’ve chosen.');
    const again = openAgain(page.text);
    expect(again.get('c-email')).toBe(ADA['c-email']);
    x.clock.advance(2000);
    const summary = await review(x, again.fill({ 'p0-x-bread': '1' }));
    expect(summary.get('total')).toBe('3000');
    expect((await book(x, summary)).status).toBe(303);
    const [made] = await x.registrations(code);
    expect(made.attendees[0].products).toMatchObject([{ product: 'bread', quantity: 1, price_minor: 2000 }]);
  });

  test('nobody is asked twice, and nobody who comes on another day is asked', async () => {
    const { code } = await x.event(structure);
    expect((await booked(code, { 'p0-days': ['fri'] })).attendees[0].products).toEqual([]);
  });

  test('what was chosen for a day is left out once the person comes on another one', async () => {
    const { code } = await x.event(structure);
    const form = (await openForm(x, code)).fill({ ...ADA, 'p0-days': ['sat'] });
    const again = openAgain((await x.post(form.action, form.sent('review'))).text);
    x.clock.advance(2000);
    const summary = await review(x, again.fill({ 'p0-x-bread': '1', 'r-x-bus': '1', 'p0-days': ['fri'] }));
    expect(summary.get('total')).toBe('1000');
    expect(summary.names.filter((name) => name.includes('-x-'))).toEqual([]);
  });
});

const openAgain = (html: string) => new Form(html, 'register');

describe('a summary', () => {
  test('has a line for each ticket and product, and its total is what is booked', async () => {
    const { code } = await x.event({
      types: [ADULT, CHILD],
      products: [
        SHIRT,
        { code: 'meal', name: 'Meal', price_minor: 900, max: 3 },
        { code: 'car', name: 'Parking', price_minor: 500, per: 'registration' },
      ],
    });
    const values = { 'p0-x-shirt': 'm', 'p0-x-meal': '2', 'p1-first': 'Byron', 'p1-last': 'King', 'r-x-car': '1' };
    const form = await openForm(x, code, '?n-adult=1&n-child=1');
    x.clock.advance(2000);
    const got = await x.post(form.action, form.fill({ ...ADA, ...values }).sent('review'));
    const text = textOf(got.text);
    for (const line of ['Adult €10.00', 'T-shirt, Medium €15.00', 'Meal × 2 €18.00', 'Parking €5.00', 'Total €53.00'])
      expect(text).toContain(line);
    const summary = openAgain(got.text);
    expect(summary.get('total')).toBe('5300');
    expect((await book(x, summary)).status).toBe(303);
    const [made] = await x.registrations(code);
    expect(made).toMatchObject({ total_minor: 5300, products: [{ product: 'car' }] });
    expect(made.attendees[0].products).toMatchObject([
      { product: 'shirt', option: 'm', quantity: 1 },
      { product: 'meal', option: null, quantity: 2 },
    ]);
  });

  test('going back to the form keeps what was chosen', async () => {
    const { code } = await x.event({ types: [ADULT], products: [SHIRT, { code: 'meal', name: 'Meal', max: 3 }] });
    const summary = await summaryOf(x, code, { 'p0-x-shirt': 'm', 'p0-x-meal': '3' });
    const form = openAgain((await x.post(summary.action, summary.sent('change'))).text);
    expect([form.get('p0-x-shirt'), form.get('p0-x-meal')]).toEqual(['m', '3']);
  });
});

describe('what is wrong is said beside the field, and nothing is lost', () => {
  test('a required product that is not chosen', async () => {
    const { code } = await x.event({ types: [ADULT], products: [{ ...SHIRT, required: true }] });
    const form = (await openForm(x, code)).fill({ ...ADA });
    const got = await x.post(form.action, form.sent('review'));
    expect([got.status, faultsOf(got.text).fields]).toEqual([422, { 'p0-x-shirt': 'Choose one.' }]);
    expect(openAgain(got.text).get('c-last')).toBe('Lovelace');
  });

  test('more than is left, for all people together', async () => {
    const { code } = await x.event({ types: [ADULT], products: [{ code: 'tour', name: 'Tour', capacity: 1 }] });
    const form = (await openForm(x, code, '?n-adult=2')).fill({
      ...ADA,
      'p0-x-tour': '1',
      'p1-first': 'Byron',
      'p1-last': 'King',
      'p1-x-tour': '1',
    });
    const got = await x.post(form.action, form.sent('review'));
    const said = 'Only one is left.';
    expect([got.status, faultsOf(got.text).fields]).toEqual([422, { 'p0-x-tour': said, 'p1-x-tour': said }]);
  });

  test('a product that was sold out between the summary and the button, in the language of the page', async () => {
    const { code } = await x.event({ types: [ADULT], products: [{ code: 'tour', name: 'Tour', capacity: 1 }] });
    const summary = await summaryOf(x, code, { 'p0-x-tour': '1' }, '?lang=de');
    await booked(code, { 'p0-x-tour': '1', 'c-email': 'eve@example.org' });
    x.clock.advance(2000);
    const got = await book(x, summary);
    expect(got.status).toBe(409);
    expect(faultsOf(got.text)).toMatchObject({
      fields: { 'p0-x-tour': 'Das ist ausverkauft. Wählen Sie etwas anderes.' },
    });
    const form = openAgain(got.text);
    expect([form.get('c-email'), form.all('p0-x-tour')]).toEqual([ADA['c-email'], ['1']]);
  });

  test('a product that is no longer offered', async () => {
    const { code } = await x.event({
      types: [ADULT],
      products: [
        { code: 'tour', name: 'Tour' },
        { code: 'boat', name: 'Boat' },
      ],
    });
    const summary = await summaryOf(x, code, { 'p0-x-tour': '1' });
    await x.api('PATCH', `/events/${code}/products/tour`, { visible: false });
    const got = await book(x, summary);
    expect([got.status, faultsOf(got.text).title]).toEqual([422, 'This isn’t offered for this ticket.']);
    expect(await x.registrations(code)).toEqual([]);
  });

  test('a number that is none, and an option that there is not', async () => {
    const { code } = await x.event({ types: [ADULT], products: [SHIRT, { code: 'meal', name: 'Meal', max: 3 }] });
    const form = (await openForm(x, code))
      .fill({ ...ADA })
      .put('p0-x-meal', ['-1'])
      .put('p0-x-shirt', ['xxl']);
    const got = await x.post(form.action, form.sent('review'));
    expect(got.status).toBe(422);
    expect(Object.keys(faultsOf(got.text).fields).sort()).toEqual(['p0-x-meal', 'p0-x-shirt']);
  });
});

test('the same form sent twice books its products once', async () => {
  const { code } = await x.event({ types: [ADULT], products: [{ code: 'tour', name: 'Tour', capacity: 1 }] });
  const summary = await summaryOf(x, code, { 'p0-x-tour': '1' });
  const [first, second] = [await book(x, summary), await book(x, summary)];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.location).toBe(first.headers.location);
  expect(await x.registrations(code)).toHaveLength(1);
});

test('names and descriptions are text, whatever is in them', async () => {
  const hostile = '</option></select><script>alert(1)</script>"\'{{name}}';
  const { code } = await x.event({
    types: [ADULT],
    products: [
      { code: 'a', name: hostile, description: hostile, options: [{ code: 'b', name: hostile }], required: true },
      { code: 'c', name: hostile, description: hostile, max: 2, price_minor: 100 },
    ],
  });
  const pages = [await x.get(`/o/acme/${code}/register`)];
  const form = (await openForm(x, code)).fill({ ...ADA, 'p0-x-a': 'b', 'p0-x-c': '2' });
  pages.push(await x.post(form.action, form.sent('review')));
  for (const { text, status } of pages) {
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    expect(textOf(text)).toContain(hostile);
  }
});

test('public JSON tells what can be booked and what is left of it in words, and nothing of hidden types', async () => {
  const { code } = await x.event({
    days: DAYS,
    types: [ADULT, { code: 'crew', name: 'Crew', visible: false }],
    products: [
      { ...SHIRT, attendee_types: ['adult'], days: ['sat'] },
      { code: 'dinner', name: 'Crew dinner', attendee_types: ['crew'] },
      { code: 'hidden', name: 'Hidden', visible: false },
    ],
  });
  const { products } = JSON.parse((await x.get(`/o/acme/${code}.json`)).text);
  expect(products).toEqual([
    {
      ...{
        code: 'shirt',
        name: 'T-shirt',
        description: null,
        price_minor: 1500,
        per: 'attendee',
        max: 1,
        required: false,
      },
      attendee_types: ['adult'],
      days: ['sat'],
      options: [
        { code: 's', name: 'Small', availability: 'few' },
        { code: 'm', name: 'Medium', availability: 'available' },
      ],
      availability: 'available',
    },
  ]);
});

test('a form never asks for more choices than it can take: with very many products it is for fewer people', async () => {
  const options = Array.from({ length: 50 }, (_, i) => ({ code: `o${i}`, name: `Option ${i}` }));
  const products = Array.from({ length: 8 }, (_, i) => ({ code: `p${i}`, name: `Product ${i}`, max: 10, options }));
  const { code } = await x.event({ types: [ADULT], products });
  const form = await openForm(x, code, '?n-adult=20');
  expect(form.names.filter((name) => name.endsWith('-type'))).toEqual(['p0-type']);
  const got = await x.post(form.action, form.fill({ ...ADA }).sent('review'));
  expect(got.status, textOf(got.text)).toBe(200);
});
