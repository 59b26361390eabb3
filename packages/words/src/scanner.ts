/**
 * The words of the scanner, without those of the organizer's app: whatever is built into the scanner is kept on the phone, so that it
 * opens without a network.
 */
import type { Language } from './languages.ts';
import type { Catalogue } from './message.ts';

export { Formats } from './formats.ts';
export { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from './languages.ts';
export { type Catalogue, write } from './message.ts';
export type { Translate } from './words.ts';

export const loadScanner = async (language: Language): Promise<Catalogue> =>
  ((await import(`./${language}/scanner.ts`)) as { default: Catalogue }).default;
