import { describe, expect, test } from 'vitest';
import type { Id } from '../../common/ids.ts';
import type { EventRow } from '../events/index.ts';
import { leftOf, registrationState } from './availability.ts';
import type { PublicEvent, ShownDay, ShownType } from './queries.ts';

const [EVENT, D1, D2, D3, ADULT, CHILD] = ['event', 'd1', 'd2', 'd3', 'adult', 'child'] as unknown as Id[] as [
  Id,
  Id,
  Id,
  Id,
  Id,
  Id,
];
interface World {
  capacity?: number | null;
  waitlist?: boolean;
  days?: Partial<ShownDay>[];
  types?: Partial<ShownType>[];
  /** How many places are taken and how many wait, by scope. */
  taken?: Record<string, [taken: number, waiting?: number]>;
}
const worldOf = ({ capacity = null, waitlist = false, days = [], types = [], taken = {} }: World): PublicEvent => ({
  event: { id: EVENT, capacity, timezone: 'Europe/Berlin', registration: { waitlist } } as EventRow,
  days: days.map((day) => ({ capacity: null, date: '2030-06-01', closes_at: null, ...day }) as ShownDay),
  types: types.map((type) => ({ capacity: null, day_ids: null, pass_days: null, on_sale: null, ...type }) as ShownType),
  products: [],
  limits: [],
  placeCounts: new Map(
    Object.entries(taken).map(([scope, [gone, waiting = 0]]) => [
      scope as Id,
      { event_id: EVENT, scope_id: scope as Id, taken: gone, waiting },
    ]),
  ),
});
const NOW = new Date('2030-01-01T00:00:00Z');
const eventLeft = (world: World, cap: number | null = null) => leftOf(worldOf(world), cap, NOW).event;

describe('what is left, in words', () => {
  test.each([
    [null, 1_000_000, 'available'],
    // Fewer than ten.
    [20, 10, 'available'],
    [20, 11, 'few'],
    [9, 0, 'few'],
    [10, 0, 'available'],
    [20, 19, 'few'],
    [20, 20, 'sold_out'],
    // A capacity that was made smaller than what is taken.
    [20, 25, 'sold_out'],
    // Less than a tenth.
    [1000, 900, 'available'],
    [1000, 901, 'few'],
    [1000, 999, 'few'],
    [1000, 1000, 'sold_out'],
    [101, 90, 'available'],
    [105, 95, 'few'],
  ] as const)('of %s places %s are taken: %s', (capacity, taken, left) => {
    expect(eventLeft({ capacity, taken: { event: [taken] } })).toBe(left);
  });

  test('a full event with a waitlist has one, and so has one where others wait already', () => {
    const full = { capacity: 20, taken: { event: [20] } } satisfies World;
    expect(eventLeft({ ...full, waitlist: true })).toBe('waitlist');
    // The one who waits needs two places, and one is free. Newcomers queue behind.
    const waiting = { capacity: 20, taken: { event: [19, 1] } } satisfies World;
    expect(eventLeft({ ...waiting, waitlist: true })).toBe('waitlist');
    // Without a waitlist nobody queues any more, and the free place can be had.
    expect(eventLeft({ ...waiting, waitlist: false })).toBe('few');
  });

  test('nobody gets beyond the plan, and nobody waits for that', () => {
    for (const waitlist of [false, true]) {
      expect(eventLeft({ waitlist, taken: { event: [500] } }, 500)).toBe('sold_out');
      expect(eventLeft({ waitlist, capacity: 1000, taken: { event: [500] } }, 500)).toBe('sold_out');
      expect(eventLeft({ waitlist, taken: { event: [495] } }, 500)).toBe('few');
      expect(eventLeft({ waitlist, capacity: 1000, taken: { event: [451] } }, 500)).toBe('few');
      expect(eventLeft({ waitlist, capacity: 1000, taken: { event: [450] } }, 500)).toBe('available');
      expect(eventLeft({ waitlist, capacity: 20, taken: { event: [0] } }, 500)).toBe('available');
    }
    expect(eventLeft({ waitlist: true, capacity: 20, taken: { event: [20] } }, 500)).toBe('waitlist');
  });

  test('a day is no better than the event, and a type no better than its best day', () => {
    const world = worldOf({
      capacity: 100,
      days: [
        { id: D1, capacity: 20 },
        { id: D2, capacity: 20 },
        { id: D3, capacity: null },
      ],
      types: [{ id: ADULT }, { id: CHILD, day_ids: [D1, D2] }],
      taken: { event: [50], d1: [20], d2: [15] },
    });
    const left = leftOf(world, null, NOW);
    expect(Object.fromEntries(left.days)).toEqual({ d1: 'sold_out', d2: 'few', d3: 'available' });
    expect(Object.fromEntries(left.types)).toEqual({ adult: 'available', child: 'few' });
    expect(left.event).toBe('available');
    const full = leftOf({ ...world, event: { ...world.event, capacity: 50 } }, null, NOW);
    expect([...full.days.values(), ...full.types.values(), full.event]).toEqual(Array(6).fill('sold_out'));
  });

  test('a pass takes a place on each of its days, so it is as full as the fullest', () => {
    const days = [
      { id: D1, capacity: 20 },
      { id: D2, capacity: 20 },
    ];
    const pass = { id: ADULT, pass_days: 1 };
    const left = (taken: World['taken'], waitlist: boolean) =>
      leftOf(worldOf({ waitlist, days, types: [pass, { id: CHILD }], taken: taken! }), null, NOW).types;
    expect(Object.fromEntries(left({ d1: [20] }, false))).toEqual({ adult: 'sold_out', child: 'available' });
    expect(Object.fromEntries(left({ d1: [20], d2: [11] }, true))).toEqual({ adult: 'waitlist', child: 'few' });
    expect(Object.fromEntries(left({ d1: [12] }, false))).toEqual({ adult: 'few', child: 'available' });
  });

  test('a type has its own places, and the event shows the best that can be had', () => {
    const world = {
      types: [
        { id: ADULT, capacity: 20 },
        { id: CHILD, capacity: 20 },
      ],
      taken: { adult: [20], child: [15] },
    } satisfies World;
    expect(Object.fromEntries(leftOf(worldOf(world), null, NOW).types)).toEqual({ adult: 'sold_out', child: 'few' });
    expect(eventLeft(world)).toBe('few');
    expect(eventLeft({ ...world, taken: { adult: [20], child: [20] }, waitlist: true })).toBe('waitlist');
  });
});

