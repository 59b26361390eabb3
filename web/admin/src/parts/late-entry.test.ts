import { expect, test } from 'vitest';
import { lateEntry } from './late-entry.ts';

const NOW = new Date('2031-05-10T22:00:00Z');
const days = [
  { code: 'fri', closes_at: '2031-05-09T22:00:00Z' },
  { code: 'sat', closes_at: '2031-05-10T22:00:00Z' },
  { code: 'sun', closes_at: '2031-05-11T22:00:00Z' },
];
const types = [
  { code: 'adult', days: null, pass_days: null },
  { code: 'opening', days: ['fri'], pass_days: null },
  { code: 'one', days: null, pass_days: 1 },
  { code: 'two', days: null, pass_days: 2 },
];
const late = (attendee_type: string, chosen: string[] = []) =>
  lateEntry(
    [
      { attendee_type: 'adult', days: ['sun'] },
      { attendee_type, days: chosen },
    ],
    { days, types },
    NOW,
  );

test('past_days is sent only where a day that is over was chosen, or where too few others are left', () => {
  expect(late('adult', ['sun'])).toEqual({});
  expect(late('adult', ['sat', 'sun'])).toEqual({ past_days: true });
  expect(late('adult')).toEqual({});
  expect(late('opening')).toEqual({ past_days: true });
  expect(late('one')).toEqual({});
  expect(late('two')).toEqual({ past_days: true });
  expect(lateEntry([{ attendee_type: 'adult', days: [] }], { days: [], types }, NOW)).toEqual({});
});
