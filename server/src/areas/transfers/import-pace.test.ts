import { expect, test } from 'vitest';
import { GONE_AFTER_MS, Pace } from './import-pace.ts';

test('while nobody else uses the event, steps double up to 200 rows, without pauses', () => {
  const pace = new Pace(false);
  const sizes = [pace.rows];
  for (let n = 1; n <= 7; n += 1) {
    expect(pace.next({ others: false, took: 10 }, n)).toBe(0);
    sizes.push(pace.rows);
  }
  expect(sizes).toEqual([5, 10, 20, 40, 80, 160, 200, 200]);
});

test('while others use the event, steps are small and the clock is left alone for twice as long as it was held', () => {
  const pace = new Pace(false);
  pace.next({ others: false, took: 10 }, 0);
  expect(pace.next({ others: true, took: 12 }, 100)).toBe(24);
  expect(pace.rows).toBe(5);
  expect(pace.next({ others: false, took: 900 }, 100 + GONE_AFTER_MS)).toBe(250);
  expect(pace.rows).toBe(5);
  // Nobody else for a while.
  expect(pace.next({ others: false, took: 10 }, 101 + GONE_AFTER_MS)).toBe(0);
  expect(pace.rows).toBe(10);
});

test('a step that took too long is followed by smaller ones, down to a single row', () => {
  const pace = new Pace(false);
  for (let n = 0; n < 3; n += 1) pace.next({ others: false, took: 10 }, n);
  expect(pace.rows).toBe(40);
  const sizes = [1, 2, 3].map(() => {
    pace.next({ others: false, took: 1500 }, 10);
    return pace.rows;
  });
  expect(sizes).toEqual([10, 2, 1]);
  pace.next({ others: false, took: 10 }, 11);
  expect(pace.rows).toBe(2);
});

test('it begins with small steps if the event was just changed, because a large first step would hold others up', () => {
  const pace = new Pace(true, 0);
  expect(pace.next({ others: false, took: 10 }, GONE_AFTER_MS)).toBe(20);
  expect(pace.rows).toBe(5);
  expect(pace.next({ others: false, took: 10 }, GONE_AFTER_MS + 1)).toBe(0);
  expect(pace.rows).toBe(10);
});
