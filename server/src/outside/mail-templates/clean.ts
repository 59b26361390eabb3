import { normalized } from '../../unicode.ts';

// Controls, and the marks that turn the direction of what follows. The joiners stay: names and emoji are spelled with them.
const INVISIBLE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}]/gu;

/** One line. Nothing in it can start another header of a mail. */
export const cleanLine = (text: string): string =>
  normalized(text, 'NFC')
    .replace(/[\s\u0085]+/g, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim();

export const cleanLines = (text: string): string[] =>
  text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
    .map(cleanLine);

/**
 * A name as registrants typed it. Anybody can register anybody's address, and mail programs make links of what looks
 * like one: "Dear Win at evil.example" must stay plain text. A space of no width after the dot does that.
 */
export const cleanName = (name: string): string =>
  cleanLine(name)
    .replace(/:\/\//g, ':\u200b//')
    .replace(/(?<=[\p{L}\p{N}])([.@])(?=[\p{L}\p{N}]{2})/gu, '$1\u200b');

/** Only these become links: an address of another scheme is dropped. */
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
