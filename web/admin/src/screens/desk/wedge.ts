/** A scanner that works as a keyboard types a code much faster than a person, even over Bluetooth. */
const GAP_MS = 100;
const CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const LENGTH = 28;

/** The code of a ticket as it was scanned, typed or pasted, also in groups of four; null if the text is something else. */
export function ticketCodeIn(text: string): string | null {
  const code = text.replaceAll(/[\s\p{Pd}\u00ad\u200b\ufeff]/gu, '').toUpperCase();
  return CODE.test(code) ? code : null;
}

/** Follows the keys that are pressed, and tells when a scanner has typed the code of a ticket. */
export class Burst {
  #text = '';
  #last = Number.NEGATIVE_INFINITY;

  /** `begins`: whatever was typed before this key has nothing to do with it. `code`: this key ends a code. */
  press(key: string, at: number): { begins: boolean; code: string | null } {
    // Scanners hold Shift for capital letters.
    if (key === 'Shift' || key === 'CapsLock') return { begins: false, code: null };
    const begins = at - this.#last > GAP_MS;
    if (begins) this.#text = '';
    this.#last = at;
    if (key.length === 1) {
      this.#text += key;
      return { begins: this.#text.length === 1, code: null };
    }
    const code = key === 'Enter' || key === 'Tab' ? ticketCodeIn(this.#text.slice(-LENGTH)) : null;
    this.#text = '';
    return { begins, code };
  }
}
