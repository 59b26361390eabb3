/** Names as they are searched: in lower case, without accents, in words. */

/** Letters that Unicode does not take apart into a letter and a mark. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};
const MARKS = /\p{M}+/gu;
const APOSTROPHES = /['’‘ʼ`´]/gu;
const BETWEEN = /[^\p{L}\p{N}]+/gu;
const PLAIN = /^[a-z]*$/;

/** The words of a name or of what was typed. `O'Brien` is one word, `Anna-Lena` two. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower === '' ? [] : [lower];
  const folded = lower
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(/[ßæœøđðłþħı]/g, (letter) => SPELLED[letter]!)
    .toLowerCase();
  return folded.split(BETWEEN).filter((word) => word !== '');
}

/** Stands before a registration's code in a line. Nobody can type it, so letters of a name never find a code that begins with them. */
const CODE_MARK = '\u0001';

/** The word by which the people of a registration are found. */
export const wordOfRegistration = (code: string): string => `${CODE_MARK}${code.toLowerCase()}`;

/**
 * Every word has a space before it, so that the beginning of a word can be looked for. The last name comes first, for the order, and the
 * code of the registration last.
 */
export const lineOf = (
  { first_name, last_name }: { readonly first_name: string; readonly last_name: string },
  registration: string | null,
): string => {
  const code = registration === null ? [] : [wordOfRegistration(registration)];
  return [...wordsOf(last_name), ...wordsOf(first_name), ...code].map((word) => ` ${word}`).join('');
};

/** How well a line fits what was typed: 0 if every word is a whole one, 1 if the first one begins the line, 2 otherwise; null if it does not fit. */
export function fit(line: string, words: readonly string[]): 0 | 1 | 2 | null {
  let whole = true;
  for (const word of words) {
    if (!line.includes(` ${word}`)) return null;
    whole &&= `${line} `.includes(` ${word} `);
  }
  return whole ? 0 : line.startsWith(` ${words[0]}`) ? 1 : 2;
}
