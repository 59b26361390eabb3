import { type Language, languageOf } from '../../locale.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { TicketWords } from './ticket-words.ts';

const WORDS: Record<Language, (own: Record<string, string>) => TicketWords> = {
  en,
  de: () => de,
  fr: () => fr,
  es: () => es,
};

/**
 * The organization's own terms replace ours only in English: an organization gives them in one language only, and a term of one
 * language among labels of another reads worse than the plain word.
 */
export const ticketWords = (language: string, terminology: Record<string, string> = {}): TicketWords =>
  WORDS[languageOf(language)](terminology);
