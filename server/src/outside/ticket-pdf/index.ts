import { Printer } from './printer.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

export { PrintedTooLong } from './printer.ts';
export { qrPng } from './qr-png.ts';
export { qrSvg } from './qr-svg.ts';
export type { TicketFormat, TicketPrint } from './ticket.ts';

const printer = new Printer();

/** How many tickets one document has at most. A hundred with a page of terms each take about a second of processor time. */
export const TICKETS_PER_DOCUMENT = 100;

/** The tickets of each document, in order. */
export const documentsOf = <Ticket>(tickets: readonly Ticket[]): Ticket[][] =>
  Array.from({ length: Math.ceil(tickets.length / TICKETS_PER_DOCUMENT) }, (_, n) =>
    tickets.slice(n * TICKETS_PER_DOCUMENT, (n + 1) * TICKETS_PER_DOCUMENT),
  );

/** Each ticket begins on a page of its own. The organizations take turns at printing. */
export function renderTicketsPdf(tickets: TicketPrint[], format: TicketFormat, organization: string): Promise<Buffer> {
  if (tickets.length > TICKETS_PER_DOCUMENT) {
    throw new Error(`A document has at most ${TICKETS_PER_DOCUMENT} tickets, not ${tickets.length}.`);
  }
  return printer.print({ tickets, format }, organization);
}

export const renderTicketPdf = (ticket: TicketPrint, format: TicketFormat, organization: string): Promise<Buffer> =>
  renderTicketsPdf([ticket], format, organization);