describe('a day that is over', () => {
  const days = [
    { id: D1, date: '2030-06-01' },
    { id: D2, date: '2030-06-02' },
    { id: D3, date: '2030-06-03' },
  ];
  const types = [{ id: ADULT }, { id: CHILD, pass_days: 3 }];
  const world = worldOf({ days, types, waitlist: true, taken: { d1: [5, 5] } });
  // Local midnight in Berlin.
  const MIDNIGHT = '2030-06-01T22:00:00Z';

  test('has nothing left, and neither has a pass that needs it', () => {
    const at = (now: string) => leftOf(world, null, new Date(now));
    expect([...at('2030-06-01T21:59:59.999Z').over]).toEqual([]);
    const left = at(MIDNIGHT);
    expect([...left.over]).toEqual([D1, CHILD]);
    expect([left.days.get(D1), left.days.get(D2)]).toEqual(['sold_out', 'available']);
    expect([left.types.get(ADULT), left.types.get(CHILD)]).toEqual(['available', 'sold_out']);
  });

  test('closes the registration if it was the last', () => {
    const published = { ...world, event: { ...world.event, status: 'published' } as EventRow };
    published.event.registration = { ...published.event.registration, opens_at: null, closes_at: null };
    expect(registrationState(published, new Date(MIDNIGHT))).toBe('open');
    expect(registrationState(published, new Date('2030-06-03T22:00:00Z'))).toBe('closed');
  });
});

describe('whether one can register now', () => {
  const at = (status: string, opens_at: string | null, closes_at: string | null, now: string) =>
    registrationState(
      { event: { status, registration: { opens_at, closes_at } } as EventRow, days: [] },
      new Date(now),
    );

  test.each([
    ['published', null, null, 'open'],
    ['published', '2030-01-01T00:00:00Z', null, 'open'],
    ['published', '2030-01-01T00:00:00.001Z', null, 'not_yet'],
    ['published', null, '2030-01-01T00:00:00Z', 'closed'],
    ['published', null, '2030-01-01T00:00:00.001Z', 'open'],
    ['published', '2030-01-02T00:00:00Z', '2030-01-03T00:00:00Z', 'not_yet'],
    ['draft', null, null, 'closed'],
    ['closed', null, null, 'closed'],
    ['archived', null, null, 'closed'],
  ] as const)('%s, from %s until %s: %s', (status, opens, closes, state) => {
    expect(at(status, opens, closes, '2030-01-01T00:00:00Z')).toBe(state);
  });
});
