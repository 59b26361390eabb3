import { expect, test } from 'vitest';
import { Budget } from './budget.ts';

/** Begins as many traces of three spans as the budget allows, and answers how many. */
function begin(budget: Budget, askedFromOutside: boolean): number {
  for (let traces = 0; ; traces += 1) {
    if (!budget.mayBegin(askedFromOutside)) return traces;
    for (let span = 0; span < 3; span += 1) budget.take();
  }
}

test('callers leave half of what may come at once, and over time nobody gets more than the rate', () => {
  let now = 0;
  const budget = new Budget(30, () => now);
  // Ten seconds of it are 300 spans.
  expect(begin(budget, true)).toBe(50);
  expect([begin(budget, true), begin(budget, false)]).toEqual([0, 50]);
  expect(begin(budget, false)).toBe(0);
  let traces = 0;
  for (let second = 0; second < 1000; second += 1) {
    now += 1000;
    // Those who ask for everything come first, and others get all there is.
    expect(begin(budget, true)).toBe(0);
    traces += begin(budget, false);
  }
  expect(traces).toBe(10_000);
});

test('a trace that was begun is recorded to its end, and what it took is owed', () => {
  let now = 0;
  const budget = new Budget(10, () => now);
  expect(budget.mayBegin(false)).toBe(true);
  for (let span = 0; span < 500; span += 1) budget.take();
  now += 39_000;
  expect(budget.mayBegin(false)).toBe(false);
  now += 2_000;
  expect(budget.mayBegin(false)).toBe(true);
});
