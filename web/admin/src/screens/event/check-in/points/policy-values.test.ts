import type { CheckInPoint } from '@turnout/client';
import { expect, test } from 'vitest';
import { policyChange, policyOf, policyValues } from './policy-values.ts';

const point: CheckInPoint = {
  ...{ id: '01', code: 'gate', name: 'Gate', kind: 'entry', created_at: '', updated_at: '' },
  policy: {
    ...{
      attendee_types: ['adult'],
      groups: null,
      days: null,
      products: null,
      opens_minutes_before: 30,
      closes_minutes_after: 0,
    },
    ...{ limit: 'once_per_day', cooldown_seconds: 0, requires: null, capacity: null, leaves: null },
  },
};

test('a policy comes out of the form as it went in', () => {
  expect(policyOf('entry', policyValues(point))).toEqual(point.policy);
  expect(policyChange(point, policyValues(point))).toEqual({});
});

test('only what was changed is sent, and nothing chosen means all', () => {
  const values = { ...policyValues(point), attendee_types: [], opens_minutes_before: '45' };
  expect(policyChange(point, values)).toEqual({ policy: { attendee_types: null, opens_minutes_before: 45 } });
  expect(policyChange(point, { ...policyValues(point), name: 'West' })).toEqual({ name: 'West' });
});

test('what a kind of point cannot have is never sent', () => {
  const values = { ...policyValues(point), capacity: '12', leaves: 'stage' };
  expect(policyOf('entry', values)).toMatchObject({ capacity: null, leaves: null });
  expect(policyOf('zone', values)).toMatchObject({ capacity: 12, leaves: null });
  expect(policyOf('exit', values)).toMatchObject({ capacity: null, leaves: 'stage' });
});

test('a number that is half typed counts as none', () => {
  expect(policyOf('entry', { ...policyValues(point), opens_minutes_before: '' }).opens_minutes_before).toBe(0);
  expect(policyOf('entry', { ...policyValues(point), opens_minutes_before: '-' }).opens_minutes_before).toBe(0);
});
