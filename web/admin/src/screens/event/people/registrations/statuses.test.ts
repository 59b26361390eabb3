import type { EventSummary } from '@turnout/client';
import { expect, test } from 'vitest';
import { registrationsQuery } from './query.ts';
import { shownStatuses, totalOf } from './statuses.ts';

const registrations = {
  ...{ pending_approval: 0, waitlisted: 2, pending_payment: 0, confirmed: 5, declined: 0, cancelled: 1, expired: 0 },
} as EventSummary['registrations'];
const OPEN = ['pending_approval', 'waitlisted', 'pending_payment', 'confirmed'];

test('what is open has a tab, also while there is none of it; what has ended only if there is some', () => {
  expect(shownStatuses(registrations, undefined)).toEqual([...OPEN, 'cancelled']);
  expect(shownStatuses(undefined, undefined)).toEqual(OPEN);
});

test('a tab that is looked at stays when the last of it is gone', () => {
  expect(shownStatuses(registrations, 'declined')).toEqual([...OPEN, 'declined', 'cancelled']);
});

test('how many there are is known for all and for a state, not for other filters', () => {
  expect(totalOf({}, { registrations })).toBe(8);
  expect(totalOf({ status: 'confirmed', order: 'name' }, { registrations })).toBe(5);
  for (const filter of [{ search: 'ada' }, { source: 'form' }, { group: 'north' }, { balance: 'due' }])
    expect(totalOf({ status: 'confirmed', ...filter }, { registrations })).toBe(undefined);
  expect(totalOf({}, undefined)).toBe(undefined);
});

test('the newest come first; what is searched for, by how well it fits; and what was chosen is kept', () => {
  expect(registrationsQuery({ status: 'waitlisted', source: 'form', group: 'north', balance: 'due' })).toMatchObject({
    ...{ status: 'waitlisted', source: 'form', group: 'north', balance: 'due', order: 'newest' },
  });
  expect(registrationsQuery({ search: 'ada' })).toEqual({ search: 'ada', limit: 100 });
  expect(registrationsQuery({ search: 'ada', order: 'name' })).toMatchObject({ order: 'name' });
});
