import { describe, expect, test } from 'vitest';
import { minutesOf, paceOf, refusalsOf, shownDays, sumsOf } from './live-numbers.ts';

const day = (code: string, came = 0) => ({
  day: code,
  expected: 10,
  came,
  admissions: came,
  refusals: 0,
  inside: came,
});
const known = ['fri', 'sat', 'sun'].map((code, i) => ({
  ...{ code, opens_at: `2027-06-1${1 + i}T08:00:00Z`, closes_at: `2027-06-1${1 + i}T18:00:00Z` },
}));
const codes = (days: { day: string }[]) => days.map((one) => one.day);

describe('the days whose numbers are shown large', () => {
  const days = [day('sun'), day('sat'), day('fri', 3)];
  const at = (text: string) => Date.parse(`2027-06-${text}:00Z`);
  test('the one that is open, also shortly before it opens', () => {
    expect(codes(shownDays({ days }, known, undefined, at('12T12:00')))).toEqual(['sat']);
    expect(codes(shownDays({ days }, known, undefined, at('12T06:30')))).toEqual(['sat']);
  });
  test('the chosen one, whenever it is', () => {
    expect(codes(shownDays({ days }, known, 'sun', at('12T12:00')))).toEqual(['sun']);
  });
  test('when none is open, the last on which anybody came, else the first', () => {
    expect(codes(shownDays({ days }, known, undefined, at('20T12:00')))).toEqual(['fri']);
    expect(codes(shownDays({ days: days.map((one) => day(one.day)) }, known, undefined, at('20T12:00')))).toEqual([
      'fri',
    ]);
    expect(shownDays({ days: [] }, known, undefined, 0)).toEqual([]);
  });
});

test('the last sixty minutes are whole, with zeros', () => {
  const now = Date.parse('2027-06-12T10:30:20Z');
  const all = minutesOf([{ minute: '2027-06-12T10:29:00.000Z', admissions: 7 }], '2027-06-12T10:29:10Z', now);
  expect(all).toHaveLength(60);
  expect(all.at(-1)).toEqual({ minute: '2027-06-12T10:30:00.000Z', admissions: 0 });
  expect(all.at(-2)).toEqual({ minute: '2027-06-12T10:29:00.000Z', admissions: 7 });
});

test('days that are open at the same time are counted together', () => {
  const days = [day('fri', 3), { ...day('sat', 4), inside: 1 }];
  expect(sumsOf(days)).toEqual({ inside: 4, came: 7, expected: 20 });
  expect(sumsOf([])).toEqual({ inside: 0, came: 0, expected: 0 });
});

test('refusals are as many as are listed by reason, also those of no day; of a chosen day only its own', () => {
  const days = [day('fri'), { ...day('sat'), refusals: 2 }];
  const reasons = [
    { reason: 'limit', refusals: 2 },
    { reason: 'before_opening', refusals: 3 },
  ];
  expect(refusalsOf({ days, reasons }, undefined)).toBe(5);
  expect(refusalsOf({ days, reasons }, 'sat')).toBe(2);
  expect(refusalsOf({ days, reasons }, 'fri')).toBe(0);
});

test('the pace is that of the last five minutes, also where nobody came in some of them', () => {
  const at = (minute: number) => `2027-06-12T10:${minute}:00.000Z`;
  const minutes = [
    { minute: at(24), admissions: 100 },
    { minute: at(26), admissions: 7 },
    { minute: at(30), admissions: 5 },
  ];
  expect(paceOf({ minutes, as_of: at(30) }, Date.parse(at(30)))).toBe(12 / 5);
  expect(paceOf({ minutes: [], as_of: at(30) }, Date.parse(at(30)))).toBe(0);
});
