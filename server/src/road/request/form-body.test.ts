import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growsFasterThanInput } from '../../../../test/support/growth.ts';
import { LARGE_FORM, readForm } from './form-body.ts';

const read = (text: string): [string, string][] =>
  [...readForm(text, 100_000)].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

describe('a form', () => {
  test('is read as browsers send it', () => {
    const fields = readForm('a=1&b=x+y&a=2&c=%C3%A9%26%3D&d&=e&&f=g=h', 20);
    expect([...fields]).toEqual([
      ['a', ['1', '2']],
      ['b', ['x y']],
      ['c', ['é&=']],
      ['d', ['']],
      ['', ['e']],
      ['f', ['g=h']],
    ]);
    expect([fields.get('a'), fields.get('z'), fields.getAll('z'), fields.has('d')]).toEqual(['1', null, [], true]);
  });

  test('that is encoded wrongly is read all the same', () => {
    expect(read('a=100%&b=%zz&c=%E0%A4%A&ü%=ß%C3%9F')).toEqual([
      ['a', '100%'],
      ['b', '%zz'],
      ['c', '\ufffd%A'],
      ['ü%', 'ßß'],
    ]);
  });

  test('is read like the standard says, whatever people typed', () => {
    const field = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field), { maxLength: 20 }), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        // Fields of one name are put together, so only the order among them counts.
        const sorted = (all: Iterable<[string, string]>) => [...all].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        expect(sorted(read(text))).toEqual(sorted(new URLSearchParams(text)));
      }),
    );
  });

  test('with as many fields as are allowed is taken, and one with more is refused', () => {
    const { fields: most } = LARGE_FORM;
    expect([...readForm('a=1&'.repeat(most - 1), most)]).toHaveLength(1);
    expect(() => readForm('a&'.repeat(most), most)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});

/** Texts that are made to be slow for whatever reads forms. */
const distinct = (size: number): string => {
  let text = '';
  for (let i = 0; text.length < size; i += 1) text += `p19-q-${i}=&`;
  return text;
};
const SLOW: [string, (size: number) => string][] = [
  ...['a&', '+&', '=&', '&', '%', '%&', '%41', '%E0%A4', '+', '=', 'a=1&', 'a=%F0', '%c3%a9&', '\u0100%&'].map(
    (part): [string, (size: number) => string] => [part, (size) => part.repeat(size / part.length)],
  ),
  ['different names', distinct],
];

describe('the time grows with the size and no faster', () => {
  test.each(SLOW)('%s', (_part, make) => {
    const texts = new Map<number, string>();
    const text = (size: number) => texts.get(size) ?? texts.set(size, make(size)).get(size)!;
    expect(growsFasterThanInput((size) => readForm(text(size), Number.MAX_SAFE_INTEGER - 1), 100_000)).toBe(false);
  });

  test.each(SLOW)('of what stands behind the ? of an address, which the router reads: %s', (_part, make) => {
    const { parse } = createRequire(import.meta.resolve('fastify'))('fast-querystring') as {
      parse: (text: string) => object;
    };
    expect(growsFasterThanInput((size) => parse(make(size)), 100_000)).toBe(false);
  });

  test('the guard seen failing: `URLSearchParams` needs the square of it', () => {
    const text = (size: number) => 'a&'.repeat(size / 2);
    expect(growsFasterThanInput((size) => new URLSearchParams(text(size)), 100_000)).toBe(true);
  });
});
