import { expect, test } from 'vitest';
import { placeIn } from './place-in.ts';

const rows = Array.from({ length: 20 }, (_, i) => ({ id: `p${i}` }));
const ids = ({ previous, row, next }: ReturnType<typeof placeIn>) => [previous?.id, row?.id, next?.id];

test('somebody stands between the one before and the one after', () => {
  expect(ids(placeIn(rows, 'p7', 1))).toEqual(['p6', 'p7', 'p8']);
  expect(ids(placeIn(rows, 'p0', 1))).toEqual([undefined, 'p0', 'p1']);
  expect(ids(placeIn(rows, 'p19', 1))).toEqual(['p18', 'p19', undefined]);
});

test('more is loaded some rows before the end, so that nobody waits there', () => {
  expect(['p14', 'p15', 'p19'].map((id) => placeIn(rows, id, 1).wantsMore)).toEqual([false, true, true]);
});

test('somebody who is not among the rows has no neighbours, and is looked for in five pages', () => {
  expect(ids(placeIn(rows, 'elsewhere', 4))).toEqual([undefined, undefined, undefined]);
  expect([4, 5].map((pages) => placeIn(rows, 'elsewhere', pages).wantsMore)).toEqual([true, false]);
});
