import { charactersOf, endsCode, isSilent, type Key, readings, type Typed } from './keys.ts';

/**
 * A scanner types a code much faster than a person, even over Bluetooth. It may pause in the middle (bad radio, a busy computer), so this
 * is the longest time for the whole code, on average for each key, and not the longest gap.
 */
const MAX_MS_PER_KEY = 100;
/** More keys than this are not remembered: the longest code, in groups with dashes and spaces between them. */
const MAX_KEYS = 64;

/**
 * Follows the keys that are pressed in a page whose fields have the focus, and tells when a scanner has typed a code. People type there
 * too, and right before, so a code is known by its form and not by its pace alone: `codeIn` says which code a text is, or null. `Before`
 * is what the caller remembers of the moment before a key.
 */
export class FieldWedge<Before> {
  readonly #codeIn: (text: string) => string | null;
  #keys: { readonly typed: string; readonly american: string; readonly at: number; readonly before: Before }[] = [];

  constructor(codeIn: (text: string) => string | null) {
    this.#codeIn = codeIn;
  }

  /** The code that this key ends, and what was before its first letter; null if it ends none. */
  hear(key: Key, before: Before): (Typed & { before: Before }) | null {
    if (key.command || isSilent(key)) return null;
    const written = key.repeat ? null : charactersOf(key);
    if (written !== null) {
      this.#keys = [...this.#keys.slice(1 - MAX_KEYS), { ...written, at: key.at, before }];
      return null;
    }
    const keys = this.#keys;
    this.#keys = [];
    if (!endsCode(key)) return null;
    // The fewest keys that are a code: what stands before them was not typed by the scanner.
    for (let from = keys.length - 1; from >= 0; from -= 1) {
      const [text, ...otherwise] = this.#codesOf(keys.slice(from));
      if (text === undefined) continue;
      const { at, before } = keys[from]!;
      return key.at - at <= MAX_MS_PER_KEY * (keys.length - from) ? { text, otherwise, before } : null;
    }
    return null;
  }

  #codesOf(keys: readonly { typed: string; american: string }[]): string[] {
    const all = readings(keys.map(({ typed }) => typed).join(''), keys.map(({ american }) => american).join(''));
    return [...new Set(all.map(this.#codeIn).filter((code) => code !== null))];
  }
}
