import { expect, test } from 'vitest';
import { nextOf } from './next.ts';

const waiting = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

test('after a decision the one behind it in the list comes, at the end the first that is left, and nothing after the last', () => {
  expect(['a', 'b', 'c'].map((id) => nextOf(waiting, id))).toEqual(['b', 'c', 'a']);
  expect(nextOf(waiting, 'elsewhere')).toBe('a');
  expect(nextOf([{ id: 'a' }], 'a')).toBeNull();
  expect(nextOf([], 'a')).toBeNull();
});
