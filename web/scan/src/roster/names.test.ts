import { expect, test } from 'vitest';
import { fit, lineOf, wordsOf } from './names.ts';

test.each([
  ['Zoë', ['zoe']],
  ['Anna-Lena', ['anna', 'lena']],
  ["O'Brien", ['obrien']],
  ['O’Brien', ['obrien']],
  ['Straße', ['strasse']],
  ['ŁUKASZ', ['lukasz']],
  ['Nguyễn Văn', ['nguyen', 'van']],
  ['İpek', ['ipek']],
  ['ﬁnn', ['finn']],
  ['李 小龍', ['李', '小龍']],
  [' - ', []],
])('%s is searched as %j', (name, words) => {
  expect(wordsOf(name)).toEqual(words);
});

test('every beginning of a word is found, in any order; whole words come first', () => {
  const line = lineOf({ first_name: 'Anna Maria', last_name: 'von der Heide' }, null);
  for (const text of ['a', 'mar', 'heide anna', 'der mar', 'von']) expect(fit(line, wordsOf(text))).not.toBeNull();
  for (const text of ['nna', 'annam', 'heide bert']) expect(fit(line, wordsOf(text))).toBeNull();
  expect(fit(line, ['anna', 'heide'])).toBe(0);
  expect(fit(line, ['vo'])).toBe(1);
  expect(fit(line, ['he'])).toBe(2);
});
