import { expect, test } from 'vitest';
import { todosOf } from './todos.ts';

const registrations = { pending_approval: 3, pending_payment: 2, waitlisted: 5 } as never;
const given = { event: { status: 'published' as const }, points: [{}], summary: { registrations }, left: 2 };
const may =
  (...granted: string[]) =>
  (permission: string) =>
    granted.includes(permission);
const everything = may('people.write', 'money.record', 'events.write');

test('each member is told what they may do', () => {
  expect(todosOf({ ...given, may: everything })).toEqual([
    { id: 'approve', count: 3 },
    { id: 'unpaid', count: 2 },
    { id: 'waitlist', count: 2 },
  ]);
  expect(todosOf({ ...given, may: may('money.record') })).toEqual([{ id: 'unpaid', count: 2 }]);
  expect(todosOf({ ...given, may: may() })).toBeNull();
});

test('those who wait are of no concern while there is no place for them', () => {
  const ids = (left: number | null | undefined) => todosOf({ ...given, left, may: everything })!.map(({ id }) => id);
  expect(ids(0)).not.toContain('waitlist');
  expect(ids(undefined)).not.toContain('waitlist');
  expect(todosOf({ ...given, left: null, may: everything })!.at(-1)).toEqual({ id: 'waitlist', count: 5 });
});

test('an event that is published without a check-in point needs one; in the archive there is nothing to do', () => {
  expect(todosOf({ ...given, points: [], may: everything })!.at(-1)).toEqual({ id: 'points', count: 1 });
  expect(todosOf({ ...given, event: { status: 'archived' }, points: [], may: everything })).toEqual([]);
});
