import { describe, expect, test } from 'vitest';
import { allInCount, endedLast, isNear, pickedAt, steppedTo } from './find.ts';

const rows = [{ id: 'ada' }, { id: 'ben' }, { id: 'cleo' }];

test('those found by the letters before stay while letters are added or taken away, but not for another name', () => {
  expect(isNear('mi', 'mil')).toBe(true);
  expect(isNear('mil', 'mi')).toBe(true);
  expect(isNear('mil', 'sch')).toBe(false);
  expect(isNear('', 'mil')).toBe(false);
  expect(isNear(undefined, 'mil')).toBe(false);
});

test('whoever has cancelled, was declined or came too late stands last, the others in their order', () => {
  const of = (id: string, status: 'confirmed' | 'cancelled' | 'declined' | 'expired' | 'waitlisted') => ({
    id,
    status,
  });
  const given = [
    of('a', 'cancelled'),
    of('b', 'confirmed'),
    of('c', 'expired'),
    of('d', 'waitlisted'),
    of('e', 'declined'),
  ];
  expect(endedLast(given).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c', 'e']);
});

test('people who share a code are asked for until all who can come are in', () => {
  const of = (status: 'confirmed' | 'cancelled', checked_in: boolean) => ({ status, checked_in });
  const [isIn, isOut, ended] = [of('confirmed', true), of('confirmed', false), of('cancelled', false)];
  expect(allInCount([isIn, isOut])).toBeNull();
  expect(allInCount([isIn, isIn, ended])).toBe(2);
  expect(allInCount([ended, ended])).toBeNull();
});

describe('the row that is chosen', () => {
  test('is kept by hand until another text is typed, even if the rows change their order', () => {
    const choice = { text: 'mil', id: 'ben' };
    expect(pickedAt(rows, choice, 'mil')).toBe(1);
    expect(pickedAt(rows.toReversed(), choice, 'mil')).toBe(1);
    expect(pickedAt(rows.slice(1), choice, 'mil')).toBe(0);
    expect(pickedAt(rows, choice, 'mill')).toBe(-1);
    expect(pickedAt(rows.slice(2), choice, 'mil')).toBe(-1);
    expect(pickedAt(rows, null, 'mil')).toBe(-1);
  });

  test('moves by arrows and stops at both ends', () => {
    expect(steppedTo(rows, 0, 1)).toBe(rows[1]);
    expect(steppedTo(rows, 0, -1)).toBe(rows[0]);
    expect(steppedTo(rows, 1, 5)).toBe(rows[2]);
    expect(steppedTo([], 0, 1)).toBeUndefined();
  });
});
