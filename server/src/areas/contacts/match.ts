import { isVisible, normalized } from '../../unicode.ts';

/** Blank is absent: text in which there is nothing to see tells nobody apart. */
export const present = (text: string | null | undefined): string | null =>
  text != null && isVisible(text) ? text.trim() : null;

/**
 * How a person is found again: by ID, then by e-mail and name, then by phone and name. Compared ignoring case, accents and
 * spacing; phones by their digits (docs/decisions/0016). What comes to nothing is no key and fits nobody.
 */
export const normalise = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : normalized(present(text) ?? '', 'NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll('ß', 'ss')
        .replaceAll(/\s+/g, ' ')
        .trim();
/** Nothing to fold but case: most addresses, and imports compare a million of them. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

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
  phone?.replaceAll(/\D/g, '').replace(/^0+/, '') || null;

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
