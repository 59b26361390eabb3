import { expect, test } from 'vitest';
import { ALL_MARKED, anyMarked, chosenOf, countOf, isMarked, NO_MARKS, withMarks } from './marks.ts';

test('single rows are selected and taken out again', () => {
  const two = withMarks(NO_MARKS, ['a', 'b'], true);
  expect(chosenOf(two)).toEqual({ all: false, ids: ['a', 'b'] });
  expect([isMarked(two, 'a'), isMarked(two, 'c'), countOf(two), anyMarked(two)]).toEqual([true, false, 2, true]);
  const none = withMarks(two, ['b', 'a', 'c'], false);
  expect([countOf(none), anyMarked(none)]).toEqual([0, false]);
});

test('with everything selected, those that are taken out are named, also of pages that are not loaded', () => {
  const most = withMarks(ALL_MARKED, ['a', 'b'], false);
  expect(chosenOf(most)).toEqual({ all: true, except: ['a', 'b'] });
  expect([isMarked(most, 'a'), isMarked(most, 'never loaded'), countOf(most, 10)]).toEqual([false, true, 8]);
  expect(chosenOf(withMarks(most, ['a'], true))).toEqual({ all: true, except: ['b'] });
});

test('nobody counted how many everything is', () => {
  expect(countOf(ALL_MARKED)).toBe(null);
  expect(anyMarked(ALL_MARKED)).toBe(true);
  // The rows that were taken out may have been deleted since they were counted.
  expect(countOf(withMarks(ALL_MARKED, ['a', 'b'], false), 1)).toBe(0);
});

test('marking changes nothing in what was there before, which may still be shown', () => {
  withMarks(NO_MARKS, ['a'], true);
  expect(anyMarked(NO_MARKS)).toBe(false);
});
