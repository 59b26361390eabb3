import { describe, expect, test } from 'vitest';
import { keyOf } from './draft.ts';
import { mendedCount, rejectedRows, rejectGroups, withCell } from './reject-rows.ts';

const column = (heading: string, field: string) => ({ heading, became: 'field', field, why: null });
const COLUMNS = [
  column('Name', 'name'),
  column('E-Mail', 'email'),
  column('Ticketart', 'attendee_type'),
  column('Tag', 'days'),
  { heading: 'Essen', became: 'question', field: 'diet', why: null },
];
const unknown = (type: string) => `unknown_type: There is no attendee type "${type}".`;
const NO_DAY = 'day_required: A day is needed; choose one or more of: fri, sat.';
const noMail = (text: string) => `invalid_value: The value "${text}" of email must be an e-mail address.`;
const noDiet = (text: string) =>
  `invalid_value: The value "${text}" of diet is not an answer to the question, which takes one of its options.`;
const REJECTS = [
  { cells: ['Ada', '', 'VIP', 'fri', ''], why: unknown('VIP') },
  { cells: ['Bob', 'bob at', 'VIP', 'fri', ''], why: `${noMail('bob at')} | ${unknown('VIP')}` },
  { cells: ['Cyd', '', 'Gast', 'fri', ''], why: unknown('Gast') },
  { cells: ['Dan', 'n/a', 'adult', '', 'meat'], why: `${noMail('n/a')} | ${noDiet('meat')} | ${NO_DAY}` },
  { cells: ['', '', 'adult', '', 'fish'], why: `${noDiet('fish')} | ${NO_DAY} | name_required: A name is needed.` },
];
const rows = (fixes = {}, checked = {}) => rejectedRows(REJECTS, COLUMNS, fixes, checked);
const groups = (fixes = {}, checked = {}) =>
  rejectGroups(rows(fixes, checked), (i) => i === 4).map((group) => [
    group.reason.code,
    group.column,
    group.values.join('|'),
    group.rows.length,
  ]);

test('rows are grouped by fault, column and value; wrong texts of one column together; what no value mends has no column', () => {
  expect(groups()).toEqual([
    ['unknown_type', 2, 'VIP', 2],
    ['invalid_value', 1, 'bob at|n/a', 2],
    ['day_required', 3, '', 2],
    ['unknown_type', 2, 'Gast', 1],
    ['invalid_value', 4, 'meat', 1],
    ['invalid_value', 4, 'fish', 1],
    ['name_required', null, '', 1],
  ]);
});

describe('a group that is mended', () => {
  const vip = rejectGroups(rows(), () => false)[0]!;
  const fixes = withCell({}, vip.rows, 2, 'adult');

  test('changes that column of its rows and nothing else', () => {
    expect(fixes).toEqual({
      [keyOf(REJECTS[0]!.cells)]: ['Ada', '', 'adult', 'fri', ''],
      [keyOf(REJECTS[1]!.cells)]: ['Bob', 'bob at', 'adult', 'fri', ''],
    });
    expect(withCell(fixes, vip.rows, 2, 'VIP')).toEqual({});
  });

  test('is gone, while the other faults of its rows stay', () => {
    expect(groups(fixes).map(([code, , value]) => [code, value])).not.toContainEqual(['unknown_type', 'VIP']);
    expect(rows(fixes).map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      [],
      ['invalid_value'],
      ['unknown_type'],
      ['invalid_value', 'invalid_value', 'day_required'],
      ['invalid_value', 'day_required', 'name_required'],
    ]);
    expect(mendedCount(REJECTS, COLUMNS, fixes)).toBe(1);
  });

  test('comes back with what a check finds, until its rows are changed again', () => {
    const checked = { [keyOf(REJECTS[0]!.cells)]: NO_DAY, [keyOf(REJECTS[1]!.cells)]: null };
    expect(rows(fixes, checked)[0]!.reasons.map(({ code }) => code)).toEqual(['day_required']);
    expect(rows(fixes, checked)[1]!.reasons).toEqual([]);
    expect(groups(fixes, checked)).toContainEqual(['day_required', 3, 'fri', 1]);
  });
});
