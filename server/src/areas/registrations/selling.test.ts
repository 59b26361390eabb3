import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toUuid } from '../../common/ids.ts';
import { acrossOrganizationsPromotable, promoteWaitlists } from './jobs.ts';
import { type Row, Shop } from './selling.support.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.t.stop());

describe('products', () => {
  beforeEach(async () => {
    await shop.newEvent();
    await shop.make('products', { code: 'dinner', name: 'Dinner', price_minor: 3000, capacity: 3 });
    await shop.make('products', {
      ...{ code: 'shirt', name: 'T-shirt', price_minor: 2000, max: 3 },
      options: [
        { code: 's', name: 'Small', capacity: 1 },
        { code: 'm', name: 'Medium' },
      ],
    });
    await shop.make('products', { code: 'parking', name: 'Parking', price_minor: 500, per: 'registration' });
  });

  test('are booked by attendees and by the registration, counted and summed up', async () => {
    const made = await shop.register(
      [
        { products: [{ product: 'dinner' }, { product: 'shirt', option: 'M', quantity: 2 }] },
        { attendee_type: 'child', products: [{ product: 'shirt', option: 's' }] },
      ],
      { products: [{ product: 'parking' }] },
    );
    expect(made).toMatchObject({ status: 'pending_payment', total_minor: 10_000 + 3000 + 4000 + 2000 + 500 });
    expect(made).toMatchObject({ discount_code: null, discount_minor: 0 });
    expect(made.attendees[0].products).toEqual([
      { product: 'dinner', option: null, quantity: 1, price_minor: 3000, discount_minor: 0 },
      { product: 'shirt', option: 'm', quantity: 2, price_minor: 2000, discount_minor: 0 },
    ]);
    expect(made.products).toEqual([
      { product: 'parking', option: null, quantity: 1, price_minor: 500, discount_minor: 0, handed_out: 0 },
    ]);
    expect(await shop.taken()).toEqual({ dinner: 1, shirt: 3, 'shirt/s': 1, 'shirt/m': 2, parking: 1 });
    const attendee = await shop.get(`/attendees/${made.attendees[0].id}`);
    expect(attendee.products[0]).toMatchObject({ product: 'dinner', handed_out: 0 });

    // A later price touches nobody who has booked.
    await shop.patch('/products/dinner', { price_minor: 9900 });
    expect(await shop.get(`/registrations/${made.id}`)).toMatchObject({ total_minor: 19_500 });
    await shop.post(`/registrations/${made.id}/cancel`, {});
    expect(await shop.taken()).toEqual({ dinner: 0, shirt: 0, 'shirt/s': 0, 'shirt/m': 0, parking: 0 });
  });

  test('400: every fault of the choices is named', async () => {
    const { error } = await shop.register(
      [
        {
          products: [
            ...[{ product: 'dinner', quantity: 2 }, { product: 'none' }, { product: 'parking' }],
            ...[{ product: 'shirt' }, { product: 'shirt', option: 'xl' }, { product: 'dinner', option: 'm' }],
            ...[
              { product: 'shirt', option: 'm' },
              { product: 'shirt', option: 'M' },
            ],
          ],
        },
      ],
      { products: [{ product: 'dinner' }] },
      400,
    );
    expect(error.details.map((one: Row) => one.path).sort()).toEqual([
      'attendees/0/products/0/quantity',
      'attendees/0/products/1/product',
      'attendees/0/products/2/product',
      'attendees/0/products/3/option',
      'attendees/0/products/4/option',
      'attendees/0/products/5/option',
      'attendees/0/products/7',
      'products/0/product',
    ]);
  });

  test('422 product_not_available: hidden, not on sale, not for this type or these days', async () => {
    const dinner = { products: [{ product: 'dinner' }] };
    await shop.patch('/products/dinner', { visible: false });
    expect(await shop.refused([dinner], {}, 422)).toBe('product_not_available');
    await shop.patch('/products/dinner', { visible: true, on_sale: { from: shop.inDays(3) } });
    expect(await shop.refused([dinner], {}, 422)).toBe('product_not_available');
    await shop.patch('/products/dinner', { on_sale: null, attendee_types: ['child'] });
    expect(await shop.refused([dinner], {}, 422)).toBe('product_not_available');
    await shop.patch('/products/dinner', { attendee_types: null, days: ['sun'] });
    expect(await shop.refused([dinner], {}, 422)).toBe('product_not_available');
    await shop.register([{ ...dinner, days: ['sat', 'sun'] }]);
  });

  test('422 product_required: whoever it is offered to has to take it', async () => {
    await shop.make('products', { code: 'meal', name: 'Meal', required: true, attendee_types: ['adult'] });
    const { error } = await shop.register([{}, { attendee_type: 'child' }], {}, 422);
    expect(error).toMatchObject({ code: 'product_required', details: [{ path: 'attendees/0/products' }] });
    await shop.register([{ products: [{ product: 'meal' }] }, { attendee_type: 'child' }]);
  });

  test('409 product_full names what is sold out; with a waitlist the whole registration waits', async () => {
    await shop.register([{ products: [{ product: 'shirt', option: 's' }] }]);
    const { error } = await shop.register([{ products: [{ product: 'shirt', option: 's' }] }], {}, 409);
    expect(error).toMatchObject({ code: 'product_full' });
    expect(error.message).toContain('The option s of the product shirt is sold out');
    const dinner = { products: [{ product: 'dinner' }] };
    expect(await shop.refused([dinner, dinner, dinner, dinner], {}, 409)).toBe('product_full');

    const three = await shop.register([dinner, dinner, dinner]);
    await shop.call('PATCH', `/v1/events/${shop.event}`, { registration: { waitlist: true } });
    const waiting = await shop.register([dinner, {}]);
    expect(waiting).toMatchObject({ status: 'waitlisted', total_minor: 23_000 });
    // Somebody who asks for nothing that is awaited does not wait.
    expect(await shop.register([{}])).toMatchObject({ status: 'pending_payment' });
    await shop.post(`/attendees/${three.attendees[0].id}/cancel`);
    expect(await shop.get(`/registrations/${waiting.id}`)).toMatchObject({ status: 'pending_payment' });
    expect(await shop.taken()).toMatchObject({ dinner: 3 });
  });

  test.each([
    ['a product', [{ product: 'dinner' }, '/products/dinner', { capacity: 4 }]],
    [
      'an option',
      [{ product: 'shirt', option: 's' }, '/products/shirt', { options: [{ code: 's', name: 'Small', capacity: 2 }] }],
    ],
    ['a shared limit', [{ product: 'parking' }, '/quotas/cars', { capacity: 2 }]],
  ] as const)(
    'whoever waits for %s is looked at again once it has room, and not before',
    async (_, [wanted, path, more]) => {
      await shop.make('quotas', { code: 'cars', name: 'Cars', capacity: 1, products: ['parking'] });
      await shop.call('PATCH', `/v1/events/${shop.event}`, { registration: { waitlist: true } });
      const take = () =>
        wanted.product === 'parking'
          ? shop.register([{}], { products: [wanted] })
          : shop.register([{ products: [wanted] }]);
      const isLookedAt = async () => {
        const events = await shop.t.system(acrossOrganizationsPromotable);
        return events.some(({ event_id }) => event_id === toUuid(eventId));
      };
      const eventId = (await shop.get('')).id;
      let last = await take();
      while (last.status !== 'waitlisted') last = await take();
      expect(await isLookedAt()).toBe(false);
      await shop.patch(path, more);
      expect(await isLookedAt()).toBe(true);
      await promoteWaitlists(shop.t.pool, shop.t.clock);
      expect(await shop.get(`/registrations/${last.id}`)).toMatchObject({ status: 'pending_payment' });
      expect(await isLookedAt()).toBe(false);
    },
  );

  test('are changed later: what stays keeps its price, what is new costs its price of now', async () => {
    const made = await shop.register([{ products: [{ product: 'shirt', option: 'm' }] }]);
    await shop.pay(made.id, 12_000);
    const id = made.attendees[0].id;
    await shop.patch('/products/shirt', { price_minor: 2500 });
    const more = await shop.patch(`/attendees/${id}`, {
      products: [{ product: 'shirt', option: 'm', quantity: 2 }, { product: 'dinner' }],
    });
    expect(more.products.map((one: Row) => [one.product, one.quantity, one.price_minor])).toEqual([
      ['shirt', 1, 2000],
      ['shirt', 1, 2500],
      ['dinner', 1, 3000],
    ]);
    expect(await shop.get(`/registrations/${made.id}`)).toMatchObject({ status: 'confirmed', balance_minor: 5500 });
    await shop.patch(`/attendees/${id}`, { products: [{ product: 'shirt', option: 'm' }] });
    expect(await shop.get(`/registrations/${made.id}`)).toMatchObject({ total_minor: 12_000, balance_minor: 0 });
    await shop.patch(`/registrations/${made.id}`, { products: [{ product: 'parking' }] });
    expect(await shop.taken()).toEqual({ dinner: 0, shirt: 1, 'shirt/s': 0, 'shirt/m': 1, parking: 1 });
    await shop.patch(`/registrations/${made.id}`, { products: [] });
    expect(await shop.taken()).toMatchObject({ parking: 0 });
  });

  test('a change is refused where too little is left, and changes nothing', async () => {
    const made = await shop.register([{ products: [{ product: 'shirt', option: 's' }] }, {}]);
    const [, other] = made.attendees;
    const { error } = await shop.patch(
      `/attendees/${other.id}`,
      { products: [{ product: 'shirt', option: 's' }] },
      409,
    );
    expect(error.code).toBe('product_full');
    // Whoever has it keeps it, also if the capacity is lowered since.
    await shop.patch('/products/shirt', { capacity: 1 });
    const kept = [{ product: 'shirt', option: 's' }, { product: 'dinner' }];
    await shop.patch(`/attendees/${made.attendees[0].id}`, { products: kept });
    expect(await shop.taken()).toMatchObject({ shirt: 1, dinner: 1 });
    // With a type or days that it is not offered to, it has to be given back.
    await shop.patch('/products/dinner', { attendee_types: ['adult'] });
    const path = `/attendees/${made.attendees[0].id}`;
    const refused = await shop.patch(path, { attendee_type: 'child' }, 422);
    expect(refused.error.code).toBe('product_not_available');
    await shop.patch(path, { attendee_type: 'child', products: [] });
    expect(await shop.taken()).toMatchObject({ shirt: 0, dinner: 0 });
  });
});

