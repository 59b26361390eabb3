import { describe, expect, test } from 'vitest';
import { differs, instantOf, localOf, spanOf } from './zoned.ts';

describe('an instant by the clocks of a zone', () => {
  test.each([
    ['2026-11-16T13:30:00Z', 'America/Lima', '2026-11-16T08:30'],
    ['2026-11-16T13:30:00Z', 'Europe/Berlin', '2026-11-16T14:30'],
    ['2026-07-16T13:30:00Z', 'Europe/Berlin', '2026-07-16T15:30'],
    ['2026-11-16T20:00:00Z', 'Asia/Kathmandu', '2026-11-17T01:45'],
    ['2026-12-31T23:59:00Z', 'Pacific/Kiritimati', '2027-01-01T13:59'],
    ['2026-11-16T00:00:00Z', 'UTC', '2026-11-16T00:00'],
  ])('%s in %s is %s, and back', (instant, zone, local) => {
    expect(localOf(instant, zone)).toBe(local);
    expect(instantOf(local, zone)).toBe(new Date(instant).toISOString());
  });

  test('what is no instant or no time is none', () => {
    expect([localOf(null, 'UTC'), localOf('', 'UTC'), localOf('soon', 'UTC')]).toEqual(['', '', '']);
    expect([instantOf('', 'UTC'), instantOf('2026-11-16', 'UTC'), instantOf('2026-13-45T10:00', 'UTC')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('when clocks are changed', () => {
  test('a time that is shown twice is the first of the two', () => {
    expect(instantOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(instantOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
  });
  test('a time that is not shown is as if the clock had not been turned', () => {
    expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(localOf('2026-03-29T01:30:00Z', 'Europe/Berlin')).toBe('2026-03-29T03:30');
  });
  test('the hours around it are right', () => {
    expect(instantOf('2026-10-25T01:59', 'Europe/Berlin')).toBe('2026-10-24T23:59:00.000Z');
    expect(instantOf('2026-10-25T03:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00.000Z');
    // Half an hour, on an island of its own.
    expect(instantOf('2026-04-05T01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z');
  });
});

test('two zones differ only while their clocks do', () => {
  expect(differs('2026-11-16T12:00:00Z', 'Europe/Berlin', 'Europe/Paris')).toBe(false);
  expect(differs('2026-11-16T12:00:00Z', 'Europe/London', 'UTC')).toBe(false);
  expect(differs('2026-07-16T12:00:00Z', 'Europe/London', 'UTC')).toBe(true);
});

test('dates in an address are whole days of the zone, other texts stay as they are', () => {
  const berlin = 'Europe/Berlin';
  expect(spanOf({ from: '2027-03-28', to: '2027-03-28' }, berlin)).toEqual({
    ...{ from: '2027-03-27T23:00:00.000Z', to: '2027-03-28T22:00:00.000Z' },
  });
  expect(spanOf({ from: '2027-03-28T10:00:00Z', to: 'soon' }, berlin)).toEqual({
    ...{ from: '2027-03-28T10:00:00Z', to: 'soon' },
  });
  expect(spanOf({ from: '2027-13-40' }, berlin)).toEqual({ from: '2027-13-40' });
  // The day after the last one that can be written has five digits, which is no date here.
  expect(spanOf({ to: '9999-12-31' }, berlin)).toEqual({ to: '9999-12-31' });
  expect(spanOf({}, berlin)).toEqual({});
});
