import { isTicketCode, ticketCode } from '@turnout/checkin';
import { describe, expect, test } from 'vitest';
import { FieldWedge } from './field-wedge.ts';
import { FRENCH, GERMAN, type Layout, press, swapped, typing } from './testing.ts';

const CODE = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';
/** A code in which the letters that change places on a German keyboard do not occur. */
const PLAIN = '7K2M9QX4R8TB3W6V1H5V0D4C8H2N';
const codeIn = (text: string) => (isTicketCode(ticketCode(text)) ? ticketCode(text) : null);

/** Presses the keys with a pause before each, and says what the last one told. What was before a key is the text before it. */
function typed(
  keys: readonly string[],
  pause: number | ((key: number) => number),
  { layout = {}, repeat = false }: { layout?: Layout; repeat?: boolean } = {},
) {
  const wedge = new FieldWedge<string>(codeIn);
  const at = (key: number): number => (key < 0 ? 1000 : at(key - 1) + (typeof pause === 'number' ? pause : pause(key)));
  return keys.map((key, i) => wedge.hear(typing(key, at(i), layout, { repeat }), keys.slice(0, i).join(''))).at(-1)!;
}
const read = (text: string, before = '') => ({ text, otherwise: [], before });

describe('a scanner', () => {
  test('is heard by a code that comes in a burst and ends with Enter or Tab', () => {
    expect(typed([...CODE, 'Enter'], 8)).toEqual(read(CODE));
    expect(typed([...CODE.toLowerCase(), 'Tab'], 60)).toEqual(read(CODE));
  });

  test('may hold Shift for capital letters', () => {
    expect(typed([...CODE].flatMap((letter) => ['Shift', letter]).concat('Enter'), 4)?.text).toBe(CODE);
  });

  test('may pause in the middle of a code, or before its Enter', () => {
    for (const late of [1, 14, 27, 28])
      expect(typed([...CODE, 'Enter'], (key) => (key === late ? 900 : 20))).toEqual(read(CODE));
  });

  test.each([
    ['dashes', '-'],
    ['a minus', '\u2212'],
    ['a dash between spaces', ' – '],
    ['a left-to-right mark', '\u200e'],
    ['a word joiner', '\u2060'],
  ])('may type %s between groups of the code', (_what, between) => {
    expect(typed([...CODE.match(/.{4}/g)!.join(between), 'Enter'], 8)).toEqual(read(CODE));
    expect(typed([...'mil', ...CODE.match(/.{4}/g)!.join(between), 'Enter'], 8)).toEqual(read(CODE, 'mil'));
  });

  test('types a code after what was typed right before, which stays', () => {
    expect(typed([...'mil', ...CODE, 'Enter'], 5)).toEqual(read(CODE, 'mil'));
    expect(typed(['Enter', ...CODE, 'Enter'], 5)).toEqual(read(CODE, 'Enter'));
  });
});

describe('a scanner that is set to another layout than the system', () => {
  const grouped = CODE.match(/.{4}/g)!.join('-');

  test.each([
    ['German', GERMAN],
    ['French', FRENCH],
  ])('is read right on a %s system if the code has dashes', (_name, layout) => {
    expect(typed([...grouped, 'Enter'], 8, { layout })).toEqual(read(CODE));
  });

  test('is read right on a French system by its digits alone', () => {
    expect(typed([...CODE, 'Enter'], 8, { layout: FRENCH })).toEqual(read(CODE));
  });

  test('on a German system, where only Y and Z change places, both readings are told', () => {
    expect(typed([...CODE, 'Enter'], 8, { layout: GERMAN })).toEqual({
      text: swapped(CODE),
      otherwise: [CODE],
      before: '',
    });
    expect(typed([...PLAIN, 'Enter'], 8, { layout: GERMAN })).toEqual(read(PLAIN));
  });

  test('leaves what was typed right before, too', () => {
    const { text, otherwise, before } = typed([...'mil', ...grouped, 'Enter'], 8, { layout: FRENCH })!;
    expect([text, otherwise, before]).toEqual([CODE, [], 'mil']);
  });
});

describe('a person', () => {
  test('is no scanner, however fast', () => {
    expect(typed([...'Annabelle von Berg-Hohenstein', 'Enter'], 5)).toBe(null);
    expect(typed([...CODE, 'Enter'], 150)).toBe(null);
    expect(typed([...CODE.slice(1), 'Enter'], 5)).toBe(null);
    expect(typed([...CODE, 'ArrowLeft', 'Enter'], 5)).toBe(null);
    expect(typed([...CODE, 'Escape'], 5)).toBe(null);
  });

  test('who holds a key down is no scanner', () => {
    expect(typed([...'A'.repeat(28), 'Enter'], 5, { repeat: true })).toBe(null);
  });

  test('who uses shortcuts is no scanner', () => {
    const wedge = new FieldWedge<null>(codeIn);
    const keys = [...CODE].map((key, i) => press(key, `Key${key}`, i, { command: true }));
    expect([...keys, press('Enter', 'Enter', 40)].map((key) => wedge.hear(key, null)).at(-1)).toBe(null);
  });
});
