import type { Product, ProductChoice } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import {
  choicesAmong,
  choicesOf,
  priceOf,
  productsFor,
  quantityOf,
  withOption,
  withQuantity,
} from './product-choices.ts';

const product = (code: string, more: Partial<Product> = {}): Product => ({
  ...{ id: code, code, name: code, description: null, price_minor: 1500, options: [], capacity: null, per: 'attendee' },
  ...{ max: 1, required: false, attendee_types: null, days: null, on_sale: null, visible: true },
  ...{ created_at: '', updated_at: '' },
  ...more,
});
const shirts: ProductChoice[] = [{ product: 'shirt', option: 'm', quantity: 2 }, { product: 'workshop' }];

describe('choices', () => {
  test('are counted by product and option; one without a number is one unit', () => {
    expect(quantityOf(shirts, 'shirt', 'm')).toBe(2);
    expect(quantityOf(shirts, 'shirt', 'l')).toBe(0);
    expect(quantityOf(shirts, 'workshop', null)).toBe(1);
  });

  test('keep their place; none of something is left out', () => {
    expect(withQuantity(shirts, 'shirt', 'm', 3)).toEqual([{ product: 'shirt', option: 'm', quantity: 3 }, shirts[1]]);
    expect(withQuantity(shirts, 'shirt', 'm', 0)).toEqual([shirts[1]]);
    expect(withQuantity(shirts, 'parking', null, 1)).toEqual([...shirts, { product: 'parking', quantity: 1 }]);
    expect(withQuantity(shirts, 'parking', null, 0)).toEqual(shirts);
  });

  test('another option takes the place of the one before', () => {
    expect(withOption(shirts, 'shirt', 'l')).toEqual([{ product: 'shirt', option: 'l', quantity: 1 }, shirts[1]]);
    expect(withOption(shirts, 'shirt', null)).toEqual([shirts[1]]);
    expect(withOption([], 'shirt', 'l')).toEqual([{ product: 'shirt', option: 'l', quantity: 1 }]);
  });

  test('begin with what is booked, and cost what the products cost now', () => {
    const booked = choicesOf([{ product: 'shirt', option: 'm', quantity: 2 }]);
    expect(booked).toEqual([{ product: 'shirt', option: 'm', quantity: 2 }]);
    expect(priceOf([...booked, { product: 'workshop' }], [product('shirt'), product('workshop')])).toBe(4500);
  });
});

describe('products for somebody', () => {
  const structure = {
    types: [
      { code: 'adult', days: null, pass_days: null },
      { code: 'pass', days: null, pass_days: 1 },
    ],
    days: [{ code: 'fri' }, { code: 'sat' }],
  };
  const saturday = product('saturday', { days: ['sat'] });
  const codes = (attendee_type: string, days: string[], of: Product[]) =>
    productsFor(of, { attendee_type, days }, structure).map(({ code }) => code);

  test('are those for the type and the days', () => {
    expect(codes('adult', ['fri'], [saturday, product('all')])).toEqual(['all']);
    expect(codes('adult', ['sat'], [saturday, product('crew', { attendee_types: ['crew'] })])).toEqual(['saturday']);
  });

  test('a pass, which has no days to choose, is valid on all of them', () => {
    expect(codes('pass', [], [saturday])).toEqual(['saturday']);
    expect(codes('adult', [], [saturday])).toEqual([]);
  });

  test('leave out what is taken once for the registration', () => {
    expect(codes('adult', ['sat'], [product('parking', { per: 'registration' })])).toEqual([]);
  });

  test('choices of others are dropped', () => {
    expect(choicesAmong(shirts, [product('workshop')])).toEqual([shirts[1]]);
  });
});
