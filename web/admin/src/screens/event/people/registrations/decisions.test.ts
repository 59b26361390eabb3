import { describe, expect, test } from 'vitest';
import { decisionsIn, wantedBy } from './decisions.ts';

test.each([
  [undefined, ['approve', 'promote', 'decline', 'cancel']],
  ['pending_approval', ['approve', 'decline', 'cancel']],
  ['waitlisted', ['promote', 'decline', 'cancel']],
  ['pending_payment', ['cancel']],
  ['confirmed', ['cancel']],
  ['declined', []],
  ['cancelled', []],
  ['expired', []],
] as const)('below the tab %s there is offered: %j', (status, decisions) => {
  expect(decisionsIn(status)).toEqual(decisions);
});

describe('a key on a row', () => {
  test.each([
    ['x', 'confirmed', 'select'],
    ['X', 'confirmed', 'select'],
    ['a', 'pending_approval', 'approve'],
    ['A', 'pending_approval', 'approve'],
    ['d', 'waitlisted', 'decline'],
    ['p', 'waitlisted', 'promote'],
    ['c', 'confirmed', 'cancel'],
    ['a', 'confirmed', null],
    ['c', 'cancelled', null],
    ['constructor', 'confirmed', null],
    ['ArrowDown', 'pending_approval', null],
  ] as const)('%s, while it is %s: %s', (key, status, wanted) => {
    expect(wantedBy(key, status, false)).toBe(wanted);
  });

  test('decides about what is selected, whatever state the row is in', () => {
    expect(wantedBy('a', 'confirmed', false)).toBe(null);
    expect(wantedBy('a', 'confirmed', true)).toBe('approve');
  });
});
