import type { EventSummary } from '@turnout/client';
import { expect, test } from 'vitest';
import { totalOf } from './total.ts';

const people = (confirmed: number, cancelled: number) =>
  ({
    ...{ pending_approval: 0, waitlisted: 0, pending_payment: 1, confirmed, declined: 0, cancelled, expired: 0 },
  }) as EventSummary['people'];
const summary = {
  people: people(10, 4),
  attendee_types: [{ attendee_type: 'crew', people: people(3, 0) }],
  days: [{ day: 'sat', people: people(5, 2) }],
} as unknown as EventSummary;

test.each([
  ['everybody', {}, 15],
  ['by status', { status: 'confirmed' }, 10],
  ['by type', { attendee_type: 'crew' }, 4],
  ['by type and status', { attendee_type: 'crew', status: 'confirmed' }, 3],
  ['by day', { day: 'sat' }, 8],
  ['by day and status', { day: 'sat', status: 'cancelled' }, 2],
  ['by what is no filter', { order: 'newest', job: 'abc' }, 15],
])('how many there are is known: %s', (_name, values, total) => {
  expect(totalOf(values, summary)).toBe(total);
});

test.each([
  ['of a type on a day', { attendee_type: 'crew', day: 'sat' }],
  ['who are searched for', { search: 'ada' }],
  ['of a group', { group: 'north', status: 'confirmed' }],
  ['who gave an answer', { 'answer.diet': 'Vegan' }],
  ['who came', { checked_in: 'true' }],
  ['of a type that was deleted', { attendee_type: 'gone' }],
])('nobody counted those %s', (_name, values) => {
  expect(totalOf(values, summary)).toBe(undefined);
});

test('before the summary is there, nothing is known', () => {
  expect(totalOf({}, undefined)).toBe(undefined);
});
