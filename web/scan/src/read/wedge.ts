/**
 * Scanners that pretend to be a keyboard (by cable or Bluetooth): they type a code faster than anybody can and end it with Enter or Tab.
 *
 *   idle     → a character                                  → typing
 *   typing   → a character, at most MOST_GAP_MS later        → typing
 *            → a character, at most MOST_PAUSE_MS later,
 *              after characters that only a scanner types     → typing
 *            → a character, later                            → typing, from this character on
 *            → Enter or Tab: a burst that is long and fast   → idle, and a code was read
 *            → Enter or Tab otherwise, or any other key      → idle
 *   either   → a key while a field has the focus             → idle; the key belongs to the field
 */

/** What matters of a `KeyboardEvent`. */
export interface Key {
  readonly key: string;
  /** The key on the board, whatever the layout writes on it. */
  readonly code: string;
  readonly shift: boolean;
  /** Ctrl, Alt or Meta is held: a shortcut, not text. AltGr writes text on many layouts and does not count. */
  readonly command: boolean;
  /** Somebody holds the key down. A scanner never does. */
  readonly repeat: boolean;
  /** When it was pressed (`timeStamp` of the event, which a busy page does not delay). */
  readonly at: number;
  /** Whether a field has the focus that takes text. */
  readonly field: boolean;
}

export interface Typed {
  /** The code. */
  readonly text: string;
  /**
   * What the code is if the scanner and the system have different keyboard layouts and it could not be told from the characters. A
   * scanner that is set to an American keyboard, as most are when they are bought, writes Y for Z on a German system.
   */
  readonly otherwise: string | null;
}

export interface Heard {
  readonly typed: Typed | null;
  /** The key belongs to a scan and must not do anything else, like pressing the button that has the focus. */
  readonly take: boolean;
}

/** The slowest gap within a burst. Bluetooth at its slowest needs about 60 ms for a key; a busy phone doubles it. */
export const MOST_GAP_MS = 150;
/** The longest pause in the middle of a burst, by bad radio or a busy device. Without it, the second half would be read as a code. */
export const MOST_PAUSE_MS = 1000;
/** The slowest burst, on average for each key. Very fast typists need 80 ms for a key, and 60 ms for a few in a row. */
export const AVERAGE_GAP_MS = 50;
/** Nobody types fewer characters than this by a scanner, and a few keys hit at once are not a scan. */
export const LEAST_CHARACTERS = 6;
/** The longest code that the server accepts. */
export const MOST_CHARACTERS = 500;
/** From this character on, a fast burst is taken to be a scanner. Before it, a key does what it does otherwise. */
const TAKEN_FROM = 3;

const NOTHING: Heard = { typed: null, take: false };
/** Keys that come between characters without ending a burst. */
const SILENT = new Set([
  'Shift',
  'CapsLock',
  'AltGraph',
  'NumLock',
  'Alt',
  'Control',
  'Meta',
  'Process',
  'Unidentified',
]);

export class Wedge {
  #typed = '';
  #american = '';
  #first = 0;
  #last = 0;
  #keys = 0;

  hear(key: Key): Heard {
    if (key.field || key.command || key.repeat) return this.#idle();
    if (this.#keys > 0 && key.at - this.#last > this.#patience()) this.#idle();
    if (key.key === 'Enter' || key.key === 'Tab') return this.#end(key.at);
    const american = americanCharacter(key);
    const typed = [...key.key].length === 1 ? key.key : key.key === 'Dead' ? UNKNOWN : null;
    if (typed === null && american === null) return SILENT.has(key.key) ? NOTHING : this.#idle();
    if (this.#keys === 0) this.#first = key.at;
    this.#last = key.at;
    this.#keys += 1;
    if (this.#keys <= MOST_CHARACTERS) {
      this.#typed += typed ?? UNKNOWN;
      this.#american += american ?? UNKNOWN;
    }
    return { typed: null, take: this.#keys >= TAKEN_FROM && this.#fast(key.at) };
  }

  #patience(): number {
    return this.#keys >= TAKEN_FROM && this.#fast(this.#last) ? MOST_PAUSE_MS : MOST_GAP_MS;
  }

  #fast(at: number): boolean {
    return at - this.#first <= AVERAGE_GAP_MS * this.#keys;
  }

  #end(at: number): Heard {
    const burst = this.#keys >= LEAST_CHARACTERS && this.#fast(at);
    const typed = burst && this.#keys <= MOST_CHARACTERS ? choose(this.#typed, this.#american) : null;
    this.#idle();
    return { typed, take: burst };
  }

  #idle(): Heard {
    this.#typed = '';
    this.#american = '';
    this.#keys = 0;
    return NOTHING;
  }
}

/** Stands for a key whose character is not known. */
const UNKNOWN = '\u{fffd}';
/** The codes of tickets and badges, and the addresses in the QR codes that pair a device. */
const PLAUSIBLE = /^(?:[A-Za-z0-9 -]+|https?:\/\/[!-~]+)$/;

/**
 * Of what the system says was typed and what an American keyboard would have typed with the same keys. If the system's text has signs that
 * no code has (a German ß for a dash, a French & for a 1), scanner and system have different layouts.
 */
function choose(typed: string, american: string): Typed {
  const plausible = { typed: PLAUSIBLE.test(typed), american: PLAUSIBLE.test(american) };
  if (!plausible.typed && plausible.american) return { text: american, otherwise: null };
  return { text: typed, otherwise: plausible.american && american !== typed ? american : null };
}

const PLAIN: Record<string, string> = {
  ...{
    Minus: '-_',
    Equal: '=+',
    Slash: '/?',
    Period: '.>',
    Comma: ',<',
    Semicolon: ';:',
    Quote: `'"`,
    Backquote: '`~',
  },
  ...{ BracketLeft: '[{', BracketRight: ']}', Backslash: '\\|', Space: '  ' },
  ...{ NumpadSubtract: '--', NumpadAdd: '++', NumpadDivide: '//', NumpadMultiply: '**', NumpadDecimal: '..' },
};
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** What an American keyboard writes with this key. */
function americanCharacter({ code, shift }: Key): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return shift ? SHIFTED_DIGITS[Number(digit)]! : digit;
  return /^Numpad(\d)$/.exec(code)?.[1] ?? PLAIN[code]?.[shift ? 1 : 0] ?? null;
}

/** Whether an element takes text, so that keys belong to it. */
export function takesText(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && !WITHOUT_TEXT.has(element.type);
}
const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Listens to a page until `signal` ends it. */
export function listenToWedge(page: Window, onTyped: (typed: Typed) => void, signal: AbortSignal): void {
  const wedge = new Wedge();
  const hear = (event: KeyboardEvent) => {
    const { typed, take } = wedge.hear({
      ...{ key: event.key, code: event.code, shift: event.shiftKey, repeat: event.repeat, at: event.timeStamp },
      command: (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph'),
      field: event.isComposing || takesText(event.composedPath()[0] ?? null),
    });
    if (take) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (typed !== null) onTyped(typed);
  };
  // Before anything in the page hears of the key.
  page.addEventListener('keydown', hear, { capture: true, signal });
}
