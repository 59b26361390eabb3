/** Longer than any word that is written somewhere (Unicode's Stream-Safe Text Format has the same number). */
const MOST_MARKS = 30;
const MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * `String.normalize` for text from outside. ICU sorts the marks above and below a letter one by one, so 40,000 of them in a row
 * take it 700 ms, and four times as many sixteen times as long [m]. What no alphabet needs is left out before.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKD'): string =>
  (text.length > MOST_MARKS ? text.replace(MARKS, '$1') : text).normalize(form);

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether there is anything to see in it: spaces, control, zero-width and filling characters (U+3164, U+2800) and marks without a
 * letter leave nothing that a list or a badge could show, or that tells one person from another.
 */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
