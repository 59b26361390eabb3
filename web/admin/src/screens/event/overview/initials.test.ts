import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test('the first letters of the first and the last word', () => {
  expect(initials('Grace Hopper')).toBe('GH');
  expect(initials('Ada King Countess of Lovelace')).toBe('AL');
  expect(initials('  émile  ')).toBe('É');
  expect(initials('𝒜da Test')).toBe('𝒜T');
  expect(initials('')).toBe('');
});
