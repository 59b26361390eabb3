import { expect, test } from 'vitest';
import { outcomeOf } from './outcome-values.ts';

const job = { counts: { created: 600, rejected: 6 } };
const said = (corrected: number) => outcomeOf(job, corrected).map(({ kind, count }) => `${kind} ${count}`);

test('without corrections it is what the preview has found', () =>
  expect(said(0)).toEqual(['created 600', 'updated 0', 'unchanged 0', 'rejected 6']));

test('a corrected row is no longer among those that cannot be imported', () => {
  expect(said(2)).toEqual(['created 600', 'updated 0', 'unchanged 0', 'corrected 2', 'rejected 4']);
  expect(said(6)).toContain('rejected 0');
});
