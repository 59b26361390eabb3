import { expect, test } from 'vitest';
import { readColumns, shownColumns } from './chosen-columns.ts';

const COLUMNS = [
  { id: 'name', always: true },
  { id: 'type' },
  { id: 'email', extra: true },
  { id: 'phone', extra: true },
];
const shown = (chosen: string[] | null) => shownColumns(COLUMNS, chosen).map(({ id }) => id);

test('without a choice the usual columns are shown', () => {
  expect(shown(null)).toEqual(['name', 'type']);
});

test('what was chosen is shown in the order of the table, and what must be there always is', () => {
  expect(shown(['phone', 'type'])).toEqual(['name', 'type', 'phone']);
  expect(shown([])).toEqual(['name']);
});

test('a column that is gone, such as a deleted question, is left out', () => {
  expect(shown(['answer.diet', 'email'])).toEqual(['name', 'email']);
});

test.each([null, 'not JSON', '"email"', '{"email":true}', '["email",1]'])('%j is no kept choice', (kept) => {
  expect(readColumns(kept)).toBe(null);
});

test('a kept choice is read', () => {
  expect(readColumns('["email","answer.diet"]')).toEqual(['email', 'answer.diet']);
});
