import { describe, expect, test } from 'vitest';
import { formatDate, formatEventDates, formatHours, formatInstant, languageOf, localeOf } from './locale.ts';
import { minorDigits } from './money.ts';

const berlin = { language: 'en', timezone: 'Europe/Berlin' };
const plain = (text: string | null) => text?.replace(/\s/g, ' ');

describe('languages', () => {
  test.each([
    ['en', 'en'],
    ['de-CH', 'de'],
    ['FR', 'fr'],
    ['pt-BR', 'en'],
    ['', 'en'],
  ])('%j is spoken as %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  test('English without a country is American only in the Americas', () => {
    expect(localeOf('en', 'America/Chicago')).toBe('en-US');
    expect(localeOf('en', 'Africa/Nairobi')).toBe('en-GB');
    expect(localeOf('en-CA', 'Europe/Berlin')).toBe('en-CA');
    expect(localeOf('not a tag!', 'Europe/Berlin')).toBe('en-GB');
  });
});

describe('dates', () => {
  const event = (starts_at: string | null, ends_at: string | null, at = berlin) =>
    plain(formatEventDates({ ...at, starts_at, ends_at }));

  test('of several days are a range', () => {
    expect(event('2026-06-12T07:00:00Z', '2026-06-14T16:00:00Z')).toBe('Fri, 12 June – Sun, 14 June 2026');
    expect(event('2026-12-31T20:00:00Z', '2027-01-01T02:00:00Z')).toBe('Thu, 31 December 2026 – Fri, 1 January 2027');
  });

  test('of one day come with its hours', () => {
    expect(event('2026-06-12T07:00:00Z', '2026-06-12T16:00:00Z')).toBe('Friday, 12 June 2026, 09:00 – 18:00');
    expect(event('2026-06-12T07:00:00Z', null)).toBe('Friday, 12 June 2026, 09:00');
  });

  test('come with hours that hold for all days, unless they say their own', () => {
    const dates = (starts_at: string, ends_at: string) =>
      plain(formatEventDates({ ...berlin, starts_at, ends_at }, '10:00 – 17:00'));
    expect(dates('2026-06-12T07:00:00Z', '2026-06-14T16:00:00Z')).toBe(
      'Fri, 12 June – Sun, 14 June 2026, 10:00 – 17:00',
    );
    expect(dates('2026-06-11T22:00:00Z', '2026-06-12T22:00:00Z')).toBe('Friday, 12 June 2026, 10:00 – 17:00');
    expect(dates('2026-06-12T07:00:00Z', '2026-06-12T16:00:00Z')).toBe('Friday, 12 June 2026, 09:00 – 18:00');
  });

  test('are local: the same instant can be another day elsewhere', () => {
    const hours = ['2026-06-12T20:00:00Z', '2026-06-13T01:00:00Z'] as const;
    expect(event(...hours)).toBe('Fri, 12 June – Sat, 13 June 2026');
    expect(event(...hours, { language: 'en', timezone: 'America/New_York' })).toBe(
      'Friday, June 12, 2026, 4:00 PM – 9:00 PM',
    );
  });

  test('are null if the event has none', () => {
    expect(formatEventDates({ ...berlin, starts_at: null, ends_at: null })).toBeNull();
  });

  test('of a day do not depend on the timezone', () => {
    expect(formatDate('2026-06-12', { language: 'en', timezone: 'Pacific/Kiritimati' })).toBe('Fri, 12 June 2026');
    expect(formatDate('2026-06-12', { language: 'en', timezone: 'America/Adak' })).toBe('Fri, June 12, 2026');
  });
});

describe('hours', () => {
  test('past midnight', () => {
    expect(formatHours('2026-06-12T18:00:00Z', '2026-06-13T00:00:00Z', berlin)).toBe('20:00 – 02:00');
  });

  test('from local midnight to local midnight are not shown, also on the day the clocks change', () => {
    expect(formatHours('2026-06-11T22:00:00Z', '2026-06-12T22:00:00Z', berlin)).toBeNull();
    expect(formatHours('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', berlin)).toBeNull();
    expect(formatHours(null, null, berlin)).toBeNull();
  });

  test('a point in time names its zone', () => {
    expect(formatInstant('2026-01-05T08:30:00Z', berlin)).toBe('Monday, 5 January 2026, 09:30 (CET)');
  });
});

test('minor units are those of ISO 4217, not the digits people usually write', () => {
  expect(['EUR', 'JPY', 'KWD', 'HUF', 'IDR', 'IQD', 'CLF', 'ISK'].map(minorDigits)).toEqual([2, 0, 3, 2, 2, 3, 4, 0]);
});
