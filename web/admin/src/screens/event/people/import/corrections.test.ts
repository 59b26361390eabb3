import { describe, expect, test } from 'vitest';
import {
  acceptedRows,
  contentKey,
  correctedSheet,
  rejectedIn,
  stillRejected,
  uncorrectedSheet,
  withMissing,
} from './corrections.ts';
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

test('rows that were rejected are not among those that will be imported, also where the file of rejects guards a cell', () => {
  const head = ['Name', 'Phone', 'Type'];
  const rows = [
    ['Ada', '+49 30 1234', 'VIP'],
    ['Bob', ' +49 30 5678 ', 'VIP'],
    ['Cyd', '+49 30 9999', 'adult'],
    ['Dan'],
  ];
  const { rejects } = rejectedIn({
    head: [...head, 'import_error'],
    rows: [
      ['Ada', "'+49 30 1234", 'VIP', 'unknown_type: …'],
      ['Bob', "'+49 30 5678", 'VIP', 'unknown_type: …'],
    ],
  });
  expect(rejects[0]!.cells).toEqual(['Ada', '+49 30 1234', 'VIP']);
  expect(acceptedRows({ head, rows }, rejects)).toEqual([
    ['Cyd', '+49 30 9999', 'adult'],
    ['Dan', '', ''],
  ]);
  // The file may be a file of rejects itself: its old reasons are not part of what a row says.
  const again = { head: ['Name', 'import_error', 'Phone', 'Type'], rows: [['Ada', 'old', "'+49 30 1234", 'VIP']] };
  expect(acceptedRows(again, rejects)).toEqual([]);
});

test('a row says the same with and without guards, spaces around a cell and empty cells at its end', () => {
  expect(contentKey(["'=1+1", ' x '])).toBe(contentKey(['=1+1', 'x', '']));
  expect(contentKey(["O'Hara"])).not.toBe(contentKey(['OHara']));
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

describe('the rows that were not corrected', () => {
  const rows = [
    ['Ada', "'+49 1", ''],
    ['Bob', '+49 2', 'vip'],
    ['', ' '],
    ['Ada', "'+49 1", ''],
    ['Cyd', "'=x", 'adult'],
  ];
  const sheet = { head: ['Name', 'Phone', 'Type'], rows };
  const ada = { cells: ['Ada', '+49 1', ''], why: 'type_required: …' };
  const bob = { cells: ['Bob', '+49 2', 'vip'], why: 'unknown_type: …' };
  const fixes = { [keyOf(ada.cells)]: ['Ada', '+49 3', 'adult'] };

  test('go up as they came, of equal ones as many as were not rejected', () => {
    const { head } = sheet;
    expect(uncorrectedSheet(sheet, [ada, bob, ada], fixes, 4)).toEqual({ head, rows: [rows[1], rows[4]] });
    expect(uncorrectedSheet(sheet, [bob, ada], fixes, 4)).toEqual({ head, rows: [rows[1], rows[3], rows[4]] });
  });

  test('are not known where the server has read other rows, or one with a wrong quote', () => {
    expect(uncorrectedSheet(sheet, [ada, bob, ada], fixes, 5)).toBeNull();
    expect(uncorrectedSheet(sheet, [ada, ada, ada], fixes, 4)).toBeNull();
    expect(uncorrectedSheet(sheet, [ada, { ...bob, why: 'broken_row: …' }], fixes, 4)).toBeNull();
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
    // Which days can be chosen is known with the type, so there is a column for them, too.
    head: ['Name', 'attendee_type', 'days'],
    columns: [
      column,
      { heading: 'attendee_type', became: 'field', field: 'attendee_type', why: null },
      { heading: 'days', became: 'field', field: 'days', why: null },
    ],
  });
  const stray = { cells: ['Bob', 'x'], why: 'broken_row: …' };
  expect(withMissing({ head: ['Name'], rejects: [reject, stray] }, [column]).head).toEqual(['Name']);
});
