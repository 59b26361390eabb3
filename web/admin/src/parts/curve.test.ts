import { expect, test } from 'vitest';
import { addedUp, sparkline } from './curve.ts';

test('the highest value is at the top, nothing at the bottom, and the line goes from one edge to the other', () => {
  expect(sparkline([0, 2, 4], 100, 20)).toEqual({ line: 'M0 20L50 10L100 0', area: 'M0 20L50 10L100 0V20H0Z' });
});

test('without anything to show, the line lies at the bottom', () => {
  expect(sparkline([0, 0], 100, 20).line).toBe('M0 20L100 20');
  expect(sparkline([], 100, 20)).toEqual({ line: '', area: '' });
});

test('values are added up day by day', () => {
  expect(addedUp([1, 0, 2])).toEqual([1, 1, 3]);
});
