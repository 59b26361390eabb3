import type { Discount } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import {
  type DiscountValues,
  discountChange,
  discountValues,
  emptyDiscount,
  linkWith,
  newDiscount,
  pricesWith,
  sentBatch,
  stateOf,
  suggestedCode,
} from './discount-values.ts';

const friends: Discount = {
  ...{
    id: 'D1',
    code: 'FRIENDS',
    name: 'Friends',
    kind: 'percent',
    value: 20,
    attendee_types: ['adult'],
    products: [],
  },
  ...{ reveals: [], opens_at: null, closes_at: null, max_people: 10, max_people_per_registration: null },
  ...{ min_people: null, group: null, note: null, active: true, used: 3, given_minor: 900 },
  ...{ created_at: '', updated_at: '' },
};
const change = (now: Partial<DiscountValues>) => {
  const before = discountValues(friends);
  return discountChange(before, { ...before, ...now });
};

describe('a code', () => {
  test('is for all tickets and no products unless it says otherwise', () => {
    expect(newDiscount({ ...emptyDiscount(), code: ' EARLY ', name: 'Early', value: 10 })).toMatchObject({
      ...{ code: 'EARLY', kind: 'percent', value: 10, attendee_types: null, products: [], group: null, note: null },
    });
  });

  test('sends only what was changed', () => {
    expect(change({})).toBeNull();
    expect(change({ tickets: 'none' })).toEqual({ attendee_types: [] });
    expect(change({ goods: 'some', products: ['lunch'] })).toEqual({ products: ['lunch'] });
    expect(change({ kind: 'amount', value: 500 })).toEqual({ kind: 'amount', value: 500 });
    expect(change({ max_people: null, active: false })).toEqual({ max_people: null, active: false });
  });

  test('of many has no code of its own', () => {
    const sent = sentBatch({ ...discountValues(friends), count: 200, prefix: ' PRESS- ' });
    expect(sent).toMatchObject({ count: 200, prefix: 'PRESS-', kind: 'percent', value: 20 });
    expect(sent).not.toHaveProperty('code');
  });

  test('that is suggested has letters and digits that nobody mistakes for others', () => {
    expect(suggestedCode((bytes) => new Uint8Array(bytes).map((_, i) => i * 31))).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  });

  test('goes along with the address of the page', () => {
    expect(linkWith('https://example.org/o/acme/fair', 'TEN %')).toBe('https://example.org/o/acme/fair?code=TEN+%25');
  });
});

test.each([
  [{}, 'active'],
  [{ active: false, closes_at: '2020-01-01T00:00:00Z' }, 'inactive'],
  [{ closes_at: '2027-01-01T00:00:00Z' }, 'over'],
  [{ opens_at: '2027-01-02T00:00:00Z' }, 'later'],
  [{ opens_at: '2027-01-01T00:00:00Z' }, 'active'],
  [{ used: 10 }, 'used_up'],
  [{ used: 10, max_people: null }, 'active'],
])('a code with %j is %s', (more, state) => {
  expect(stateOf({ ...friends, ...more }, new Date('2027-01-01T00:00:00Z'))).toBe(state);
});

describe('prices with a code', () => {
  const type = (code: string, current_price_minor: number, visible = true) => ({
    ...{ id: code, code, name: code, current_price_minor, visible },
  });
  const types = [type('adult', 4500), type('child', 1000), type('press', 2000, false)];
  const lunch = { id: 'lunch', code: 'lunch', name: 'lunch', price_minor: 1500 };
  const prices = (more: Partial<DiscountValues>) =>
    pricesWith({ ...emptyDiscount(), value: 20, ...more }, types, [lunch]).map(({ id, after }) => [id, after]);

  test('are those of everything that becomes cheaper', () => {
    expect(prices({})).toEqual([
      ['adult', 3600],
      ['child', 800],
    ]);
    expect(prices({ tickets: 'none', goods: 'all' })).toEqual([['lunch', 1200]]);
    expect(prices({ kind: 'price', value: 1500, tickets: 'some', attendee_types: ['adult'] })).toEqual([
      ['adult', 1500],
    ]);
  });

  test('include hidden types that it opens, cheaper only if it is for them', () => {
    expect(prices({ tickets: 'none', reveals: ['press'] })).toEqual([['press', 2000]]);
    expect(prices({ tickets: 'some', attendee_types: ['press'], reveals: ['press'] })).toEqual([['press', 1600]]);
  });

  test('stay as they are while no value is typed', () => {
    expect(prices({ value: null, tickets: 'some', attendee_types: ['adult'] })).toEqual([['adult', 4500]]);
  });
});
