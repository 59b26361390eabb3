/** Labels stand alone and not in sentences, so an organization's own term fits without changing the grammar around it. */
export interface TicketWords {
  ticket: string;
  attendee: string;
  attendees: string;
  /** The label above the days. */
  days(count: number): string;
  registration: string;
  terms: string;
  test: string;
  testNote: string;
  /** Shown below the code. */
  hint: string;
  more(count: number): string;
}
