import { expect, test } from 'vitest';
import { Burst, ticketCodeIn } from './wedge.ts';

const CODE = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';

/** Presses the keys with a pause before each, and says what the last one told. */
function typed(keys: readonly string[], pause: number) {
  const burst = new Burst();
  return keys.map((key, i) => burst.press(key, 1000 + i * pause)).at(-1)!;
}

test('a code that comes in a burst and ends with Enter or Tab is a scan', () => {
  expect(typed([...CODE, 'Enter'], 8).code).toBe(CODE);
  expect(typed([...CODE.toLowerCase(), 'Tab'], 60).code).toBe(CODE);
});

test('a scanner may hold Shift for capital letters', () => {
  expect(typed([...CODE].flatMap((letter) => ['Shift', letter]).concat('Enter'), 4).code).toBe(CODE);
});

test('what a person types is no scan, however fast', () => {
  expect(typed([...'Annabelle von Berg-Hohenstein', 'Enter'], 5).code).toBe(null);
  expect(typed([...CODE, 'Enter'], 150).code).toBe(null);
  expect(typed([...CODE.slice(1), 'Enter'], 5).code).toBe(null);
});

test('what was typed right before a scan is left out of it', () => {
  expect(typed([...'mil', ...CODE, 'Enter'], 5).code).toBe(CODE);
});

test('a burst begins with the first key after a pause', () => {
  const burst = new Burst();
  expect(burst.press('a', 0).begins).toBe(true);
  expect(burst.press('b', 10).begins).toBe(false);
  expect(burst.press('c', 500).begins).toBe(true);
});

test('a code is read in groups, with dashes and in small letters', () => {
  expect(ticketCodeIn(CODE.match(/.{4}/g)!.join(' – ').toLowerCase())).toBe(CODE);
  expect(ticketCodeIn('7K2M9QX4R8')).toBe(null);
});
