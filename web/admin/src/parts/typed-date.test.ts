import { Formats } from '@turnout/words';
import { describe, expect, test } from 'vitest';
import { readDate, readDateTime, splitTime } from './typed-date.ts';

const TODAY = '2027-03-05';
const LOCALES = ['en', 'en-GB', 'en-US', 'en-AU', 'de', 'de-CH', 'fr', 'fr-CA', 'es', 'es-MX'];

describe('what a field writes can be read', () => {
  test.each(LOCALES)('%s', (locale) => {
    const formats = new Formats(locale);
    for (let month = 1; month <= 12; month++) {
      for (const [day, time] of [
        ['01', '00:00'],
        ['12', '12:30'],
        ['28', '23:05'],
      ]) {
        const date = `2031-${String(month).padStart(2, '0')}-${day}`;
        const written = formats.when(date, { day: 'numeric', month: 'short', year: 'numeric' });
        expect(readDate(written, locale, TODAY), written).toBe(date);
        const moment = formats.dateTime(`${date}T${time}Z`, 'UTC');
        expect(readDateTime(moment, locale, TODAY), moment).toBe(`${date}T${time}`);
        const long = formats.when(date, { day: 'numeric', month: 'long', year: 'numeric' });
        expect(readDate(long, locale, TODAY), long).toBe(date);
        const short = formats.when(date, { day: 'numeric', month: 'numeric', year: 'numeric' });
        expect(readDate(short, locale, TODAY), short).toBe(date);
      }
    }
  });
});

describe('a date', () => {
  test('may be pasted from anywhere', () => {
    for (const locale of LOCALES) expect(readDate('2027-09-18', locale, TODAY)).toBe('2027-09-18');
  });
  test.each([
    ['en-GB', '3/4/27', '2027-04-03'],
    ['en-US', '3/4/27', '2027-03-04'],
    ['en-GB', '18 sep', '2027-09-18'],
    ['en-US', 'September 18th, 2028', '2028-09-18'],
    ['en', 'the 1st of May', '2027-05-01'],
    ['de', '18.9.', '2027-09-18'],
    ['de', '18. März 2028', '2028-03-18'],
    ['de', 'marz 18', '2027-03-18'],
    ['de', 'heute', '2027-03-05'],
    ['fr', '1er août 2028', '2028-08-01'],
    ['fr', 'demain', '2027-03-06'],
    ['es', '18 de septiembre de 2028', '2028-09-18'],
    ['es', 'ayer', '2027-03-04'],
  ])('in %s: %s', (locale, text, date) => expect(readDate(text, locale, TODAY)).toBe(date));

  test.each(['', '18', '31 Feb', '2027-13-01', 'soon', '18 Sept Oct 2027', '1 2 3 4', '9'.repeat(500)])(
    'is none: %s',
    (text) => expect(readDate(text, 'en-GB', TODAY)).toBeNull(),
  );
});

describe('a time', () => {
  test.each([
    ['18 Sept 2027 14:30', '14:30'],
    ['18 Sept 2027, 2:30 pm', '14:30'],
    ['18 Sept 2027, 12 a.m.', '00:00'],
    ['18.9.2027 14:30 Uhr', '14:30'],
    ['18/9/2027 14h30', '14:30'],
    ['18/9/2027 9 h', '09:00'],
    ['18 sept. 2027, 0 h 00', '00:00'],
    ['2027-09-18T09:00', '09:00'],
    ['18 Sept 2027', null],
    ['18 Sept 2027 25:00', null],
  ])('%s', (text, time) => expect(splitTime(text).time).toBe(time));

  test('that is left out is the beginning of the day', () =>
    expect(readDateTime('18 Sept', 'en-GB', TODAY)).toBe('2027-09-18T00:00'));
});
