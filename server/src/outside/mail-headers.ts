import { ADDRESS, cleanLine, shortened } from './clean.ts';

/**
 * Makes what people and organizers typed harmless in the headers of a mail: one line, with nothing that a mail program would
 * decode (RFC 2047), turn into a link or take for another address. Every mail passes through here, whoever wrote it.
 */
const LONGEST_NAME = 100;
const LONGEST_SUBJECT = 200;
const LONGEST_FILE = 100;

/** Matched only at the beginning of a word, so that each character is read once. */
const SCHEME = /(?<![a-z\d+.-])[a-z][a-z\d+.-]*:\/\/+/gi;
/** The beginning and end of an encoded word. Each is replaced by a space, so that its neighbours do not form a new one. */
const ENCODED = /=\?|\?=/g;

const line = (text: string): string =>
  cleanLine(cleanLine(text.toWellFormed()).replace(SCHEME, ' ').replaceAll('://', ' ').replace(ENCODED, ' '));

/** Mail programs show the name in place of the address, so a name must not look like an address: it loses its dots. */
export const displayName = (name: string): string =>
  shortened(
    cleanLine(
      line(name)
        .replace(ADDRESS, ' ')
        .replace(/[<>\\]/g, ' ')
        .replaceAll('"', "'"),
    ),
    LONGEST_NAME,
  );

/** "Node.js Fair" looks the same; a zero-width space keeps it from becoming a link. */
export const subjectLine = (subject: string): string =>
  shortened(line(subject), LONGEST_SUBJECT).replace(ADDRESS, '$&\u200b');

export const fileName = (name: string): string =>
  shortened(line(name).replace(/[/\\:*?"<>|]/g, '-'), LONGEST_FILE) || 'attachment';

export const headerValue = (value: string): string => cleanLine(value).replace(ENCODED, ' ');

const ONE_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

export const isAddress = (text: string): boolean => ONE_ADDRESS.test(text);

/** Requires that the text is one address and nothing else. */
export function requireAddress(address: string): string {
  if (!isAddress(address)) throw new Error('The recipient is not a valid e-mail address.');
  return address;
}
