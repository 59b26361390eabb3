import { Formats } from '@turnout/words';
import { describe, expect, test } from 'vitest';
import { daysText } from './days-text.ts';

const day = (date: string) => ({ code: date.slice(8), date });
const WEEK = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map(day);
const TURN = ['2026-11-29', '2026-11-30', '2026-12-02'].map(day);
const all = (count: number) => `all ${count}`;

describe.each([
  ['en', 'Wed 18, Thu 19', 'Wed 18 – Fri 20', 'Sun Nov 29, Wed Dec 2'],
  ['en-GB', 'Wed 18, Thu 19', 'Wed 18 – Fri 20', 'Sun 29 Nov, Wed 2 Dec'],
  ['de', 'Mi 18, Do 19', 'Mi 18 – Fr 20', 'So 29. Nov., Mi 2. Dez.'],
  ['fr', 'mer. 18, jeu. 19', 'mer. 18 – ven. 20', 'dim. 29 nov., mer. 2 déc.'],
  ['es', 'mié 18, jue 19', 'mié 18 – vie 20', 'dom 29 nov, mié 2 dic'],
])('%s', (locale, two, run, months) => {
  const formats = new Formats(locale);
  const text = (codes: string[], days = WEEK) => daysText(codes, days, formats, all);
  test('two days are both written', () => expect(text(['18', '19'])).toBe(two));
  test('three in a row are the first and the last', () => expect(text(['18', '19', '20'])).toBe(run));
  test('days of two months say theirs', () => expect(text(['29', '02'], TURN)).toBe(months));
});

const formats = new Formats('en-GB');
test('all days are said so, but not the only one', () => {
  expect(
    daysText(
      WEEK.map(({ code }) => code),
      WEEK,
      formats,
      all,
    ),
  ).toBe('all 5');
  expect(daysText(['18'], WEEK.slice(0, 1), formats, all)).toBe('Wed 18');
  expect(daysText([], WEEK, formats, all)).toBe('');
});
test('they are in the order of the event, and one that it does not have any more is named by its code', () =>
  expect(daysText(['22', 'gone', '18'], WEEK, formats, all)).toBe('Wed 18, Sun 22, gone'));
