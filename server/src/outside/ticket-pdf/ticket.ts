/** What a ticket shows. Timestamps are ISO 8601; the words around them follow the event's language. */
export interface TicketPrint {
  /** Upper case letters and digits: what the QR code holds. */
  code: string;
  event: {
    name: string;
    venue: string | null;
    timezone: string;
    /** BCP 47. */
    language: string;
    starts_at: string | null;
    ends_at: string | null;
    terms: string | null;
  };
  organization: { name: string; terminology?: Record<string, string> };
  /** Several on a shared ticket. */
  people: { name: string; attendee_type: string }[];
  days: {
    name: string;
    /** YYYY-MM-DD, in the event's time zone. */
    date: string;
    opens_at: string | null;
    closes_at: string | null;
  }[];
  registration_code: string;
  test: boolean;
}

export type TicketFormat = 'a4' | 'phone';
