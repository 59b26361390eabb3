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
    days: MailDay[];
    price_minor: number;
  }[];
  /** `qr`: the Content-ID of its QR code, which comes along as a picture. */
  tickets?: { code: string; people: string[]; pdf_url?: string; qr?: string }[];
  /** Why, in the organizer's words. */
  reason?: string | null;
  links: { manage?: string };
}

export interface MailDay {
  name: string;
  /** YYYY-MM-DD, in the event's time zone. Null: the event has the day no more. */
  date: string | null;
  /** Null where it has no hours of its own. */
  opens_at: string | null;
  closes_at: string | null;
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
  people: { label: string; rows: { name: string; details: string[]; amount: string }[]; more: string | null } | null;
  tickets: { label: string; rows: TicketRow[]; more: string | null } | null;
  qr: string;
  openTicket: string;
  action: { label: string; url: string } | null;
  signOff: string;
  footer: string;
}

export interface TicketRow {
  code: string;
  people: string;
  link: string | null;
  /** Content-ID of the picture. */
  qr: string | null;
}
