import { expect, test } from 'vitest';
import { Burst, ticketCodeIn } from './wedge.ts';

const CODE = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';

/** Presses the keys with a pause before each, and says what the last one told. What was before a key is the text before it. */
function typed(keys: readonly string[], pause: number | ((key: number) => number)) {
  const burst = new Burst<string>();
  const at = (key: number): number => (key < 0 ? 1000 : at(key - 1) + (typeof pause === 'number' ? pause : pause(key)));
  return keys.map((key, i) => burst.press(key, at(i), keys.slice(0, i).join(''))).at(-1) ?? null;
}

test('a code that comes in a burst and ends with Enter or Tab is a scan', () => {
  expect(typed([...CODE, 'Enter'], 8)?.code).toBe(CODE);
  expect(typed([...CODE.toLowerCase(), 'Tab'], 60)?.code).toBe(CODE);
});

test('a scanner may hold Shift for capital letters', () => {
  expect(typed([...CODE].flatMap((letter) => ['Shift', letter]).concat('Enter'), 4)?.code).toBe(CODE);
});

test('a scanner may pause in the middle of a code, or before its Enter', () => {
  for (const late of [1, 14, 27, 28])
    expect(typed([...CODE, 'Enter'], (key) => (key === late ? 900 : 20))).toEqual({ code: CODE, before: '' });
});

test('what a person types is no scan, however fast', () => {
  expect(typed([...'Annabelle von Berg-Hohenstein', 'Enter'], 5)).toBe(null);
  expect(typed([...CODE, 'Enter'], 150)).toBe(null);
  expect(typed([...CODE.slice(1), 'Enter'], 5)).toBe(null);
  expect(typed([...CODE, 'ArrowLeft', 'Enter'], 5)).toBe(null);
  expect(typed([...CODE, 'Escape'], 5)).toBe(null);
});

test('what was typed right before a scan is left out of it, and stays', () => {
  expect(typed([...'mil', ...CODE, 'Enter'], 5)).toEqual({ code: CODE, before: 'mil' });
  expect(typed(['Enter', ...CODE, 'Enter'], 5)).toEqual({ code: CODE, before: 'Enter' });
});

test('a code is read in groups, with dashes and in small letters', () => {
  expect(ticketCodeIn(CODE.match(/.{4}/g)!.join(' – ').toLowerCase())).toBe(CODE);
  expect(ticketCodeIn('7K2M9QX4R8')).toBe(null);
});
