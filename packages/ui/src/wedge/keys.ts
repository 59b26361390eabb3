/*
 * What the keys of a scanner say that pretends to be a keyboard. The gate and the desk read them alike; what tells a scanner from a person
 * differs: wedge.ts where no field has the focus, field-wedge.ts where one has.
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
   * What else the code may be, the likeliest first. If the scanner and the system have different keyboard layouts, it cannot always be told
   * from the characters: a scanner that is set to an American keyboard, as most are when they are bought, writes Y for Z on a German system.
   * And a key that was pressed just before may have been the first one of the code or not.
   */
  readonly otherwise: readonly string[];
}

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

/** What a key writes: as the system understands it, and as an American keyboard would. Null: it writes nothing. */
export function charactersOf(key: Key): { typed: string; american: string } | null {
  const american = americanCharacter(key);
  const typed = [...key.key].length === 1 ? key.key : key.key === 'Dead' ? UNKNOWN : null;
  return typed === null && american === null ? null : { typed: typed ?? UNKNOWN, american: american ?? UNKNOWN };
}
export const endsCode = ({ key }: Key): boolean => key === 'Enter' || key === 'Tab';
/** Whether the key comes between characters without ending what is typed, like Shift. */
export const isSilent = ({ key }: Key): boolean => SILENT.has(key);

/** Stands for a key whose character is not known. */
export const UNKNOWN = '\u{fffd}';
/** The codes of tickets and badges, and the addresses in the QR codes that pair a device. */
const PLAUSIBLE = /^(?:[A-Za-z0-9 -]+|https?:\/\/[!-~]+)$/;

/**
 * Of what the system says was typed and what an American keyboard would have typed with the same keys. If the system's text has signs that
 * no code has (a German ß for a dash, a French & for a 1), scanner and system have different layouts.
 */
export function readings(typed: string, american: string): string[] {
  const plausible = { typed: PLAUSIBLE.test(typed), american: PLAUSIBLE.test(american) };
  if (!plausible.typed && plausible.american) return [american];
  return plausible.american && american !== typed ? [typed, american] : [typed];
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
function takesText(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && !WITHOUT_TEXT.has(element.type);
}
const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** What matters of a key that was pressed in a page. */
export const keyOf = (event: KeyboardEvent): Key => ({
  ...{ key: event.key, code: event.code, shift: event.shiftKey, repeat: event.repeat, at: event.timeStamp },
  command: (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph'),
  field: event.isComposing || takesText(event.composedPath()[0] ?? null),
});
