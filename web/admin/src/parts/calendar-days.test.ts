import { describe, expect, test } from 'vitest';
import { addMonths, daysOfPeriod, firstDayOf, movedBy, PERIODS, weeksOf } from './calendar-days.ts';

test('a month is shown in whole weeks, which begin as the reader is used to', () => {
  expect(weeksOf('2027-09', 1).map(([first]) => first)).toEqual([
    '2027-08-30',
    '2027-09-06',
    '2027-09-13',
    '2027-09-20',
    '2027-09-27',
  ]);
  expect(weeksOf('2027-02-14', 1)).toHaveLength(4);
  expect(weeksOf('2027-05', 7)[0]).toEqual([
    '2027-04-25',
    '2027-04-26',
    '2027-04-27',
    '2027-04-28',
    '2027-04-29',
    '2027-04-30',
    '2027-05-01',
  ]);
  expect([firstDayOf('de'), firstDayOf('fr-FR'), firstDayOf('en-GB')]).toEqual([1, 1, 1]);
  expect(firstDayOf('en-US')).toBe(7);
});

test('another month has the same day, or its last one', () => {
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
  expect(addMonths('2028-02-29', -12)).toBe('2027-02-28');
  expect(addMonths('2027-12-05', 1)).toBe('2028-01-05');
});

test('keys move by day, week, month and year', () => {
  const from = (key: string, shift = false) => movedBy(key, shift, '2027-09-18', 1);
  expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => from(key))).toEqual([
    '2027-09-17',
    '2027-09-19',
    '2027-09-11',
    '2027-09-25',
  ]);
  expect([from('Home'), from('End')]).toEqual(['2027-09-13', '2027-09-19']);
  expect([from('PageUp'), from('PageDown', true), from('Enter')]).toEqual(['2027-08-18', '2028-09-18', null]);
});

describe('a period', () => {
  test('of seven days has today and the six before', () => {
    expect(daysOfPeriod('last7', '2027-03-03')).toEqual({ from: '2027-02-25', to: '2027-03-03' });
  });
  test('is never longer than to today', () => {
    for (const period of PERIODS) {
      const { from, to } = daysOfPeriod(period, '2028-01-15');
      expect(from <= to && to <= '2028-01-15', period).toBe(true);
    }
    expect(daysOfPeriod('lastMonth', '2028-01-15')).toEqual({ from: '2027-12-01', to: '2027-12-31' });
    expect(daysOfPeriod('thisMonth', '2028-01-15').from).toBe('2028-01-01');
  });
});
