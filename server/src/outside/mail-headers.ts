import { cleanLine, shortened } from './mail-templates/clean.ts';

/**
 * What people and organizers typed, made harmless for the headers of a mail: one line, nothing that a program would decode
 * (RFC 2047), follow, or take for another address. Done here for every mail, whatever wrote it and whatever sends it.
 */
const LONGEST_NAME = 100;
const LONGEST_SUBJECT = 200;
const LONGEST_FILE = 100;

/** Looked for where a word begins, so each letter is read once. */
const SCHEME = /(?<![a-z\d+.-])[a-z][a-z\d+.-]*:\/\/+/gi;
/** What makes an address of words: mail programs turn `evil.example` and `ceo@evil.example` into links. */
const ADDRESS = /(?<=[\p{L}\p{N}])(?:[.\uff0e\uff61](?=\p{L}{2})|@(?=[\p{L}\p{N}]))/gu;
/** Beginning and end of an encoded word. A space stays in its place, so that nothing closes up to another one. */
const ENCODED = /=\?|\?=/g;

const line = (text: string): string =>
  cleanLine(cleanLine(text.toWellFormed()).replace(SCHEME, ' ').replaceAll('://', ' ').replace(ENCODED, ' '));

/** A name that looks like an address is shown in the place of the address, so it loses its dots. */
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

/** "Node.js Fair" reads as before: a space of no width keeps it from being a link. */
export const subjectLine = (subject: string): string =>
  shortened(line(subject), LONGEST_SUBJECT).replace(ADDRESS, '$&\u200b');

export const fileName = (name: string): string =>
  shortened(line(name).replace(/[/\\:*?"<>|]/g, '-'), LONGEST_FILE) || 'attachment';

export const headerValue = (value: string): string => cleanLine(value).replace(ENCODED, ' ');

const ONE_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

/** One address, and nothing beside it. */
export function requireAddress(address: string): string {
  if (!ONE_ADDRESS.test(address)) throw new Error('this is no address to send a mail to');
  return address;
}
