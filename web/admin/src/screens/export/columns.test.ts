import { EXPORT_COLUMNS, EXPORT_FILTERS, EXPORTED } from '@turnout/contract';
import { expect, test } from 'vitest';
import { COLUMNS, EXPORT_KINDS, FILTERS, LISTS } from './columns.ts';

test('the app offers what the contract has: exports, columns and filters', () => {
  expect(EXPORT_KINDS.toSorted()).toEqual(EXPORTED.toSorted());
  for (const what of LISTS) expect(COLUMNS[what], what).toEqual(EXPORT_COLUMNS[what]);
  // What changed since a moment is for programs that fetch again and again.
  const { updated_since: _, ...filters } = EXPORT_FILTERS;
  expect(FILTERS).toEqual(filters);
});
