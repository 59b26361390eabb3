import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUlid, newId, newUlid, parseRef, toUlid, toUuid } from './ids.ts';

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

test('a reference is an id in either case, or a code', () => {
  const ulid = newUlid(new Date());
  expect(parseRef(ulid).id).toBe(toUuid(ulid));
  expect(parseRef(ulid.toLowerCase()).id).toBe(toUuid(ulid));
  expect(parseRef('main').code).toBe('main');
});
