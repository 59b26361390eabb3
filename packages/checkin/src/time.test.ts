import { describe, expect, it } from 'vitest';
import { instant, isDate, isTimezone, localDate, nextDate } from './time.ts';
import { startOfDate } from './wall-clock.ts';

const start = (timezone: string, date: string) => new Date(startOfDate(timezone, date)).toISOString();

describe('the first instant of a local date', () => {
  it.each([
    ['UTC', '2027-06-12', '2027-06-12T00:00:00.000Z'],
    ['Europe/Berlin', '2027-01-01', '2026-12-31T23:00:00.000Z'],
    ['Europe/Berlin', '2027-03-28', '2027-03-27T23:00:00.000Z'],
    ['Europe/Berlin', '2027-03-29', '2027-03-28T22:00:00.000Z'],
    ['Europe/Berlin', '2027-10-31', '2027-10-30T22:00:00.000Z'],
    ['Europe/Berlin', '2027-11-01', '2027-10-31T23:00:00.000Z'],
    ['America/New_York', '2027-03-14', '2027-03-14T05:00:00.000Z'],
    ['America/New_York', '2027-03-15', '2027-03-15T04:00:00.000Z'],
    ['Pacific/Kiritimati', '2027-06-12', '2027-06-11T10:00:00.000Z'],
    ['Etc/GMT+12', '2027-06-12', '2027-06-12T12:00:00.000Z'],
    ['Asia/Kathmandu', '2027-06-12', '2027-06-11T18:15:00.000Z'],
    // That date has no 00:00: Cairo goes from 23:59 to 01:00.
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
    // That date has 00:00 twice: Havana goes from 00:59 back to 00:00.
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
    // Years that `Intl` writes with fewer than four digits, and the last one with four.
    ['UTC', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['UTC', '0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['Etc/GMT-14', '0001-01-01', '0000-12-31T10:00:00.000Z'],
    ['America/New_York', '9999-07-01', '9999-07-01T04:00:00.000Z'],
    ['America/New_York', '9999-12-31', '9999-12-31T05:00:00.000Z'],
    ['UTC', '+010000-01-01', '+010000-01-01T00:00:00.000Z'],
  ])('%s %s is %s', (timezone, date, expected) => expect(start(timezone, date)).toBe(expected));
});

it('a local date is the one that a clock shows there', () => {
  expect(localDate('Europe/Berlin', instant('2027-06-12T21:59:59.999Z'))).toBe('2027-06-12');
  expect(localDate('Europe/Berlin', instant('2027-06-12T22:00:00Z'))).toBe('2027-06-13');
  expect(localDate('America/Los_Angeles', instant('2027-01-01T07:59:00Z'))).toBe('2026-12-31');
});

it.each([
  ['UTC', Date.parse('0001-01-01T00:00:00Z'), '0001-01-01'],
  ['Etc/GMT+12', Date.parse('0001-01-01T00:00:00Z'), '0000-12-31'],
  ['UTC', Date.parse('0044-03-15T12:00:00Z'), '0044-03-15'],
  ['UTC', Date.parse('0999-12-31T23:59:59Z'), '0999-12-31'],
  ['UTC', Date.parse('-000043-03-15T12:00:00Z'), '-000043-03-15'],
  ['Europe/Berlin', Date.parse('9999-12-31T22:59:59Z'), '9999-12-31'],
  ['Europe/Berlin', Date.parse('9999-12-31T23:00:00Z'), '+010000-01-01'],
  ['Pacific/Kiritimati', 8.64e15, '+275760-09-11'],
  ['Pacific/Pago_Pago', -8.64e15, '-271821-04-22'],
  ['UTC', 1e300, '+275760-09-11'],
])('in %s the instant %d is on %s', (timezone, at, date) => expect(localDate(timezone, at)).toBe(date));

it('the next date goes over months, leap days and years', () => {
  expect(['2027-06-30', '2028-02-28', '2027-12-31'].map(nextDate)).toEqual(['2027-07-01', '2028-02-29', '2028-01-01']);
  expect(['0000-12-31', '0099-12-31', '9999-12-31'].map(nextDate)).toEqual([
    '0001-01-01',
    '0100-01-01',
    '+010000-01-01',
  ]);
});

it('an instant has an offset, and a date that exists', () => {
  expect(instant('2027-06-12T12:00:00+02:00')).toBe(instant('2027-06-12T10:00:00Z'));
  expect(instant('2027-06-12T10:00Z')).toBe(instant('2027-06-12T10:00:00.000000Z'));
  for (const text of [
    '2027-06-12',
    '2027-06-12T10:00:00',
    '12.06.2027',
    '2027-02-30T10:00:00Z',
    '2027-06-12T25:00:00Z',
    '',
  ]) {
    expect(instant(text), text).toBeNaN();
  }
  expect(['2028-02-29', '2027-02-29', '2027-13-01', '27-06-12'].map(isDate)).toEqual([true, false, false, false]);
  expect(['Europe/Berlin', 'UTC', 'Europe/Nowhere', ''].map(isTimezone)).toEqual([true, true, false, false]);
});
