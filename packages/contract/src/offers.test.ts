import { expect, test } from 'vitest';
import { isOfferedTo } from './offers.ts';

const adult = { attendee_type: 'adult', days: ['fri', 'sat'] };

test.each([
  [null, null, true],
  [['adult', 'crew'], null, true],
  [['crew'], null, false],
  [null, ['sat', 'sun'], true],
  [null, ['sun'], false],
  [['adult'], ['sun'], false],
  [['crew'], ['sat'], false],
  [['adult'], ['sat'], true],
])('for types %j on days %j: %j', (attendee_types, days, offered) => {
  expect(isOfferedTo({ attendee_types, days }, adult)).toBe(offered);
});

test('somebody without days gets nothing that is for certain days', () => {
  expect(isOfferedTo({ attendee_types: null, days: ['fri'] }, { ...adult, days: [] })).toBe(false);
  expect(isOfferedTo({ attendee_types: null, days: null }, { ...adult, days: [] })).toBe(true);
});
