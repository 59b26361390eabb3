import type { AttendeeType, CheckIn, CheckInPoint, Day } from '@turnout/client';
import { expect, test } from 'vitest';
import { repeatedAdmission } from './repeated-admission.ts';

const day = (code: string, date: string) =>
  ({ code, name: code, date, opens_at: `${date}T08:00:00Z`, closes_at: `${date}T18:00:00Z`, locked_at: null }) as Day;
const policy = {
  ...{ attendee_types: null, groups: ['staff'], days: null, opens_minutes_before: 0, closes_minutes_after: 0 },
  ...{ cooldown_seconds: 0, requires: null, capacity: null, leaves: null },
};
const point = (code: string, kind: CheckInPoint['kind'], limit: CheckInPoint['policy']['limit']) =>
  ({ code, name: code, kind, policy: { ...policy, limit } }) as CheckInPoint;
const event = {
  timezone: 'UTC',
  days: [day('sat', '2031-05-03'), day('sun', '2031-05-04')],
  types: [{ code: 'adult', name: 'Adult', days: null, pass_days: null }] as AttendeeType[],
  points: [
    point('gate', 'entry', 'once_per_day'),
    point('hall', 'zone', 'unlimited'),
    point('out', 'exit', 'unlimited'),
  ],
};
const ada = { id: 'ada', attendee_type: 'adult', days: ['sat', 'sun'], status: 'confirmed' as const, test: false };
const came = (check_in_point: string, scanned_at: string, on = 'sat') =>
  ({ check_in_point, scanned_at, day: on }) as CheckIn;
const at = (now: string, where: string, ...checkIns: CheckIn[]) =>
  repeatedAdmission(event, ada, { point: where, checkIns, now });

test('who came in today at any entry would only be a duplicate there', () => {
  const repeated = { at: '2031-05-03T09:00:00.000Z', point: 'gate' };
  expect(at('2031-05-03T10:00:00Z', 'gate', came('gate', '2031-05-03T09:00:00Z'))).toEqual(repeated);
});

test('who came yesterday is not in today', () =>
  expect(at('2031-05-04T10:00:00Z', 'gate', came('gate', '2031-05-03T09:00:00Z'))).toBeNull());

test('a hall that admits any number of times, and a gate at which nobody was yet, are for the door to decide', () => {
  expect(at('2031-05-03T10:00:00Z', 'hall', came('hall', '2031-05-03T09:00:00Z'))).toBeNull();
  expect(at('2031-05-03T10:00:00Z', 'gate', came('hall', '2031-05-03T09:00:00Z'))).toBeNull();
});

test('any other refusal is for the door to say', () =>
  expect(at('2031-05-03T20:00:00Z', 'gate', came('gate', '2031-05-03T09:00:00Z'))).toBeNull());
