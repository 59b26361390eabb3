import type { Quota } from '@turnout/client';
import { expect, test } from 'vitest';
import { countsNothing, emptyLimit, limitChange, limitValues, newLimit } from './limit-values.ts';

const kitchen: Quota = {
  ...{ id: 'Q1', code: 'kitchen', name: 'Kitchen', capacity: 12, attendee_types: null, days: ['sat'] },
  ...{ products: ['bread'], created_at: '', updated_at: '' },
};

test('a limit sends what is counted; an empty list counts nothing of its kind', () => {
  const values = { ...emptyLimit(), name: 'Kitchen', capacity: 12, products: ['bread'] };
  expect(newLimit(values)).toEqual({
    ...{ name: 'Kitchen', capacity: 12, attendee_types: null, days: null, products: ['bread'] },
  });
  expect(countsNothing(values)).toBe(false);
  expect(countsNothing(emptyLimit())).toBe(true);
});

test('a limit sends only what was changed', () => {
  const before = limitValues(kitchen);
  expect(limitChange(before, before)).toBeNull();
  expect(limitChange(before, { ...before, days: [] })).toEqual({ days: null });
  expect(limitChange(before, { ...before, capacity: 10 })).toEqual({ capacity: 10 });
});
