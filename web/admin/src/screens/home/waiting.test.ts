import { expect, test } from 'vitest';
import { waitingTasks } from './waiting.ts';

const event = { when: 'next' as const, to_approve: 3, unpaid: 2, waiting: 1 };

test('only what the member can do something about', () => {
  expect(waitingTasks(event, () => true)).toEqual([
    ['toApprove', 3],
    ['unpaid', 2],
    ['waitlist', 1],
  ]);
  expect(waitingTasks(event, (permission) => permission === 'money.record')).toEqual([['unpaid', 2]]);
  expect(waitingTasks({ ...event, unpaid: 0 }, (permission) => permission === 'money.record')).toEqual([]);
});

test('when it is over, only what is unpaid', () => {
  expect(waitingTasks({ ...event, when: 'past' }, () => true)).toEqual([['unpaid', 2]]);
});
