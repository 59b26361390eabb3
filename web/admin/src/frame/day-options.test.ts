import { Formats } from '@turnout/words';
import { expect, test } from 'vitest';
import { dayName, dayOptions } from './day-options.ts';

const opening = { code: 'opening', name: 'Opening', date: '2055-06-12' };
const unnamed = { code: '2055-06-13', name: '2055-06-13', date: '2055-06-13' };

test('a day is called by its name, or by its date', () => {
  expect([opening, unnamed].map((day) => dayName(day, new Formats('en-GB')))).toEqual(['Opening', 'Sun, 13 Jun 2055']);
});

test('where one chooses a day, its date stands beside its name', () => {
  expect(dayOptions([opening, unnamed], new Formats('en-GB'))).toEqual([
    { value: 'opening', label: 'Opening (Sat, 12 Jun 2055)' },
    { value: '2055-06-13', label: 'Sun, 13 Jun 2055' },
  ]);
});
