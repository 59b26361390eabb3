import type { Day } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import { type DayValues, dayChange, dayValues, emptyDays, isUsual, MAX_DAYS, planOf } from './day-values.ts';

const ZONE = 'Europe/Berlin';
const day = (of: Partial<Day>): Day => ({
  ...{ id: 'D1', code: 'd1', name: 'Saturday', date: '2027-06-12', capacity: null, locked_at: null },
  // Midnight to midnight in Berlin.
  ...{ opens_at: '2027-06-11T22:00:00.000Z', closes_at: '2027-06-12T22:00:00.000Z' },
  ...{ created_at: '', updated_at: '' },
  ...of,
});
const change = (before: Day, now: Partial<DayValues>) => {
  const values = dayValues(before, ZONE);
  return dayChange(values, { ...values, ...now }, ZONE, isUsual(before, ZONE));
};

describe('the times of a day', () => {
  test('midnight to midnight is written as nothing', () => {
    expect(dayValues(day({}), ZONE)).toMatchObject({ opens: '', closes: '' });
    expect(isUsual(day({}), ZONE)).toBe(true);
  });

  test('are those of the event’s zone; closing before opening is in the night after', () => {
    const night = day({ opens_at: '2027-06-12T18:00:00Z', closes_at: '2027-06-13T01:30:00Z' });
    expect(dayValues(night, ZONE)).toMatchObject({ opens: '20:00', closes: '03:30' });
    expect(isUsual(night, ZONE)).toBe(true);
    expect(change(night, { closes: '04:00' })).toEqual({ closes_at: '2027-06-13T02:00:00.000Z' });
  });

  test('a day that is open for longer than 24 hours, or opens on another date, keeps its dates', () => {
    const long = day({ opens_at: '2027-06-12T06:00:00Z', closes_at: '2027-06-13T08:00:00Z' });
    const early = day({ opens_at: '2027-06-11T20:00:00Z' });
    for (const one of [long, early]) expect(isUsual(one, ZONE)).toBe(false);
    expect(change(long, { closes_at: '2027-06-13T09:00:00.000Z' })).toEqual({ closes_at: '2027-06-13T09:00:00.000Z' });
    expect(change(long, { name: 'Long' })).toEqual({ name: 'Long' });
  });
});

describe('a change of a day', () => {
  test('sends only what was changed', () => {
    expect(change(day({}), {})).toBeNull();
    expect(change(day({ capacity: 5 }), { capacity: null })).toEqual({ capacity: null });
    expect(change(day({}), { opens: '09:00' })).toEqual({ opens_at: '2027-06-12T07:00:00.000Z', closes_at: null });
  });

  test('a day without a name is called by its date, also when that changes', () => {
    const plain = day({ name: '2027-06-12' });
    expect(dayValues(plain, ZONE).name).toBe('');
    expect(change(plain, { date: '2027-06-13' })).toMatchObject({ name: '2027-06-13' });
    expect(change(day({}), { name: ' ' })).toEqual({ name: '2027-06-12' });
  });

  test('moves times that were set with the date, also over a change of the clocks', () => {
    const open = day({ opens_at: '2027-06-12T07:00:00Z', closes_at: '2027-06-12T16:00:00Z' });
    expect(change(open, { date: '2027-12-12' })).toEqual({
      date: '2027-12-12',
      opens_at: '2027-12-12T08:00:00.000Z',
      closes_at: '2027-12-12T17:00:00.000Z',
    });
  });
});

describe('many days at once', () => {
  const plan = (of: Partial<ReturnType<typeof emptyDays>>, days: Day[] = []) =>
    planOf({ ...emptyDays('2027-06-10'), ...of }, days, ZONE);

  test('from one date to another, numbered, with the same times', () => {
    const { days } = plan({ to: '2027-06-12', name: ' Day ', opens: '09:00', closes: '18:00', capacity: 80 });
    expect(days.map(({ date, name }) => [date, name])).toEqual([
      ['2027-06-10', 'Day 1'],
      ['2027-06-11', 'Day 2'],
      ['2027-06-12', 'Day 3'],
    ]);
    expect(days[0]).toMatchObject({ opens_at: '2027-06-10T07:00:00.000Z', closes_at: '2027-06-10T16:00:00.000Z' });
    expect(days.every(({ capacity }) => capacity === 80)).toBe(true);
  });

  test('dates that have a day already are left out, and numbers go on after those that are taken', () => {
    const { days, known } = plan({ to: '2027-06-13', name: 'Day' }, [day({ name: 'Day 1' })]);
    expect(known).toEqual(['2027-06-12']);
    expect(days.map(({ name }) => name)).toEqual(['Day 2', 'Day 3', 'Day 4']);
  });

  test('one date may have a second day, called as it was typed', () => {
    const { days, known } = plan({ from: '2027-06-12', name: 'Evening' }, [day({})]);
    expect(known).toEqual([]);
    expect(days).toMatchObject([{ date: '2027-06-12', name: 'Evening' }]);
  });

  test('only on some weekdays, across the year and the change of the clocks', () => {
    const { days } = plan({ from: '2026-12-28', to: '2027-01-10', weekdays: ['6', '7'] });
    expect(days.map(({ date }) => date)).toEqual(['2027-01-02', '2027-01-03', '2027-01-09', '2027-01-10']);
  });

  test('a range that ends before it begins has none, an endless one is bounded', () => {
    expect(plan({ to: '2027-06-01' }).days).toEqual([]);
    expect(plan({ from: '' }).days).toEqual([]);
    expect(plan({ to: '9999-12-31' }).days).toHaveLength(MAX_DAYS + 1);
  });
});
