import type { Product } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import {
  emptyOption,
  emptyProduct,
  hasLimits,
  newProduct,
  type ProductValues,
  previewProduct,
  productChange,
  productValues,
} from './product-values.ts';

const shirt: Product = {
  ...{ id: 'P1', code: 'shirt', name: 'T-shirt', description: null, price_minor: 2500, capacity: 40, per: 'attendee' },
  options: [
    { code: 's', name: 'S', capacity: 10 },
    { code: 'm', name: 'M', capacity: null },
  ],
  ...{ max: 2, required: false, attendee_types: null, days: ['sat'], on_sale: null, visible: true },
  ...{ created_at: '', updated_at: '' },
};
const change = (now: Partial<ProductValues>) => {
  const before = productValues(shirt);
  return productChange(before, { ...before, ...now });
};

describe('a product', () => {
  test('is sent without empty options, and without the types and days of a choice that was taken back', () => {
    const values: ProductValues = {
      ...{ ...emptyProduct(), name: 'Workshop', options: [emptyOption(' Beginners '), emptyOption()] },
      attendee_types: ['adult'],
    };
    expect(newProduct(values)).toMatchObject({
      ...{ options: [{ name: 'Beginners', capacity: null }], attendee_types: null, days: null, on_sale: null, max: 1 },
    });
    expect(newProduct(values)).not.toHaveProperty('code');
  });

  test('sends only what was changed; an option that gets another name keeps its code', () => {
    expect(change({})).toBeNull();
    expect(change({ options: [...productValues(shirt).options, emptyOption()] })).toBeNull();
    expect(change({ price_minor: 3000 })).toEqual({ price_minor: 3000 });
    const options = productValues(shirt).options.map((one) => (one.code === 's' ? { ...one, name: 'Small' } : one));
    expect(change({ options })).toEqual({
      options: [
        { code: 's', name: 'Small', capacity: 10 },
        { code: 'm', name: 'M', capacity: null },
      ],
    });
    expect(change({ sale_until: '2027-01-01T00:00:00Z' })).toEqual({
      on_sale: { from: null, until: '2027-01-01T00:00:00Z' },
    });
  });

  test('shows what few products need only where it is set', () => {
    expect(hasLimits(emptyProduct())).toBe(false);
    expect(hasLimits(productValues(shirt))).toBe(true);
  });

  test('is previewed under the code that it has, and by a name of its own before it has one', () => {
    const values = { ...productValues(shirt), code: 'tee', options: [emptyOption('XL')] };
    expect(previewProduct(shirt, values, 'New')).toMatchObject({
      code: 'shirt',
      options: [{ code: '-0', name: 'XL' }],
    });
    expect(previewProduct(null, emptyProduct(), 'New')).toMatchObject({ code: '-', name: 'New' });
  });
});
