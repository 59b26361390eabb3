import type { Key } from './keys.ts';

/*
 * Keys as a scanner sends them that is set to an American keyboard, and as a system understands them that is set to another one.
 */

export interface Layout {
  /** What the system makes of the characters that an American keyboard would write; the same if it is not named. */
  readonly [american: string]: string;
}
export const AMERICAN: Layout = {};
export const GERMAN: Layout = { Y: 'Z', Z: 'Y', y: 'z', z: 'y', '-': 'ß', '/': '-', ':': 'Ö', '#': '§', '=': '´' };
export const FRENCH: Layout = {
  ...{ A: 'Q', Q: 'A', Z: 'W', W: 'Z', M: '?', '-': ')' },
  ...{ 0: 'à', 1: '&', 2: 'é', 3: '"', 4: "'", 5: '(', 6: '-', 7: 'è', 8: '_', 9: 'ç' },
};
/** The key that an American keyboard has for a character. */
const KEYS: Record<string, string> = {
  '-': 'Minus',
  '/': 'Slash',
  ':': 'Semicolon',
  ' ': 'Space',
  '=': 'Equal',
  '.': 'Period',
};
const placeOf = (character: string): string =>
  /[a-z]/i.test(character)
    ? `Key${character.toUpperCase()}`
    : /\d/.test(character)
      ? `Digit${character}`
      : character === '#'
        ? 'Digit3'
        : (KEYS[character] ?? '');

export const press = (key: string, code: string, at: number, more: Partial<Key> = {}): Key => ({
  ...{ key, code, at, shift: false, command: false, repeat: false, field: false },
  ...more,
});

const SHIFTED = /^[A-Z:#]$/;
/** The key for a character, or a key with a name such as Enter, that the scanner presses. */
export const typing = (key: string, at: number, layout: Layout = AMERICAN, more: Partial<Key> = {}): Key =>
  [...key].length > 1
    ? press(key, key, at, more)
    : press(layout[key] ?? key, placeOf(key), at, { shift: SHIFTED.test(key), ...more });

/** What a German system makes of the letters of an American keyboard. */
export const swapped = (text: string): string => text.replace(/[YZ]/g, (letter) => (letter === 'Y' ? 'Z' : 'Y'));
