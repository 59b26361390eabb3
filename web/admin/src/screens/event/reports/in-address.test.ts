import { describe, expect, test } from 'vitest';
import { offeredReports, rangeOf, searchOf } from './in-address.ts';

describe('the time of a report', () => {
  test('goes by the clocks of the event, and its last date still counts', () => {
    const { dates } = rangeOf({ from: '2027-06-12', to: '2027-06-13' }, 'Europe/Berlin');
    expect(dates.from && Date.parse(dates.from)).toBe(Date.parse('2027-06-11T22:00:00Z'));
    expect(dates.to && Date.parse(dates.to)).toBe(Date.parse('2027-06-13T22:00:00Z'));
  });
  test('a date when the clocks are changed is as long as it is', () => {
    const { dates } = rangeOf({ from: '2027-03-28', to: '2027-03-28' }, 'Europe/Berlin');
    expect(Date.parse(dates.to!) - Date.parse(dates.from!)).toBe(23 * 3_600_000);
  });
  test('is open where the address names no date, or what is none', () => {
    expect(rangeOf({}, 'UTC').dates).toEqual({});
    expect(rangeOf({ from: 'yesterday', to: '2027-02-31x' }, 'UTC').dates).toEqual({});
  });
  test('an interval that is none is a day', () => {
    expect([rangeOf({ by: 'hour' }, 'UTC').by, rangeOf({ by: 'minute' }, 'UTC').by]).toEqual(['hour', 'day']);
  });
});

test('another report is of the same time, and without the file that was made of the last one', () => {
  const address = { from: '2027-06-12', to: '2027-06-13', by: 'week', job: 'abc' };
  const { job: _, ...time } = address;
  expect(searchOf(address, 'money', 'refusals')).toEqual({ ...time, report: 'money' });
  expect(searchOf(address, 'refusals', 'refusals')).toEqual({ ...address, report: 'refusals' });
  expect(searchOf({}, 'registrations', 'money')).toEqual({});
});

test('money is offered only to those who may read people, and sales only where something is sold', () => {
  expect(offeredReports(() => true, true)).toEqual(['registrations', 'attendance', 'refusals', 'money', 'sales']);
  expect(offeredReports(() => true, false)).toEqual(['registrations', 'attendance', 'refusals', 'money']);
  expect(offeredReports(() => false, true)).toEqual(['registrations', 'attendance', 'refusals']);
});
