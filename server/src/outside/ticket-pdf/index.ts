import { Printer } from './printer.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

export { qrPng } from './qr-png.ts';
export type { TicketFormat, TicketPrint } from './ticket.ts';

const printer = new Printer();

/** Each ticket starts a page of its own. `whose` is who takes turns with others: an organization. */
export const renderTicketsPdf = (tickets: TicketPrint[], format: TicketFormat, whose: string): Promise<Buffer> =>
  printer.print({ tickets, format }, whose);

export const renderTicketPdf = (ticket: TicketPrint, format: TicketFormat, whose: string): Promise<Buffer> =>
  renderTicketsPdf([ticket], format, whose);
