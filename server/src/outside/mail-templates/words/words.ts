import { type Language, languageOf } from '../../locale.ts';
import type { MailKind } from '../mail.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** What sentences are made from; amounts and dates are already written out. */
export interface Facts {
  event: string;
  status: string;
  code: string;
  people: number;
  tickets: number;
  /** What is still to pay; null: nothing. */
  open: string | null;
  due: string | null;
}

export interface Message {
  subject(facts: Facts): string;
  title: string;
  lines(facts: Facts): string[];
}

export interface MailWords {
  language: Language;
  /** With the space French puts before it. */
  colon: string;
  messages: Record<MailKind, Message>;
  greeting(name: string): string;
  /** Without a name to greet. */
  hello: string;
  signOff: string;
  footer(event: string): string;
  reason: string;
  registration: string;
  total: string;
  paid: string;
  open: string;
  due: string;
  people(count: number): string;
  tickets(count: number): string;
  /** In place of the picture, where pictures are not shown. */
  qr: string;
  openTicket: string;
  manage: string;
  more(count: number): string;
}

const WORDS: Record<Language, (own: Record<string, string>) => MailWords> = {
  en,
  de: () => de,
  fr: () => fr,
  es: () => es,
};

/** The organization's words replace ours only in English, as on tickets: they are given once, without grammar. */
export const mailWords = (language: string, terminology: Record<string, string>): MailWords =>
  WORDS[languageOf(language)](terminology);
