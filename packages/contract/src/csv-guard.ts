/** Characters that make a spreadsheet take a text for a formula, in their ASCII and full-width forms. */
const SIGN = String.raw`[=+\-@＝＋－＠﹢﹣﹦﹫]`;
/** What a spreadsheet may skip in front of them: quotes, spaces and invisible characters, but no tab and no line break. */
const BEFORE = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"'])*`;
/**
 * The positions where a formula could begin, whatever a spreadsheet takes for the separator: one whose list separator is ";"
 * splits a cell there, and behind that point it no longer sees our quotes. A cell that begins with a tab or a line break is
 * guarded at its beginning, too.
 */
const RUN = new RegExp(String.raw`^(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])(?=${BEFORE}${SIGN})`, 'gu');
const GUARDED = new RegExp(String.raw`^'(?='*[\t\r\n])|(?<=^|[,;|\t\r\n])'(?=${BEFORE}${SIGN})`, 'gu');
/** A quick check that most texts pass: they contain none of these characters and need no guard. */
const HARMLESS = /^(?!['\t\r\n])[^=+\-@＝＋－＠﹢﹣﹦﹫]*$/;

/**
 * Puts a `'` wherever a spreadsheet would begin to read a formula. Quotes of that kind which are already there are part of the
 * text and get a guard of their own, so `unguard` restores every text exactly.
 */
export const guard = (text: string): string => (HARMLESS.test(text) ? text : text.replace(RUN, "'"));
export const unguard = (text: string): string => (text.includes("'") ? text.replace(GUARDED, '') : text);