describe('shared limits', () => {
  test('count people of their types on their days once, and units of their products', async () => {
    await shop.newEvent();
    await shop.make('products', { code: 'dinner', name: 'Dinner', max: 5 });
    await shop.make('quotas', { code: 'hall', name: 'Hall', capacity: 4, days: ['sat'], products: ['dinner'] });
    await shop.make('quotas', { code: 'kids', name: 'Children', capacity: 1, attendee_types: ['child'] });
    await shop.register([{ days: ['sat', 'sun'] }, { days: ['sun'] }]);
    expect(await shop.taken()).toMatchObject({ hall: 1, kids: 0 });
    await shop.register([{ days: ['sun'], products: [{ product: 'dinner', quantity: 2 }] }]);
    expect(await shop.taken()).toMatchObject({ hall: 3 });
    const { error } = await shop.register([{}, {}], {}, 409);
    expect(error).toMatchObject({ code: 'quota_full', message: 'The shared limit hall has 1 place left.' });
    await shop.register([{ attendee_type: 'child' }]);
    expect(await shop.refused([{ attendee_type: 'child', days: ['sun'] }], {}, 409)).toBe('quota_full');
    expect(await shop.taken()).toMatchObject({ hall: 4, kids: 1 });
    // Counted anew, it is the same.
    await shop.patch('/quotas/hall', { days: ['sat'], products: ['dinner'] });
    expect(await shop.taken()).toMatchObject({ hall: 4, kids: 1 });
  });
});

