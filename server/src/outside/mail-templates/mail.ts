export const MAIL_KINDS = [
  'confirmation',
  'waitlisted',
  'approval_pending',
  'approved',
  'declined',
  'cancelled',
  'ticket_reissued',
  'payment_due',
  'promoted',
  'registration_expired',
  'attendee_ticket',
  'attendee_cancelled',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What a mail tells. Timestamps are ISO 8601, amounts in minor units. */
export interface MailData {
  organization: {
    name: string;
    /** The organization's own words: attendee, attendees, registration, ticket, tickets … */
    terminology: Record<string, string>;
  };
  event: {
    name: string;
    venue: string | null;
    timezone: string;
    /** BCP 47. */
    language: string;
    starts_at: string | null;
    ends_at: string | null;
  };
  recipient: { name: string };
  registration: {
    code: string;
    status: string;
    total_minor: number;
    paid_minor: number;
    currency: string;
    payment_due_at: string | null;
  };
  people: {
    name: string;
    attendee_type: string;
    /** Names of the days. */
    days: string[];
    price_minor: number;
  }[];
  tickets?: { code: string; people: string[]; pdf_url?: string }[];
  /** Why, in the organizer's words. */
  reason?: string | null;
  links: { manage?: string };
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** A mail before it is text or HTML. Everything in it is plain text, cleaned and not yet escaped. */
export interface Letter {
  language: string;
  /** After a label, in text. */
  colon: string;
  subject: string;
  organization: string;
  /** The headline. */
  title: string;
  greeting: string;
  paragraphs: string[];
  quote: { label: string; lines: string[] } | null;
  event: { name: string; lines: string[] };
  facts: { label: string; value: string; strong?: boolean }[];
  people: { label: string; rows: { name: string; detail: string; amount: string }[]; more: string | null } | null;
  tickets: { label: string; rows: { code: string; people: string; link: string | null }[]; more: string | null } | null;
  openTicket: string;
  action: { label: string; url: string } | null;
  signOff: string;
  footer: string;
}
