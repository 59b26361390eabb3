/** The content of a ticket. Timestamps are ISO 8601. The ticket is printed in the event's language. */
export interface TicketPrint {
  /** Capital letters and digits; the content of the QR code. */
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
  /** A shared ticket has several. */
  people: {
    name: string;
    attendee_type: string /** What they have booked beside the ticket. */;
    products?: string[];
  }[];
  days: {
    name: string;
    /** YYYY-MM-DD in the event's timezone. */
    date: string;
    opens_at: string | null;
    closes_at: string | null;
  }[];
  registration_code: string;
  test: boolean;
}

export type TicketFormat = 'a4' | 'phone';