describe('discounts', () => {
  const make = (code: string, more: object) =>
    shop.make('discounts', { code, name: code, kind: 'percent', value: 20, ...more });
  const read = (code: string): Promise<Row> => shop.get(`/discounts/${code}`);
  beforeEach(async () => {
    await shop.newEvent();
    await shop.make('products', { code: 'dinner', name: 'Dinner', price_minor: 3333 });
    await shop.make('products', { code: 'parking', name: 'Parking', price_minor: 500, per: 'registration' });
  });

  test('take a percentage, an amount or a price instead, of tickets and products', async () => {
    await make('FRIENDS-25', { value: 25, products: ['dinner'] });
    const made = await shop.register([{ products: [{ product: 'dinner' }] }, { attendee_type: 'child' }], {
      discount_code: ' friends 25 ',
    });
    // 25 % of 33.33 is 8.3325, rounded half up.
    expect(made).toMatchObject({ discount_code: 'FRIENDS-25', discount_minor: 2500 + 833, total_minor: 7500 + 2500 });
    expect(made.attendees[0]).toMatchObject({
      price_minor: 10_000,
      discount_minor: 2500,
      products: [{ discount_minor: 833 }],
    });
    expect(made.attendees[1]).toMatchObject({ discount_minor: 0 });
    expect(await read('friends25')).toMatchObject({ used: 1, given_minor: 3333 });

    await make('MINUS', { kind: 'amount', value: 12_000, products: null });
    expect(await shop.register([{}], { discount_code: 'minus', products: [{ product: 'parking' }] })).toMatchObject({
      total_minor: 0,
      discount_minor: 10_500,
      status: 'confirmed',
    });
    await make('INSTEAD', { kind: 'price', value: 4000, attendee_types: ['adult'] });
    expect(await shop.register([{}], { discount_code: 'instead' })).toMatchObject({ total_minor: 4000 });
  });

  test('422 discount_unknown and discount_not_applicable, after answers and before places', async () => {
    await make('LATER', { opens_at: shop.inDays(2) });
    await make('OVER', { closes_at: shop.inDays(-2) });
    await make('OFF', { active: false });
    await make('THREE', { min_people: 3 });
    await make('KIDS', { attendee_types: ['child'] });
    const refused = (code: string) => shop.refused([{}], { discount_code: code }, 422);
    expect(await refused('nothing')).toBe('discount_unknown');
    for (const code of ['LATER', 'OVER', 'OFF', 'THREE', 'KIDS']) {
      expect([code, await refused(code)]).toEqual([code, 'discount_not_applicable']);
    }
    await shop.register([{}, {}, {}], { discount_code: 'three' });
    await shop.patch('/attendee-types/adult', { capacity: 3 });
    expect(await refused('nothing')).toBe('discount_unknown');
    await shop.make('questions', { code: 'diet', label: 'Diet', kind: 'text', required: true });
    expect(await refused('nothing')).toBe('answer_required');
  });

  test('a use is a covered person, counts while places are held and comes back', async () => {
    await make('TWO', { max_people: 2 });
    await make('ONE-EACH', { max_people_per_registration: 1 });
    const pair = await shop.register([{}, {}], { discount_code: 'TWO' });
    expect(await read('TWO')).toMatchObject({ used: 2, given_minor: 4000 });
    expect(await shop.refused([{}], { discount_code: 'TWO' }, 409)).toBe('discount_used_up');
    await shop.post(`/attendees/${pair.attendees[0].id}/cancel`);
    expect(await read('TWO')).toMatchObject({ used: 1, given_minor: 2000 });
    const next = await shop.register([{}], { discount_code: 'TWO' });
    await shop.post(`/registrations/${pair.id}/cancel`, {});
    await shop.post(`/registrations/${next.id}/cancel`, {});
    expect(await read('TWO')).toMatchObject({ used: 0, given_minor: 0 });
    const each = await shop.register([{}, {}], { discount_code: 'one each' });
    expect(each.attendees.map((one: Row) => one.discount_minor)).toEqual([2000, 0]);
    expect(await read('ONE-EACH')).toMatchObject({ used: 1 });
  });

  test('reveals hidden types, and brings people into its group', async () => {
    await shop.call('POST', '/v1/groups', { code: shop.event, name: 'Press' });
    await shop.make('attendee-types', { code: 'vip', name: 'VIP', price_minor: 50_000, visible: false });
    await make('PRESS', {
      kind: 'price',
      value: 0,
      attendee_types: ['vip'],
      reveals: ['vip'],
      group: shop.event,
      max_people_per_registration: 1,
    });
    const vip = { attendee_type: 'vip' };
    expect(await shop.refused([vip], {}, 422)).toBe('type_not_available');
    expect(await shop.register([vip], { discount_code: 'press' })).toMatchObject({ total_minor: 0, group: shop.event });
    expect(await shop.refused([vip, vip], { discount_code: 'press' }, 422)).toBe('discount_not_applicable');
    // A code that only reveals counts whom it reveals.
    await make('DOOR', { attendee_types: [], reveals: ['vip'] });
    expect(await shop.register([vip, {}], { discount_code: 'door' })).toMatchObject({ discount_minor: 0 });
    expect(await read('DOOR')).toMatchObject({ used: 1, given_minor: 0 });
  });

  test('covers who is added later while it is valid and has uses left', async () => {
    await make('TWO', { max_people: 2, products: null });
    const made = await shop.register([{}], { discount_code: 'two' });
    const add = () => shop.post(`/registrations/${made.id}/attendees`, shop.person());
    expect(await add()).toMatchObject({ discount_minor: 2000 });
    expect(await add()).toMatchObject({ discount_minor: 0 });
    expect(await read('TWO')).toMatchObject({ used: 2 });
    // A covered person's new product is cheaper without another use; somebody else's is not.
    const products = [{ product: 'dinner' }];
    const [first] = made.attendees;
    expect(await shop.patch(`/attendees/${first.id}`, { products })).toMatchObject({
      products: [{ discount_minor: 667 }],
    });
    await shop.patch('/discounts/two', { active: false });
    const changed = await shop.patch(`/attendees/${first.id}`, { attendee_type: 'child' });
    expect(changed).toMatchObject({ discount_minor: 0, products: [{ discount_minor: 667 }] });
    await shop.patch(`/attendees/${first.id}`, { products: [] });
    expect(await read('TWO')).toMatchObject({ used: 1 });
  });

  test('whoever is covered stays so with another type, also when the code is used up', async () => {
    await make('LAST', { max_people: 1 });
    await shop.make('attendee-types', { code: 'senior', name: 'Senior', price_minor: 6000 });
    const made = await shop.register([{}], { discount_code: 'last' });
    const path = `/attendees/${made.attendees[0].id}`;
    expect(await shop.patch(path, { attendee_type: 'senior' })).toMatchObject({
      price_minor: 6000,
      discount_minor: 1200,
    });
    expect(await read('LAST')).toMatchObject({ used: 1, given_minor: 1200 });
    // A type that costs nothing is made no cheaper, so the use comes back; then somebody else has it.
    await shop.patch(path, { attendee_type: 'child' });
    expect(await read('LAST')).toMatchObject({ used: 0, given_minor: 0 });
    await shop.register([{}], { discount_code: 'last' });
    expect(await shop.patch(path, { attendee_type: 'adult' })).toMatchObject({ discount_minor: 0 });
  });

  test('a waitlisted registration uses nothing, and keeps its turn while the code is used up', async () => {
    await shop.call('PATCH', `/v1/events/${shop.event}`, { registration: { waitlist: true }, capacity: 1 });
    await make('ONCE', { max_people: 1 });
    const first = await shop.register([{}]);
    const waiting = await shop.register([{}], { discount_code: 'once' });
    expect(waiting).toMatchObject({ status: 'waitlisted', discount_minor: 2000 });
    expect(await read('ONCE')).toMatchObject({ used: 0 });
    await shop.call('PATCH', `/v1/events/${shop.event}`, { capacity: 3 });
    await shop.patch('/discounts/once', { max_people: 1 });
    await shop.post(`/registrations/${first.id}/cancel`, {});
    expect(await shop.get(`/registrations/${waiting.id}`)).toMatchObject({
      status: 'pending_payment',
      total_minor: 8000,
    });
    expect(await read('ONCE')).toMatchObject({ used: 1 });
  });

  test('expected_total_minor is compared with the total after the discount', async () => {
    await make('TEN', { value: 10 });
    const total = { discount_code: 'ten', expected_total_minor: 10_000 };
    expect(await shop.refused([{}], total, 409)).toBe('price_changed');
    await shop.register([{}], { ...total, expected_total_minor: 9000 });
  });
});
