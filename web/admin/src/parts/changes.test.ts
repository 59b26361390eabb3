import { expect, test } from 'vitest';
import { changesIn, clashesOf } from './changes.ts';

const before = { name: 'Fair', venue: 'Hall', capacity: '100' };

test('only what was changed is sent', () => {
  expect(changesIn(before, { ...before, venue: 'Park' })).toEqual({ venue: 'Park' });
  expect(changesIn(before, { ...before })).toEqual({});
  expect(changesIn({ at: '2031-05-01T08:00:00Z' }, { at: '2031-05-01T08:00:00.000Z' })).toEqual({});
});

test('another field that somebody else changed is no clash', () => {
  expect(clashesOf(before, { venue: 'Park' }, { ...before, name: 'Feast' }, new Map())).toEqual([]);
});

test('the same field is one, unless both set the same', () => {
  const now = { ...before, venue: 'Lake' };
  expect(clashesOf(before, { venue: 'Park' }, now, new Map())).toEqual(['venue']);
  expect(clashesOf(before, { venue: 'Lake' }, now, new Map())).toEqual([]);
});

test('whoever was told and saves again means it, until it changes once more', () => {
  const told = new Map([['venue', '"Lake"']]);
  expect(clashesOf(before, { venue: 'Park' }, { ...before, venue: 'Lake' }, told)).toEqual([]);
  expect(clashesOf(before, { venue: 'Park' }, { ...before, venue: 'Barn' }, told)).toEqual(['venue']);
});
