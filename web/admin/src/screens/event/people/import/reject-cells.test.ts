import type { ImportColumn } from '@turnout/client';
import { expect, test } from 'vitest';
import { rowsLike, shownColumns } from './reject-cells.ts';
import type { RejectedRow } from './reject-rows.ts';

const head = ['Name', 'Shoe size', 'Type'];
const columns = ['name', null, 'attendee_type'].map((field, i) => ({ heading: head[i], field }) as ImportColumn);
const row = (cells: string[], wrong: number[], current = cells): RejectedRow => ({
  ...{ key: JSON.stringify(cells), cells, current },
  reasons: wrong.map((column) => ({ code: 'unknown_type', words: '', value: null, columns: [column] })),
});
const rows = [row(['Ada', '38', 'VIP'], [2]), row(['Ben', '41', 'VIP'], [2]), row(['Cleo', '40', 'Gast'], [2])];

test('shown is what is wrong and who it is about, or everything', () => {
  expect(shownColumns(rows, { head, columns, all: false })).toEqual([0, 2]);
  expect(shownColumns(rows, { head, columns, all: true })).toEqual([0, 1, 2]);
});

test('what was corrected stays in sight, and so does a cell behind the last heading', () => {
  const changed = row(['Ada', '38', 'VIP'], [], ['Ada', '39', 'VIP']);
  expect(shownColumns([changed], { head, columns, all: false })).toEqual([0, 1]);
  expect(shownColumns([row(['Ada', '38', 'VIP', 'more'], [])], { head, columns, all: false })).toEqual([0, 3]);
});

test('a correction is offered for the other rows with the same wrong value', () => {
  const corrected = [row(['Ada', '38', 'VIP'], [], ['Ada', '38', 'Adult']), ...rows.slice(1)];
  const like = rowsLike(corrected, { column: 2, from: 'VIP', to: 'Adult' });
  expect(like.map(({ cells }) => cells[0])).toEqual(['Ben']);
  expect(rowsLike(corrected, { column: 2, from: 'VIP', to: 'VIP' })).toEqual([]);
});
