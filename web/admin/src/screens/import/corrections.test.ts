import { expect, test } from 'vitest';
import { correctedSheet, rejectedIn, stillRejected, withMissing } from './corrections.ts';
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

test('a type that the file does not have can be given in a column of its own, unless something stands there already', () => {
  const column = { heading: 'Name', became: 'field', field: 'name', why: null };
  const reject = { cells: ['Ada'], why: 'type_required: A type is needed: adult, crew.' };
  expect(withMissing({ head: ['Name'], rejects: [reject] }, [column])).toEqual({
    head: ['Name', 'attendee_type'],
    columns: [column, { heading: 'attendee_type', became: 'field', field: 'attendee_type', why: null }],
  });
  const stray = { cells: ['Bob', 'x'], why: 'broken_row: …' };
  expect(withMissing({ head: ['Name'], rejects: [reject, stray] }, [column]).head).toEqual(['Name']);
});
