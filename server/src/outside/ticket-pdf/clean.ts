import { normalized } from '../../unicode.ts';

// Controls, and the marks that turn the direction of whatever follows: a name must not rearrange the ticket.
// The two joiners stay: Persian and the scripts of India spell with them.
const INVISIBLE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}]/gu;
// No font of ours has them, and a ticket loses nothing.
const EMOJI = /\p{RGI_Emoji}|\ufe0f/gv;
// Spaces of many widths, as Intl writes them into dates, are one width here.
const SPACES = /[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

const plain = (text: string) => normalized(text, 'NFC').replace(SPACES, ' ').replace(EMOJI, '');

/** One line of text. */
export const cleanLine = (text: string): string =>
  plain(text.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, ' '))
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Text in paragraphs; an empty line stays one. */
export const cleanParagraphs = (text: string): string[] =>
  text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
    .map(cleanLine);
