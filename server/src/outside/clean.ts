import { normalized } from '../common/unicode.ts';

// Control characters, and the marks that change the direction of the text behind them: a name must not rearrange a mail or a
// ticket. The two joiners stay, because Persian, the scripts of India and emoji are spelled with them.
const INVISIBLE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}]/gu;
// Spaces of every width and line breaks. U+FEFF is not a space: it is removed with the other invisible characters.
const SPACES = /(?:(?!\ufeff)[\s\u0085])+/g;

/** Makes one line of a text. It can neither end a header of a mail nor begin another one. */
export const cleanLine = (text: string): string =>
  normalized(text, 'NFC').replace(SPACES, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim();

/** Cleans each line of a text. One empty line between paragraphs stays. */
export const cleanLines = (text: string, clean = cleanLine): string[] =>
  text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
    .map(clean);

const EMOJI = /\p{RGI_Emoji}|\ufe0f/gv;

/** A line for a ticket on paper, without emoji: none of the ticket's fonts has them. */
export const printableLine = (text: string): string => cleanLine(text.replace(EMOJI, ''));
export const printableLines = (text: string): string[] => cleanLines(text, printableLine);

/**
 * A name as the registrant typed it. Anybody can register somebody else's address, and mail programs turn whatever looks like
 * an address into a link: "Dear Win at evil.example" must stay plain text. A zero-width space behind the dot prevents the link.
 */
export const cleanName = (name: string): string =>
  cleanLine(name)
    .replace(/:\/\//g, ':\u200b//')
    .replace(/(?<=[\p{L}\p{N}])([.@])(?=[\p{L}\p{N}]{2})/gu, '$1\u200b');

/** The dots and at signs that make an address: programs turn `evil.example` and `ceo@evil.example` into links. */
export const ADDRESS = /(?<=[\p{L}\p{N}])(?:[.\uff0e\uff61](?=\p{L}{2})|@(?=[\p{L}\p{N}]))/gu;

/** A name on a ticket on paper. Programs that show PDFs make links, too, and no font has a zero-width space: it gets a wide one. */
export const printableName = (name: string): string =>
  cleanLine(printableLine(name).replaceAll('://', ' ').replace(ADDRESS, ' '));

const LONGEST_NAME = 60;
const NO_NAME = /@|:\/\/|\bwww\.|[\p{Sc}%]|(?:\p{N}\P{N}*){4}/iu;

/**
 * A name that a mail is addressed to and greets. Whoever fills in a form chooses it for somebody else's mailbox, so what is longer than
 * a name, or has an address, an amount or a phone number in it, greets nobody: then it is empty.
 */
export function greetedName(name: string): string {
  const clean = cleanLine(name);
  return clean.length > LONGEST_NAME || NO_NAME.test(clean) ? '' : clean;
}

/** Null unless the address is http or https: no other scheme becomes a link. */
export function cleanUrl(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}

export const shortened = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
