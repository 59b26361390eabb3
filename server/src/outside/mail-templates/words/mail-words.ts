import type { Language } from '../../locale.ts';
import type { MailKind } from '../mail.ts';

/** What sentences are built from. Amounts and dates are already formatted. */
export interface Facts {
  event: string;
  status: string;
  code: string;
  people: number;
  tickets: number;
  /** How many of the tickets are attached. */
  attached: number;
  /** The amount that is still to pay; null if there is none. */
  open: string | null;
  due: string | null;
  /** Until when the places are held if the registrant confirms their address; null if that changes nothing. */
  keep: string | null;
}

export interface Message {
  subject(facts: Facts): string;
  title: string | ((facts: Facts) => string);
  lines(facts: Facts): string[];
}

export interface MailWords {
  language: Language;
  /** In French it begins with a space. */
  colon: string;
  messages: Record<MailKind, Message>;
  greeting(name: string): string;
  /** The greeting if there is no name. */
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
  /** Shown in place of the picture by programs that show no pictures. */
  qr: string;
  openTicket: string;
  manage: string;
  /** Instead of `manage`, where something is due. */
  payNow: string;
  calendar: string;
  howToPay: string;
  more(count: number): string;
}
