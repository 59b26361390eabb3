import { expect, test } from 'vitest';
import { withServed } from './served-list.ts';

const served = (key: number, id: string | null) => ({ key, attendee: id === null ? null : { id } });
const keys = (list: readonly { key: number }[]) => list.map(({ key }) => key);

test('whoever is served again stands first and only once', () => {
  const list = withServed([served(2, 'ben'), served(1, 'ada')], served(3, 'ada'));
  expect(keys(list)).toEqual([3, 2]);
});

test('unknown codes are not taken for the same person', () => {
  expect(keys(withServed([served(2, null), served(1, 'ada')], served(3, null)))).toEqual([3, 2, 1]);
});

test('only the last eight are remembered', () => {
  const all = Array.from({ length: 10 }, (_, i) => served(i, `p${i}`)).reduce(
    withServed,
    [] as ReturnType<typeof served>[],
  );
  expect(keys(all)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
});
