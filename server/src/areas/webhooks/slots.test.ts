import { describe, expect, test } from 'vitest';
import type { DueEndpoint } from './claim.ts';
import { type Caps, sharesOf, slotsOf, Tally } from './slots.ts';

const CAPS: Caps = { all: 20, organization: 12, endpoint: 4, troubled: 1, ahead: 1 };
const endpoint = (org: string, name: string, failures = 0): DueEndpoint => ({
  org_id: org,
  id: `${org} ${name}`,
  url: 'https://hooks.example.org/',
  secret: Buffer.alloc(0),
  old_secret: null,
  old_secret_until: null,
  failures_in_a_row: failures,
  paused: false,
});
const many = (org: string, count: number) => Array.from({ length: count }, (_, i) => endpoint(org, `e${i}`));
const given = (ready: DueEndpoint[], held = new Tally()) => {
  const chosen = sharesOf(ready, held, CAPS);
  const sum = (of: (one: DueEndpoint) => boolean) =>
    chosen.filter((one) => of(one.endpoint)).reduce((all, one) => all + one.free, 0);
  return {
    all: sum(() => true),
    org: (name: string) => sum((one) => one.org_id === name),
    of: (id: string) => sum((one) => one.id === id),
  };
};

describe('how many deliveries of each endpoint are read, and how many attempts run', () => {
  test('an endpoint has its own share, and gets more when half of it is used up', () => {
    const held = new Tally();
    for (let i = 0; i < 4; i += 1) held.add('a', 'a e0', 1);
    expect(given([endpoint('a', 'e0'), endpoint('b', 'e0')], held).of('a e0')).toBe(0);
    expect(given([endpoint('a', 'e0'), endpoint('b', 'e0')], held).of('b e0')).toBe(6);
    held.add('a', 'a e0', -1);
    expect(given([endpoint('a', 'e0'), endpoint('b', 'e0')], held).of('a e0')).toBe(3);
  });

  test('the fewer endpoints an organization has, the more each may hold: one or two have half each, many share everything', () => {
    for (const [endpoints, each] of [
      [1, 6],
      [2, 6],
      [3, 4],
      [100, 1],
    ] as const) {
      const chosen = sharesOf(many('a', endpoints), new Tally(), CAPS);
      expect(chosen.every((one) => one.share === each)).toBe(true);
      expect(chosen).toHaveLength(Math.min(endpoints, 12));
    }
  });

  test('slots: all that an endpoint can have while half of the organization’s slots are free, then an equal part, at least one', () => {
    const slots = (siblings: number, running: number, failures = 0) =>
      slotsOf(endpoint('a', 'e0', failures), siblings, running, CAPS);
    expect([slots(1, 0), slots(100, 5), slots(1, 11)]).toEqual([4, 4, 4]);
    expect([slots(3, 6), slots(6, 6), slots(12, 6), slots(100, 11)]).toEqual([4, 2, 1, 1]);
    expect([slots(1, 0, 3), slots(3, 6, 3)]).toEqual([1, 1]);
  });

  test('a failing endpoint has few slots, however much waits for it', () => {
    expect(given([endpoint('a', 'hangs', 3)]).all).toBe(1);
    expect(given([endpoint('a', 'well', 2)]).all).toBe(6);
  });

  test('an organization with a hundred endpoints leaves room for one with a single endpoint, in any order', () => {
    for (let i = 0; i < 50; i += 1) {
      const share = given([...many('big', 100), endpoint('small', 'only')]);
      expect(share.org('small')).toBe(6);
      expect(share.org('big')).toBe(12);
    }
  });

  test('never more than all slots together', () => {
    expect(given(['a', 'b', 'c'].flatMap((org) => many(org, 10))).all).toBe(20);
    const held = new Tally();
    for (let i = 0; i < 19; i += 1) held.add('x', `x ${i}`, 1);
    expect(given(many('a', 10), held).all).toBe(1);
    held.add('x', 'x 19', 1);
    expect(given(many('a', 10), held).all).toBe(0);
  });

  test('the control: without rounds the hundred endpoints take everything when they come first', () => {
    const held = new Tally();
    const greedy = { ...CAPS, organization: 100 };
    const inLine = [...many('big', 100), endpoint('small', 'only')];
    let free = greedy.all - held.all;
    const served = inLine.filter(() => {
      const own = Math.min(greedy.endpoint, free);
      free -= own;
      return own > 0;
    });
    expect(served.some((one) => one.org_id === 'small')).toBe(false);
  });
});
