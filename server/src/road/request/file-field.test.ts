import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../common/refusal.ts';
import { FieldScanner } from './file-field.ts';

/** The text that was taken out (null if there was none), and the parsed rest. */
function scan(body: string | Buffer, size: number): { text: string | null; rest: unknown } {
  const bytes = Buffer.from(body as string);
  const scanner = new FieldScanner('csv');
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(...scanner.push(bytes.subarray(at, at + size)));
  const text = scanner.found ? Buffer.concat(parts).toString() : null;
  return { text, rest: JSON.parse(Buffer.concat(scanner.rest).toString()) };
}
const sizes = fc.constantFrom(1, 2, 3, 5, 7, 64, 10_000);

test('for any body, in any pieces: the text is what JSON.parse makes of it, and the rest is unchanged', () => {
  const body = fc.record(
    {
      csv: fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.integer(),
        fc.constant(null),
      ),
      preview: fc.boolean(),
      mapping: fc.dictionary(fc.constantFrom('csv', 'a"b', '\\', 'é'), fc.string()),
      'c"s,v': fc.array(fc.constantFrom('csv', { csv: 'no' }, ':', '{')),
    },
    { requiredKeys: [] },
  );
  const spelled = fc.record({ body, escaped: fc.boolean(), indent: fc.constantFrom(undefined, 2), size: sizes });
  fc.assert(
    fc.property(spelled, ({ body, escaped, indent, size }) => {
      let text = JSON.stringify(body, null, indent);
      if (escaped)
        text = text.replaceAll(/[^\x20-\x7e\n]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const { csv } = body;
      if (typeof csv === 'string' && (csv.includes('\u0000') || !csv.isWellFormed())) {
        expect(() => scan(text, size)).toThrow(Refusal);
        return;
      }
      const { text: taken, rest } = scan(text, size);
      expect(taken).toBe(typeof csv === 'string' ? csv : null);
      const whole = JSON.parse(text);
      expect(rest).toEqual(typeof csv === 'string' ? { ...whole, csv: csv === '' ? '' : '-' } : whole);
    }),
    { numRuns: 600 },
  );
});

test('the name of the field may contain escapes; only a field of the outermost object is taken', () => {
  expect(scan('{"\\u0063sv":"a"}', 3)).toEqual({ text: 'a', rest: { '\\u0063sv': undefined, csv: '-' } });
  expect(scan('[{"csv":"a"}]', 3)).toEqual({ text: null, rest: [{ csv: 'a' }] });
  expect(scan('"csv"', 3)).toEqual({ text: null, rest: 'csv' });
  expect(scan('{"csv":["csv","a"]}', 3)).toEqual({ text: null, rest: { csv: ['csv', 'a'] } });
});

describe.each([1, 4, 1000])('in pieces of %i', (size) => {
  test.each([
    ['a line break in the text', '{"csv":"a\nb"}', 'is not JSON'],
    ['a bad escape', '{"csv":"a\\x"}', 'is not JSON'],
    ['an incomplete unicode escape', '{"csv":"a\\u12"}', 'is not JSON'],
    [
      'bytes that are not UTF-8',
      Buffer.from([...Buffer.from('{"csv":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
      'is not UTF-8',
    ],
    ['the text twice', '{"csv":"a","csv":"b"}', 'was sent twice'],
    ['half a pair', '{"csv":"\\ud83d"}', 'half a surrogate pair'],
    ['U+0000', '{"csv":"\\u0000"}', 'U+0000'],
  ])('%s is refused', (_name, body, words) => {
    try {
      scan(body, size);
    } catch (error) {
      expect(JSON.stringify((error as Refusal).options.details)).toContain(words);
      return;
    }
    throw new Error('it was not refused');
  });

  test.each(['{"csv":"a', '{"csv":"a"', '{"csv":5 "a"}', '{"csv" "a"}'])(
    '%s is left to the parser, which refuses it',
    (body) => {
      expect(() => scan(body, size)).toThrow(SyntaxError);
    },
  );
});

test('at most 1 MB beside the file is kept', () => {
  const scanner = new FieldScanner('csv');
  for (let i = 0; i < 100; i += 1) expect([...scanner.push(Buffer.alloc(65_536, '['))]).toEqual([]);
  expect([scanner.restIsTooLarge, scanner.rest.length]).toEqual([true, 0]);
});
