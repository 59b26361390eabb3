/** No language puts more combining marks in a row. Unicode's Stream-Safe Text Format uses the same number. */
const MAX_MARKS = 30;
const MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/**
 * `String.normalize` for text from callers. ICU sorts the combining marks of a letter one by one: 40,000 of them in a row take
 * 700 ms, and the time grows with the square of their number (measured). So marks beyond what any language needs are dropped
 * first.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  (text.length > MAX_MARKS ? text.replace(MARKS, '$1') : text).normalize(form);

/** The beginning of the text, at most so many UTF-16 units. A surrogate pair is never cut in two: PostgreSQL refuses half of one. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether a text has anything that can be seen. Spaces, control characters, zero-width and filler characters (U+3164, U+2800) and
 * marks without a letter show nothing on a list or a badge, and do not tell one person from another.
 */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
