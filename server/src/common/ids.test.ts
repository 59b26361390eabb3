import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUlid, newId, newUlid, parseRef, timeOf, toUlid, toUuid } from './ids.ts';

test('a ULID and its uuid are the same 128 bits', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(isUlid(toUlid(uuid))).toBe(true);
      expect(toUuid(toUlid(uuid))).toBe(uuid);
    }),
  );
  expect(toUuid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  expect(toUuid('00000000000000000000000000')).toBe('00000000-0000-0000-0000-000000000000');
});

test('ids sort by time, also as uuid, also within one millisecond', () => {
  const at = new Date('2026-11-15T00:00:00Z');
  const ids = Array.from({ length: 1000 }, () => newId(at));
  expect([...ids].sort()).toEqual(ids);
  expect(newId(new Date(at.getTime() + 1)) > ids.at(-1)!).toBe(true);
});

test('ids know when they were made, go on where a clock goes back, and never come twice', () => {
  const at = new Date('2026-11-16T00:00:00.123Z');
  const first = newId(at);
  expect(timeOf(first)).toEqual(at);
  expect(newId(new Date(at.getTime() - 5000)) > first).toBe(true);
  const corrected = new Date(at.getTime() - 3_600_000);
  expect(timeOf(newId(corrected)), 'a clock that was an hour fast').toEqual(corrected);
  const many = Array.from({ length: 100_000 }, (_, i) => newId(new Date(at.getTime() + Math.floor(i / 1000))));
  expect(new Set(many).size).toBe(many.length);
  expect([...many].sort()).toEqual(many);
  // A new millisecond does not count on from the one before.
  const starts = [0, 1, 2].map((ms) => newId(new Date(at.getTime() + 1000 + ms)).slice(14, 23));
  expect(new Set(starts).size).toBe(3);
});

test('a reference is an id in either case, or a code', () => {
  const ulid = newUlid(new Date());
  expect(parseRef(ulid).id).toBe(toUuid(ulid));
  expect(parseRef(ulid.toLowerCase()).id).toBe(toUuid(ulid));
  expect(parseRef('main').code).toBe('main');
});
