import type { HandOut, Product } from '@turnout/client';
import { expect, test } from 'vitest';
import { bookedUnits } from './booked-units.ts';

const products = [
  { code: 'lunch', name: 'Lunch', options: [] },
  { code: 'shirt', name: 'T-shirt', options: [{ code: 'm', name: 'Medium' }] },
] as unknown as Product[];
const given = (product: string, option: string | null, undone_at: string | null = null) =>
  ({ product, option, undone_at }) as HandOut;

test('lines of one product and option are one, with the hand-outs that stand', () => {
  const lines = [
    { product: 'shirt', option: 'm', quantity: 1, handed_out: 1 },
    { product: 'lunch', option: null, quantity: 1, handed_out: 0 },
    { product: 'shirt', option: 'm', quantity: 2, handed_out: 0 },
  ];
  const handOuts = [given('shirt', 'm'), given('shirt', 'm', '2030-05-04T10:00:00Z')];
  expect(bookedUnits(lines, handOuts, products)).toMatchObject([
    { name: 'T-shirt', optionName: 'Medium', quantity: 3, handedOut: 1, handOuts: [{ undone_at: null }] },
    { name: 'Lunch', optionName: null, quantity: 1, handedOut: 0, handOuts: [] },
  ]);
});

test('what was given away without having been booked is shown, by its code if the product is not known', () => {
  expect(bookedUnits([], [given('mug', 'red')], products)).toMatchObject([
    { product: 'mug', name: 'mug', optionName: 'red', quantity: 0, handOuts: [{ product: 'mug' }] },
  ]);
});
