import { expect, test } from 'vitest';
import { isPaid, priceAt, type SalePeriod, saleAt } from './prices.ts';

const at = (hour: number): string => new Date(Date.UTC(2030, 0, 1, hour)).toISOString();
const phase = (name: string, from: number | null, until: number | null, price_minor: number) => ({
  ...{ name, from: from === null ? null : at(from), until: until === null ? null : at(until), price_minor },
});

test('without phases the regular price holds, for good', () => {
  expect(priceAt({ price_minor: 500, prices: [] }, new Date(at(0)))).toEqual({
    ...{ price_minor: 500, name: null, until: null, next: null },
  });
});

test('the first phase that holds wins; the next change is the next other price, whichever phases lie between', () => {
  const type = {
    price_minor: 900,
    prices: [phase('flash', 4, 5, 100), phase('early', null, 3, 500), phase('also early', 3, 6, 500)],
  };
  const prices = [0, 3, 4, 5, 6].map((hour) => priceAt(type, new Date(at(hour))));
  expect(prices.map(({ name, price_minor, until, next }) => [name, price_minor, until, next?.price_minor])).toEqual([
    ['early', 500, at(4), 100],
    ['also early', 500, at(4), 100],
    ['flash', 100, at(5), 500],
    ['also early', 500, at(6), 900],
    [null, 900, null, undefined],
  ]);
});

test('at every instant the price is the one that was announced', () => {
  // Phases that overlap at random, with a fixed seed.
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % most;
  };
  for (let round = 0; round < 200; round += 1) {
    const prices = Array.from({ length: random(6) }, (_, i) => {
      const from = random(20);
      return phase(`p${i}`, random(4) === 0 ? null : from, random(4) === 0 ? null : from + 1 + random(5), random(4));
    });
    const type = { price_minor: 9, prices };
    for (let hour = -1; hour < 27; hour += 1) {
      const now = priceAt(type, new Date(at(hour)));
      const later = priceAt(type, new Date(at(hour + 1)));
      const isAnnounced = now.until === at(hour + 1);
      expect(isAnnounced).toBe(now.price_minor !== later.price_minor);
      if (isAnnounced) expect(now.next).toEqual({ price_minor: later.price_minor, name: later.name });
    }
  }
});

test('a sale begins with its first instant and ends before its last', () => {
  const states = (period: SalePeriod | null) => [0, 1, 2].map((hour) => saleAt(period, new Date(at(hour))));
  expect(states({ from: at(1), until: at(2) })).toEqual(['before', 'now', 'over']);
  expect(states({ from: at(1), until: null })).toEqual(['before', 'now', 'now']);
  expect(states({ from: null, until: at(1) })).toEqual(['now', 'over', 'over']);
  expect(states({ from: null, until: null })).toEqual(['now', 'now', 'now']);
  expect(states(null)).toEqual(['now', 'now', 'now']);
});

test('a type is paid if any of its prices is', () => {
  expect(isPaid({ price_minor: 0, prices: [] })).toBe(false);
  expect(isPaid({ price_minor: 0, prices: [phase('door', 1, null, 100)] })).toBe(true);
});
