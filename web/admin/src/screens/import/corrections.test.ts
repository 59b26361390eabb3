import { expect, test } from 'vitest';
import { correctedSheet, rejectedIn, stillRejected } from './corrections.ts';
import { keyOf } from './draft.ts';

test('a file of rejects is read with the reason apart, and what stands behind the last heading is kept', () => {
  expect(
    rejectedIn({
      head: ['Name', 'Type', 'import_error'],
      rows: [
        ['Ada', 'vip', 'unknown_type: …'],
        ['Bob', '', 'broken_row: …', 'stray'],
      ],
    }),
  ).toEqual({
    head: ['Name', 'Type'],
    rejects: [
      { cells: ['Ada', 'vip'], why: 'unknown_type: …' },
      { cells: ['Bob', '', 'stray'], why: 'broken_row: …' },
    ],
  });
});

test('only corrected rows go up again, under the headings they came with', () => {
  const rejects = [
    { cells: ['Ada', 'vip'], why: '' },
    { cells: ['Bob', 'x'], why: '' },
  ];
  expect(correctedSheet(['Name', 'Type'], rejects, { [keyOf(['Bob', 'x'])]: ['Bob', 'adult'] })).toEqual({
    head: ['Name', 'Type'],
    rows: [['Bob', 'adult']],
  });
});

test('what was corrected is not rejected any more, unless it was again; of two equal rows only the corrected one', () => {
  const one = (name: string, why = 'a') => ({ cells: [name], why });
  expect(
    stillRejected(
      [one('Ada'), one('Ada'), one('Bob'), one('Cyd')],
      [
        { corrected: [keyOf(['Ada']), keyOf(['Bob'])], rejects: [one('Bobby', 'b')] },
        { corrected: [keyOf(['Bobby'])], rejects: [] },
      ],
    ),
  ).toEqual([one('Ada'), one('Cyd')]);
});
