import { type Language, languageOf } from '../../locale.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** Each label stands alone, so that a word of the organization fits in without grammar around it. */
export interface TicketWords {
  ticket: string;
  attendee: string;
  attendees: string;
  /** Above the days. */
  days(count: number): string;
  registration: string;
  terms: string;
  test: string;
  testNote: string;
  /** Under the code. */
  hint: string;
  more(count: number): string;
}

const WORDS: Record<Language, (own: Record<string, string>) => TicketWords> = {
  en,
  de: () => de,
  fr: () => fr,
  es: () => es,
};

/**
 * The organization's words replace ours only in English: they are given once, and a word of one language
 * inside the sentences of another reads worse than the plain word.
 */
export const ticketWords = (language: string, terminology: Record<string, string> = {}): TicketWords =>
  WORDS[languageOf(language)](terminology);
