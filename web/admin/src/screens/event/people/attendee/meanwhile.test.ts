import { expect, test } from 'vitest';
import { differing, flatten, meanwhileOf, replaced } from './meanwhile.ts';

const BASE = flatten({ first_name: 'Ada', email: '', days: ['fri'], answers: { diet: 'vegan', note: '' } });

test('what only somebody else changed is told without a choice', () => {
  const theirs = { ...BASE, first_name: 'Augusta' };
  expect(meanwhileOf(BASE, theirs, { ...BASE, email: 'a@example.org' })).toEqual([
    { name: 'first_name', before: 'Ada', theirs: 'Augusta' },
  ]);
});

test('what both changed differently names both', () => {
  const theirs = { ...BASE, 'answers/diet': 'all', days: ['sat'] };
  const mine = { ...BASE, 'answers/diet': null, days: ['sat'] };
  expect(meanwhileOf(BASE, theirs, mine)).toEqual([
    // Both chose the same days, so there is nothing to choose.
    { name: 'days', before: ['fri'], theirs: ['sat'] },
    { name: 'answers/diet', before: 'vegan', theirs: 'all', yours: null },
  ]);
});

test('an empty field and a missing one are the same', () => {
  expect(differing(flatten({ a: '', days: [] }), flatten({ a: null }))).toEqual([]);
});

test('values are replaced by their flat names, also inside', () => {
  const values = { first_name: 'Ada', answers: { diet: 'vegan' } as Record<string, unknown> };
  const empty = { first_name: '', answers: {} };
  expect(replaced(values, { first_name: null, 'answers/diet': 'all', 'answers/a/b': 1 }, empty)).toEqual({
    first_name: '',
    answers: { diet: 'all', 'a/b': 1 },
  });
});
