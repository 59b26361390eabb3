import { expect, test } from 'vitest';
import { Pace } from './import-pace.ts';

test('alone, each step is twice as large, up to 200 rows, and nothing is waited for', () => {
  const pace = new Pace();
  const sizes = [pace.rows];
  for (let n = 1; n <= 6; n += 1) {
    expect(pace.next({ waited: false, took: 10 }, n)).toBe(0);
    sizes.push(pace.rows);
  }
  expect(sizes).toEqual([10, 20, 40, 80, 160, 200, 200]);
});

test('while others want the event, steps are small and the clock is left alone for as long as it was held', () => {
  const pace = new Pace();
  pace.next({ waited: false, took: 10 }, 0);
  expect(pace.next({ waited: true, took: 12 }, 100)).toBe(12);
  expect(pace.rows).toBe(10);
  expect(pace.next({ waited: false, took: 900 }, 1100)).toBe(250);
  expect(pace.rows).toBe(10);
  // A second without anybody.
  expect(pace.next({ waited: false, took: 10 }, 1101)).toBe(0);
  expect(pace.rows).toBe(20);
});
