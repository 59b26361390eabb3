import { expect, test } from 'vitest';
import { presentDay } from './days.ts';

const day = (code: string, opens: string, closes: string) => ({
  code,
  opens_at: `2027-06-${opens}:00Z`,
  closes_at: `2027-06-${closes}:00Z`,
});
const DAYS = [day('sun', '13T10:00', '13T18:00'), day('sat', '12T10:00', '12T18:00')];

test.each([
  ['11T12:00', 'sat', 'before the first day'],
  ['12T08:30', 'sat', 'while the doors open'],
  ['12T12:00', 'sat', 'on a day'],
  ['12T19:00', 'sat', 'shortly after it'],
  ['13T02:00', 'sat', 'in the night'],
  ['13T09:00', 'sun', 'before the next'],
  ['20T12:00', 'sun', 'after the last'],
])('at %s it is %s: %s', (at, code) => {
  expect(presentDay(DAYS, Date.parse(`2027-06-${at}:00Z`))).toBe(code);
});

test('an event without days has none', () => {
  expect(presentDay([], 0)).toBeNull();
});
