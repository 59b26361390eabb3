import { charactersOf, endsCode, isSilent, type Key, keyOf, readings, type Typed, UNKNOWN } from './keys.ts';

/**
 * Scanners that pretend to be a keyboard (by cable or Bluetooth): they type a code faster than anybody can and end it with Enter or Tab.
 *
 *   idle     → a character                                   → typing
 *   typing   → a character, at most MAX_GAP_MS later         → typing
 *            → a character, later than that:
 *              after characters that only a scanner types,
 *              at most FORGOTTEN_MS later                      → typing
 *              after one or two, at most MAX_PAUSE_MS later   → typing; they may also be of somebody who touched the keyboard
 *              otherwise                                       → typing, from this character on
 *            → Enter or Tab: a burst that is long and fast    → idle, and a code was read
 *            → Enter or Tab otherwise                         → idle
 *            → any other key, in the middle of a burst        → cut
 *            → any other key otherwise                        → idle
 *   cut      → a character, at most MAX_GAP_MS later         → cut; it is the rest of a code, and not a code
 *            → Enter or Tab                                   → idle
 *   either   → a key while a field has the focus              → cut if it is a character, else idle; the key belongs to the field
 */

export interface Heard {
  readonly typed: Typed | null;
  /** The key belongs to a scan and must not do anything else, like pressing the button that has the focus. */
  readonly take: boolean;
}

/** The slowest gap within a burst. Bluetooth at its slowest needs about 60 ms for a key; a busy phone doubles it. */
export const MAX_GAP_MS = 150;
/** The longest pause in a burst, by bad radio or a busy device. */
export const MAX_PAUSE_MS = 1000;
/** For so long, what follows the characters of a scanner is the rest of their code. Nobody is told that half a code is unknown. */
export const FORGOTTEN_MS = 3000;
/** The slowest burst, on average for each key. Very fast typists need 80 ms for a key, and 60 ms for a few in a row. */
export const AVERAGE_GAP_MS = 50;
/** Nobody types fewer characters than this by a scanner, and a few keys hit at once are not a scan. */
export const MIN_CHARACTERS = 6;
/** The longest code that the server accepts. */
export const MAX_CHARACTERS = 500;
/** From this character on, a fast burst is taken to be a scanner. Before it, a key does what it does otherwise. */
const TAKEN_FROM = 3;

const NOTHING: Heard = { typed: null, take: false };
const TAKEN: Heard = { typed: null, take: true };
export class Wedge {
  #typed = '';
  #american = '';
  #keys = 0;
  #last = 0;
  /** How many keys, one or two, were followed by a pause before the burst began; zero if there was none. */
  #apart = 0;
  /** When the burst began. */
  #first = 0;
  /** How much of its time since then were pauses. */
  #paused = 0;
  /** When the latest character was typed of a code whose beginning, or a key in the middle of it, was for something else. */
  #cut = Number.NEGATIVE_INFINITY;

  hear(key: Key): Heard {
    const ends = endsCode(key);
    const written = charactersOf(key);
    if (key.field || key.command || key.repeat) return this.#away(key.at, key.field && written !== null, ends);
    if (written === null && !ends) return isSilent(key) ? NOTHING : this.#away(key.at, false, false);
    if (key.at - this.#cut <= MAX_GAP_MS) {
      this.#cut = ends ? Number.NEGATIVE_INFINITY : key.at;
      return TAKEN;
    }
    this.#wait(key.at);
    if (ends) return this.#end(key.at);
    if (this.#keys === this.#apart) this.#first = key.at;
    this.#last = key.at;
    this.#keys += 1;
    if (this.#keys <= MAX_CHARACTERS) {
      this.#typed += written?.typed ?? UNKNOWN;
      this.#american += written?.american ?? UNKNOWN;
    }
    return this.#scanner() ? TAKEN : NOTHING;
  }

  /** The key is no part of a code that is read here. */
  #away(at: number, written: boolean, ends: boolean): Heard {
    this.#wait(at);
    if (ends) this.#cut = Number.NEGATIVE_INFINITY;
    else if (written || this.#scanner()) this.#cut = at;
    return this.#idle();
  }

  /** Forgets what was typed if this key, a moment later, is not its continuation. */
  #wait(at: number): void {
    const gap = at - this.#last;
    if (this.#keys === 0 || gap <= MAX_GAP_MS) return;
    if (this.#scanner() && gap <= FORGOTTEN_MS) this.#paused += gap;
    else if (this.#keys < TAKEN_FROM && gap <= MAX_PAUSE_MS) this.#apart = this.#keys;
    else this.#idle();
  }

  /** Whether only a scanner types like this, apart from pauses. */
  #scanner(): boolean {
    const keys = this.#keys - this.#apart;
    return keys >= TAKEN_FROM && this.#last - this.#first - this.#paused <= AVERAGE_GAP_MS * keys;
  }

  #end(at: number): Heard {
    const burst = this.#keys >= MIN_CHARACTERS && this.#scanner();
    const fast = at - this.#first <= AVERAGE_GAP_MS * (this.#keys - this.#apart);
    const typed = burst && fast && this.#keys <= MAX_CHARACTERS ? this.#read() : null;
    this.#idle();
    return { typed, take: burst };
  }

  /** Whole at first. A key that was pressed just before is rather the code's than somebody's: bad radio is more frequent at a door. */
  #read(): Typed {
    const whole = readings(this.#typed, this.#american);
    const keys = this.#keys - this.#apart;
    const rest =
      this.#apart === 0 || keys < MIN_CHARACTERS
        ? []
        : readings(after(this.#typed, this.#apart), after(this.#american, this.#apart));
    const [text, ...otherwise] = [...whole, ...rest];
    return { text: text!, otherwise };
  }

  #idle(): Heard {
    this.#typed = '';
    this.#american = '';
    this.#keys = 0;
    this.#apart = 0;
    this.#paused = 0;
    return NOTHING;
  }
}

/** What is left of a text without its first characters, each of which may be two of JavaScript's. */
const after = (text: string, characters: number): string => [...text].slice(characters).join('');

/** Listens to a page until `signal` ends it. */
export function listenToWedge(page: Window, onTyped: (typed: Typed) => void, signal: AbortSignal): void {
  const wedge = new Wedge();
  const hear = (event: KeyboardEvent) => {
    const { typed, take } = wedge.hear(keyOf(event));
    if (take) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (typed !== null) onTyped(typed);
  };
  // Before anything in the page hears of the key.
  page.addEventListener('keydown', hear, { capture: true, signal });
}
