import { expect, test } from 'vitest';
import { columnsOf, reasonsIn } from './reasons.ts';

const column = (heading: string, field: string | null) => ({ heading, became: 'field', field, why: null });
const COLUMNS = [
  column('Vorname', 'first_name'),
  column('E-Mail', 'email'),
  column('Art', 'attendee_type'),
  column('Diet', 'diet'),
  column('Diet now', 'diet now'),
  column('Rest', null),
];
const placesOf = (text: string) => reasonsIn(text).map((reason) => columnsOf(reason, COLUMNS));

test('every fault of a row is read with its code, its sentence and the value it quotes', () => {
  expect(
    reasonsIn(
      'invalid_value: The value "ada | x" of email must be an e-mail address. | unknown_type: There is no attendee type "vip". | and 3 more',
    ),
  ).toEqual([
    { code: 'invalid_value', words: 'The value "ada | x" of email must be an e-mail address.', value: 'ada | x' },
    { code: 'unknown_type', words: 'There is no attendee type "vip".', value: 'vip' },
    { code: '', words: 'and 3 more', value: null },
  ]);
});

test('the columns of a fault are those of its field, and of an answer the one with the whole name', () => {
  expect(placesOf('invalid_value: The value "ada at" of email must be an e-mail address.')).toEqual([[1]]);
  expect(placesOf('name_required: A first and a last name are needed. | unknown_type: There is no "vip".')).toEqual([
    [0],
    [2],
  ]);
  expect(placesOf('invalid_value: The value "x" of diet now must be one of: vegan.')).toEqual([[4]]);
  expect(placesOf('invalid_value: The value of diet must be one of: vegan.')).toEqual([[3]]);
  expect(placesOf('event_full: No place is left.')).toEqual([[]]);
});
