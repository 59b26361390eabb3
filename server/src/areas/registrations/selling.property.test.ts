import { discountOff, lineTotal } from '@turnout/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, Shop } from './selling.support.ts';

/** How many random series of calls are tried. */
const RUNS = 12;

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.t.stop());

test('a discount is never more than the line and never negative, and grows with the units', () => {
  const value = fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constantFrom('amount' as const, 'price' as const), value: fc.nat(1_000_000_000_000) }),
  );
  fc.assert(
    fc.property(
      value,
      fc.nat(1_000_000_000_000),
      fc.integer({ min: 1, max: 100 }),
      (discount, price_minor, quantity) => {
        const off = discountOff(discount, { price_minor, quantity });
        expect(Number.isSafeInteger(off)).toBe(true);
        expect(off).toBeGreaterThanOrEqual(0);
        expect(off).toBeLessThanOrEqual(price_minor * quantity);
        expect(discountOff(discount, { price_minor, quantity: quantity + 1 })).toBeGreaterThanOrEqual(off);
        if (discount.kind === 'percent') {
          // Exactly, and rounded half up.
          const exact = BigInt(price_minor) * BigInt(quantity) * BigInt(discount.value);
          expect(BigInt(off)).toBe((exact + 50n) / 100n);
        }
      },
    ),
  );
});

const choice = fc.oneof(
  fc.record({ product: fc.constant('dinner'), quantity: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    product: fc.constant('shirt'),
    option: fc.constantFrom('s', 'm'),
    quantity: fc.integer({ min: 1, max: 2 }),
  }),
);
const basket = fc.uniqueArray(choice, {
  maxLength: 3,
  selector: (one) => `${one.product} ${'option' in one ? one.option : ''}`,
});
const person = fc.record({
  attendee_type: fc.constantFrom('adult', 'child'),
  days: fc.constantFrom(['sat'], ['sun'], ['sat', 'sun']),
  products: basket,
});
const parking = fc.constantFrom([], [{ product: 'parking' }]);
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), who: fc.nat(), to: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), who: fc.nat(), to: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('parking' as const), who: fc.nat(), to: parking }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }) },
);
const series = fc.record({
  people: fc.array(person, { minLength: 1, maxLength: 4 }),
  products: parking,
  discount_code: fc.constantFrom(undefined, 'quarter', 'ten-off', 'dinner-20'),
  acts: fc.array(act, { maxLength: 6 }),
});

const active = ({ attendees }: Row): Row[] => attendees.filter((one: Row) => one.status !== 'cancelled');
const linesOf = (registration: Row): Row[] => [
  ...active(registration).flatMap((one) => one.products),
  ...registration.products,
];

/** What is true of every registration, whatever was done to it. */
function requireSums(registration: Row): void {
  const tickets = active(registration).map(({ price_minor, discount_minor }: Row) => ({
    price_minor,
    discount_minor,
    quantity: 1,
  }));
  const lines = [...tickets, ...linesOf(registration)];
  expect(registration.total_minor).toBe(lines.reduce((sum, line) => sum + lineTotal(line), 0));
  expect(registration.discount_minor).toBe(lines.reduce((sum, line) => sum + line.discount_minor, 0));
  for (const line of lines) {
    expect(line.discount_minor).toBeGreaterThanOrEqual(0);
    expect(lineTotal(line)).toBeGreaterThanOrEqual(0);
  }
}

/** How much of everything a registration takes, by its own account. */
function takenBy(registration: Row): Record<string, number> {
  const taken: Record<string, number> = {};
  const add = (name: string, count = 1) => {
    taken[name] = (taken[name] ?? 0) + count;
  };
  for (const { product, option, quantity } of linesOf(registration)) {
    add(product, quantity);
    if (option !== null) add(`${product}/${option}`, quantity);
    if (product === 'dinner') add('hall', quantity);
  }
  for (const { days } of active(registration)) if (days.includes('sat')) add('hall');
  return taken;
}

test('the total is the sum of the lines, and what ends frees exactly what was taken', async () => {
  await shop.newEvent();
  await shop.make('products', { code: 'dinner', name: 'Dinner', price_minor: 3333, max: 2 });
  const options = [
    { code: 's', name: 'S' },
    { code: 'm', name: 'M' },
  ];
  await shop.make('products', { code: 'shirt', name: 'Shirt', price_minor: 1999, max: 4, options });
  await shop.make('products', { code: 'parking', name: 'Parking', price_minor: 505, per: 'registration' });
  await shop.make('quotas', { code: 'hall', name: 'Hall', capacity: 100_000, days: ['sat'], products: ['dinner'] });
  const discounts = [
    { code: 'quarter', kind: 'percent', value: 25, products: null, max_people_per_registration: 2 },
    { code: 'ten-off', kind: 'amount', value: 1000, products: ['shirt'] },
    { code: 'dinner-20', kind: 'price', value: 2000, attendee_types: [], products: ['dinner'] },
  ];
  for (const one of discounts) await shop.make('discounts', { ...one, name: one.code });
  const nothing = await shop.taken();
  const used = async () => (await shop.get('/discounts')).data.map((one: Row) => [one.used, one.given_minor]);
  expect(await used()).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);

  const attempt = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await shop.t.call(method, `/v1/events/${shop.event}${path}`, {
      key: shop.key,
      ...(body && { body }),
    });
    // More than one taker may have is refused, and so is a code that is for nothing of the basket. Nothing else goes wrong.
    if (status >= 300) expect(['validation_failed', 'discount_not_applicable']).toContain(answer.error.code);
    return status < 300 ? answer : null;
  };
  await fc.assert(
    fc.asyncProperty(series, async ({ people, products, discount_code, acts }) => {
      const body = { attendees: people.map((one) => ({ ...one, first_name: 'Ada', last_name: 'Byron' })), products };
      const made = await attempt('POST', '/registrations', { ...body, ...(discount_code && { discount_code }) });
      if (made === null) return;
      const own = `/registrations/${made.id}`;
      let now = made;
      for (const one of acts) {
        const who = active(now)[one.who % active(now).length]!;
        if (one.kind === 'change') await attempt('PATCH', `/attendees/${who.id}`, one.to);
        if (one.kind === 'add')
          await attempt('POST', `${own}/attendees`, { ...one.to, first_name: 'Eva', last_name: 'New' });
        if (one.kind === 'parking') await attempt('PATCH', own, { products: one.to });
        if (one.kind === 'leave' && active(now).length > 1) await attempt('POST', `/attendees/${who.id}/cancel`);
        now = await shop.get(own);
        requireSums(now);
        expect(await shop.taken()).toEqual({ ...nothing, ...takenBy(now) });
      }
      requireSums(now);
      expect(await shop.taken()).toEqual({ ...nothing, ...takenBy(now) });
      const given = (await used()).reduce((sum: number, [, one]: number[]) => sum + one!, 0);
      expect(given).toBe(now.discount_minor);
      await shop.post(`${own}/cancel`, {});
      expect(await shop.taken()).toEqual(nothing);
      expect(await used()).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ]);
    }),
    { numRuns: RUNS },
  );
});
