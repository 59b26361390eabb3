import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLEARLY_NEARER, GONE_AFTER_ANOTHER_MS, GONE_MS, Holding } from './holding.ts';
import type { SeenCode } from './types.ts';

/** Pictures, each with the milliseconds since the one before it. */
type Pictures = readonly { readonly gap: number; readonly codes: readonly SeenCode[] }[];

/** Every scan: its code and when it was read. */
function scansOf(pictures: Pictures): { text: string; at: number }[] {
  const holding = new Holding();
  let at = 0;
  return pictures.flatMap(({ gap, codes }) => {
    at += gap;
    const text = holding.see(codes, at);
    return text === null ? [] : [{ text, at }];
  });
}
const one = (text: string, off = 0): readonly SeenCode[] => [{ text, off }];

describe('one code', () => {
  test('is one scan, however long it is held', () => {
    expect(scansOf(Array.from({ length: 1000 }, () => ({ gap: 66, codes: one('A') })))).toHaveLength(1);
  });

  test('is still one scan if some pictures of it cannot be read', () => {
    const pictures = [one('A'), [], [], one('A'), [], one('A')].map((codes) => ({ gap: 400, codes }));
    expect(scansOf(pictures)).toEqual([{ text: 'A', at: 400 }]);
  });

  test.each([
    [GONE_MS - 1, 1],
    [GONE_MS, 2],
  ])('after %i ms out of sight, there are %i scans', (gap, scans) => {
    expect(
      scansOf([
        { gap: 0, codes: one('A') },
        { gap, codes: one('A') },
      ]),
    ).toHaveLength(scans);
  });
});

describe('another code', () => {
  test('is read at once', () => {
    expect(
      scansOf([
        { gap: 0, codes: one('A') },
        { gap: 33, codes: one('B') },
      ]).map(({ text }) => text),
    ).toEqual(['A', 'B']);
  });

  test('in between makes the first one new sooner, because the answer on the screen is no longer its own', () => {
    const back = (gap: number) =>
      scansOf([
        { gap: 0, codes: one('A') },
        { gap: 100, codes: one('B') },
        { gap: gap - 100, codes: one('A') },
      ]).map(({ text }) => text);
    expect(back(GONE_AFTER_ANOTHER_MS - 1)).toEqual(['A', 'B']);
    expect(back(GONE_AFTER_ANOTHER_MS)).toEqual(['A', 'B', 'A']);
  });

  test('two tickets side by side, found in turn, are each read once', () => {
    const pictures = Array.from({ length: 200 }, (_, index) => ({ gap: 66, codes: one(index % 2 === 0 ? 'A' : 'B') }));
    expect(scansOf(pictures).map(({ text }) => text)).toEqual(['A', 'B']);
  });
});

describe('two codes in one picture', () => {
  test('the one nearest to the middle is read, and the other one not', () => {
    const codes = [...one('A', 0.7), ...one('B', 0.2)];
    expect(scansOf(Array.from({ length: 50 }, () => ({ gap: 66, codes })))).toEqual([{ text: 'B', at: 66 }]);
  });

  test('a hand that trembles reads one of them; a hand that moves to the other one reads both', () => {
    const between = (nearer: number) => [
      { gap: 0, codes: [...one('A', 0.5), ...one('B', 0.6)] },
      { gap: 66, codes: [...one('A', 0.6), ...one('B', 0.6 - nearer)] },
    ];
    expect(scansOf(between(CLEARLY_NEARER - 0.01))).toHaveLength(1);
    expect(scansOf(between(CLEARLY_NEARER + 0.01)).map(({ text }) => text)).toEqual(['A', 'B']);
  });
});

describe('while nobody wants to know', () => {
  test('a code that is held on is not new afterwards, and one that came in the meantime is', () => {
    const holding = new Holding();
    expect(holding.see(one('A'), 0)).toBe('A');
    for (let at = 66; at < 10_000; at += 66) expect(holding.see(one('A'), at, true)).toBeNull();
    expect(holding.see(one('A'), 10_000)).toBeNull();
    expect(holding.see(one('B'), 10_066, true)).toBeNull();
    expect(holding.see(one('B'), 10_132)).toBe('B');
  });
});

describe('whatever is seen', () => {
  const seen = fc.record({ text: fc.constantFrom('A', 'B', 'C'), off: fc.double({ min: 0, max: 2, noNaN: true }) });
  const pictures = fc.array(
    fc.record({
      gap: fc.integer({ min: 0, max: 2 * GONE_MS }),
      codes: fc.uniqueArray(seen, { maxLength: 3, selector: ({ text }) => text }),
    }),
    { maxLength: 60 },
  );

  test('a code is read only when it is in the picture, and nearest to its middle', () => {
    fc.assert(
      fc.property(pictures, (given) => {
        const holding = new Holding();
        let at = 0;
        for (const { gap, codes } of given) {
          at += gap;
          const text = holding.see(codes, at);
          if (text === null) continue;
          const mine = codes.find((code) => code.text === text);
          expect(Math.min(...codes.map(({ off }) => off))).toBe(mine?.off);
        }
      }),
    );
  });

  test('between two scans of a code it was out of sight for long enough', () => {
    fc.assert(
      fc.property(pictures, (given) => {
        const scans = scansOf(given);
        let at = 0;
        const sights = given.flatMap(({ gap, codes }) => {
          at += gap;
          return codes.map(({ text }) => ({ text, at }));
        });
        for (const [index, scan] of scans.entries()) {
          const before = scans.slice(0, index).findLastIndex(({ text }) => text === scan.text);
          if (before < 0) continue;
          const times = sights.filter(({ text, at: when }) => text === scan.text && when <= scan.at).map((s) => s.at);
          const since = times.filter((when) => when >= scans[before]!.at);
          const longest = Math.max(...since.map((when, i) => when - (since[i - 1] ?? when)));
          const another = before < index - 1;
          expect(longest).toBeGreaterThanOrEqual(another ? GONE_AFTER_ANOTHER_MS : GONE_MS);
        }
      }),
    );
  });

  test('a code that is alone in the picture, and was not seen before, is read in its first picture', () => {
    fc.assert(
      fc.property(pictures, (given) => {
        const scans = scansOf([...given, { gap: 1, codes: one('NEW', 1.5) }]);
        expect(scans.at(-1)?.text).toBe('NEW');
      }),
    );
  });
});
