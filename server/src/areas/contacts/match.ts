import { cutText, isVisible, normalized } from '../../common/unicode.ts';

/** The trimmed text, or null if there is nothing visible in it: blank text cannot tell people apart. */
export const present = (text: string | null | undefined): string | null =>
  text != null && isVisible(text) ? text.trim() : null;

/** The text without case, accents and superfluous spaces. It may be much longer than the text: U+FDFA alone becomes 18 letters. */
export const plainText = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : normalized(present(text) ?? '', 'NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll('ß', 'ss')
        .replaceAll(/\s+/g, ' ')
        .trim();
/** Text in which only the case has to be folded. Most e-mail addresses are like that, and imports compare a million of them. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * No key of one text is longer. A name of 100 letters fits in every script: the syllables of Korean become three letters each, and no
 * other script grows more. Whatever is longer is cut, in the key only, because every search and every comparison pays for its length.
 */
export const KEY_LENGTH = 300;
/** Two keys and the space between them. Migration 0045 has the same number. */
export const NAME_KEY_LENGTH = 2 * KEY_LENGTH + 1;

/**
 * Normalises text for comparison: case, accents and spacing are ignored, and of phone numbers only the digits count
 * (docs/decisions/0016). A person is recognized by ID, then by e-mail address and name, then by phone number and name. Text of
 * which nothing is left is no key and matches nobody.
 */
export const normalise = (text: string): string => cutText(plainText(text), KEY_LENGTH).trimEnd();

export interface PersonNames {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
}

export interface MatchKeys {
  name_key: string;
  given_key: string;
  email_key: string | null;
  phone_key: string | null;
}

export const emailKey = (email: string | null): string | null => (email === null ? null : normalise(email) || null);
export const externalKey = (id: string | null): string | null => (id === null ? null : normalise(id) || null);
export const phoneKey = (phone: string | null): string | null =>
  phone?.replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, KEY_LENGTH) || null;

export function keysOf(person: PersonNames): MatchKeys {
  const first = normalise(person.first_name ?? '');
  const last = normalise(person.last_name ?? '');
  return {
    name_key: `${last} ${first}`.trim(),
    given_key: `${first} ${last}`.trim(),
    email_key: emailKey(person.email),
    phone_key: phoneKey(person.phone),
  };
}
