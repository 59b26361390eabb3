import { afterEach, describe, expect, test } from 'vitest';
import { Busy, CallerGone, type PlacedKind } from './kinds.ts';
import { Places, placeWaits, sharesOf } from './places.ts';

const usual = { ...placeWaits };
afterEach(() => {
  Object.assign(placeWaits, usual);
});

/** Takes places until the next one would have to wait, and says how many they were. */
async function fill(places: Places, kind: PlacedKind, org: string): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const gone = new AbortController();
    const taking = places.take(kind, org, gone.signal);
    taking.catch(() => {});
    if (places.waiting > 0) {
      gone.abort();
      return taken;
    }
    await taking;
  }
}

describe.each([3, 4, 8, 12, 20, 100])('of %i connections', (connections) => {
  test('one organization’s reads, writes and jobs leave places to scans, and connections to lookups', async () => {
    const places = new Places(connections);
    let taken = 0;
    for (const kind of ['read', 'write', 'job'] as const) {
      for (const org of ['a', 'b', 'c', 'd']) taken += await fill(places, kind, org);
    }
    expect(taken).toBeGreaterThan(0);
    const scans = await fill(places, 'scan', 'e');
    expect(scans).toBeGreaterThan(0);
    expect(taken + scans).toBeLessThan(connections);
  });
});

describe.each([4, 8, 12, 20, 100])('of %i connections', (connections) => {
  test('one organization’s reads leave places to the reads of others, and to writes', async () => {
    const places = new Places(connections);
    await fill(places, 'read', 'a');
    expect(await fill(places, 'read', 'b')).toBeGreaterThan(0);
    expect(connections < 8 || (await fill(places, 'write', 'a')) > 0).toBe(true);
  });
});

test('the smallest pool lets everything run, one after the other', async () => {
  expect(sharesOf(2).places).toBe(1);
  const places = new Places(2);
  for (const kind of ['read', 'write', 'job', 'scan'] as const) (await places.take(kind, 'a'))();
});

test('organizations take turns, and the calls of one keep their order', async () => {
  const places = new Places(2);
  const order: string[] = [];
  const give = await places.take('read', 'a');
  const wait = async (org: string, name: string) => {
    const done = await places.take('read', org);
    order.push(name);
    done();
  };
  const waits = [wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b1'), wait('c', 'c1')];
  give();
  await Promise.all(waits);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  expect(places.waiting).toBe(0);
});

test('waiting ends with an error after its time, and the place goes to the next', async () => {
  const places = new Places(2);
  const give = await places.take('write', 'a');
  placeWaits.write = 1;
  await expect(places.take('write', 'b')).rejects.toBeInstanceOf(Busy);
  placeWaits.write = usual.write;
  const next = places.take('write', 'c');
  give();
  (await next)();
  expect(places.waiting).toBe(0);
});

test('whoever hangs up stops waiting', async () => {
  const places = new Places(2);
  const give = await places.take('read', 'a');
  const gone = new AbortController();
  const waiting = places.take('read', 'a', gone.signal);
  const next = places.take('read', 'a');
  gone.abort();
  await expect(waiting).rejects.toBeInstanceOf(CallerGone);
  give();
  (await next)();
});
