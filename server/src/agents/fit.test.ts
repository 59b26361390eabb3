import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fit, MAX_CHARACTERS, rowsThatFit, visibleJson } from './fit.ts';
import { refusedResult, resultOf } from './results.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 }));
const row = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.oneof(text, fc.integer(), fc.constant(null)), {
  maxKeys: 6,
});
const answer = fc.record({ id: text, data: fc.array(row, { maxLength: 30 }), note: text, of: fc.array(text) });

describe('visible JSON', () => {
  test('means the same as the JSON that it replaces', () => {
    fc.assert(
      fc.property(answer, (value) => {
        const json = visibleJson(value);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('what fits', () => {
  test('a value that fits is not changed', () => {
    fc.assert(
      fc.property(answer, (value) => {
        const fitted = fit(value, visibleJson(value).length);
        expect(fitted).toEqual({ value, cuts: [] });
      }),
    );
  });

  test('whatever it is, it fits afterwards, and lists keep their first entries whole', () => {
    fc.assert(
      fc.property(answer, fc.integer({ min: 400, max: 3000 }), (value, most) => {
        const shown = fit(value, most).value as typeof value;
        expect(visibleJson(shown).length).toBeLessThanOrEqual(most);
        expect(Object.keys(shown)).toEqual(Object.keys(value));
        if (shown.data.length > 1) expect(shown.data).toEqual(value.data.slice(0, shown.data.length));
      }),
    );
  });

  test('as many rows as fit, and not one more', () => {
    fc.assert(
      fc.property(answer, fc.integer({ min: 400, max: 3000 }), (value, most) => {
        const rows = rowsThatFit(value, most);
        const of = (n: number) => visibleJson({ ...value, data: value.data.slice(0, n) }).length;
        if (rows > 0) expect(of(rows)).toBeLessThanOrEqual(most);
        if (rows < value.data.length) expect(of(rows + 1)).toBeGreaterThan(most);
      }),
    );
  });

  test('what was cut is named', () => {
    const { cuts } = fit({ id: 'x', people: Array.from({ length: 200 }, () => ({ name: 'n'.repeat(90) })) }, 2000);
    expect(cuts).toEqual([{ path: 'people', kept: expect.any(Number), of: 200 }]);
    expect(cuts[0]!.kept).toBeGreaterThan(10);
  });
});

describe('results', () => {
  test('the largest answers and refusals are cut, and stay JSON that says so', () => {
    const huge = 'x'.repeat(200_000);
    const details = Array.from({ length: 100 }, () => ({ path: 'p'.repeat(300), message: 'm'.repeat(1000) }));
    const values: unknown[] = [
      { a: huge },
      { data: [{ a: huge }, { a: huge }] },
      { a: { b: { c: Array.from({ length: 50_000 }, (_, i) => i) } } },
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field-${i}`, i])),
    ];
    const results = [
      ...values.map((one) => resultOf(one)),
      refusedResult({ error: { code: 'x', message: huge, details } }),
    ];
    for (const { content, structuredContent } of results) {
      expect(content[0]!.text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
      expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
      expect(structuredContent._shortened).toMatch(/too long/);
    }
    expect(results.at(-1)).toMatchObject({ isError: true, structuredContent: { error: { code: 'x' } } });
  });
});
