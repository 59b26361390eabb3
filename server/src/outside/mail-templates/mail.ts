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
  'place_received',
  'place_handed_on',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The content of a mail. Timestamps are ISO 8601, amounts are in minor units. */
export interface MailData {
  organization: {
    name: string;
    /** The organization's own words: attendee, attendees, registration, ticket, tickets … */
    terminology: Record<string, string>;
    /** The organization's colour, dark enough for white letters. Null or absent: black. */
    accent?: string | null;
    /** The Content-ID of the attached picture of the organization's logo. */
    logo?: string | null;
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
    /** Until when its places are held if the registrant confirms their address. Null or absent: that changes nothing. */
    kept_until?: string | null;
    /** The code of a discount, and what it took off in all. */
    discount?: { code: string; minor: number };
  };
  /** What is booked for all people together. */
  products?: MailProduct[];
  people: {
    name: string;
    attendee_type: string;
    days: MailDay[];
    /** What the ticket costs, less what a code took off. */
    price_minor: number;
    /** What is booked beside the ticket. */
    products?: MailProduct[];
    /** The page of this person's own place, if the mail is about several that have none in common. */
    manage?: string | null;
  }[];
  /** `qr` is the Content-ID of the attached picture of the QR code. */
  tickets?: { code: string; people: string[]; pdf_url?: string; qr?: string }[];
  /** How many of the tickets are attached as PDF; if left out, as many as a mail brings. */
  attached?: number;
  /** The reason that the organizer gave. */
  reason?: string | null;
  /** Whether the page behind `manage` takes payments. */
  online?: boolean;
  /** How to pay without a payment provider, in the organizer's words. */
  payment_instructions?: string | null;
  /** `manage`: the page on which the recipient manages the registration, or their own place. */
  links: { manage?: string; calendar?: string };
}

export interface MailProduct {
  /** `T-shirt, Medium × 2` */
  text: string;
  /** What all units cost, less what a code took off. */
  amount_minor: number;
}

export interface MailDay {
  name: string;
  /** YYYY-MM-DD in the event's timezone; null if the day was deleted. */
  date: string | null;
  /** Null if the day has no hours of its own. */
  opens_at: string | null;
  closes_at: string | null;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** A mail before it is turned into plain text and HTML. All its texts are cleaned and not yet escaped. */
export interface Letter {
  language: string;
  /** What follows a label in plain text. */
  colon: string;
  subject: string;
  organization: string;
  /** The headline. */
  title: string;
  greeting: string;
  paragraphs: string[];
  quote: { label: string; lines: string[] } | null;
  /** How to pay. */
  payment: { label: string; lines: string[] } | null;
  event: { name: string; lines: string[] };
  facts: { label: string; value: string; strong?: boolean }[];
  people: { label: string; rows: PersonRow[]; more: string | null } | null;
  /** What is booked for all people together. */
  together: { label: string; rows: PersonRow[]; more: string | null } | null;
  tickets: { label: string; rows: TicketRow[]; more: string | null } | null;
  qr: string;
  openTicket: string;
  action: { label: string; url: string } | null;
  calendar: { label: string; url: string } | null;
  accent: string;
  logo: string | null;
  signOff: string;
  footer: string;
}

export interface PersonRow {
  name: string;
  details: string[];
  amount: string;
  link: { label: string; url: string } | null;
}

export interface TicketRow {
  code: string;
  people: string;
  link: string | null;
  /** The Content-ID of the picture. */
  qr: string | null;
}
