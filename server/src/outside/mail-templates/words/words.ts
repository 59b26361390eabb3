import { type Language, languageOf } from '../../locale.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { MailWords } from './mail-words.ts';

const WORDS: Record<Language, (own: Record<string, string>) => MailWords> = {
  en,
  de: () => de,
  fr: () => fr,
  es: () => es,
};

/**
 * The organization's own terms replace ours only in English, as on tickets: they come without the gender and case that the
 * sentences of other languages would need.
 */
export const mailWords = (language: string, terminology: Record<string, string>): MailWords =>
  WORDS[languageOf(language)](terminology);
