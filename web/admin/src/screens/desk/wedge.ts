const CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const LENGTH = 28;
/**
 * A scanner that works as a keyboard types a code much faster than a person, even over Bluetooth. It may pause in the middle
 * (bad radio, a busy computer), so this is the longest time for the whole code, not for a key.
 */
const MOST_MS = 100 * LENGTH;

/** The code of a ticket as it was scanned, typed or pasted, also in groups of four; null if the text is something else. */
export function ticketCodeIn(text: string): string | null {
  const code = bare(text);
  return CODE.test(code) ? code : null;
}

const bare = (text: string): string => text.replaceAll(/[\s\p{Pd}\u00ad\u200b\ufeff]/gu, '').toUpperCase();

const REGISTRATION_CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** The code of a registration as it was typed or pasted; null if the text is something else. A name of ten letters may look like one. */
export function registrationCodeIn(text: string): string | null {
  const code = bare(text);
  return REGISTRATION_CODE.test(code) ? code : null;
}

/**
 * Follows the keys that are pressed, and tells when a scanner has typed the code of a ticket. `Before` is what the caller remembers of
 * the moment before a key.
 */
export class Burst<Before> {
  #keys: { readonly text: string; readonly at: number; readonly before: Before }[] = [];

  /** The code that this key ends, and what was before its first letter; null if it ends none. */
  press(key: string, at: number, before: Before): { code: string; before: Before } | null {
    // Scanners hold Shift for capital letters.
    if (key === 'Shift' || key === 'CapsLock') return null;
    if (key.length === 1) {
      this.#keys = [...this.#keys.slice(1 - LENGTH), { text: key, at, before }];
      return null;
    }
    const [first] = this.#keys;
    const code = ticketCodeIn(this.#keys.map(({ text }) => text).join(''));
    this.#keys = [];
    const ends = (key === 'Enter' || key === 'Tab') && first !== undefined && at - first.at <= MOST_MS;
    return ends && code !== null ? { code, before: first.before } : null;
  }
}
