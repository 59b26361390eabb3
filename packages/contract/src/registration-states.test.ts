import { expect, test } from 'vitest';
import { ENDED_STATUSES, HOLDING_PLACES, hasEnded, OPEN_STATUSES, possibleIn } from './registration-states.ts';
import { REGISTRATION_STATUSES } from './resources/people.ts';

test('every status is either open or ended, and only in an open one something can be done', () => {
  expect([...OPEN_STATUSES, ...ENDED_STATUSES].sort()).toEqual([...REGISTRATION_STATUSES].sort());
  for (const status of REGISTRATION_STATUSES)
    expect([status, possibleIn(status).length > 0]).toEqual([status, !hasEnded(status)]);
});

test('only open registrations hold places', () => {
  expect(HOLDING_PLACES.filter((status) => !OPEN_STATUSES.includes(status))).toEqual([]);
});

test.each([
  ['pending_approval', ['approve', 'decline', 'cancel', 'pay', 'add', 'change']],
  ['waitlisted', ['decline', 'cancel', 'promote', 'change']],
  ['pending_payment', ['cancel', 'pay', 'add', 'change']],
  ['confirmed', ['cancel', 'pay', 'add', 'change']],
  ['declined', []],
  ['cancelled', []],
  ['expired', []],
] as const)('of a registration that is %s there is possible: %j', (status, possible) => {
  expect(possibleIn(status)).toEqual(possible);
});
