import { Printer } from './printer.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

export { qrPng } from './qr-png.ts';
export { qrSvg } from './qr-svg.ts';
export type { TicketFormat, TicketPrint } from './ticket.ts';

const printer = new Printer();

/** Each ticket begins on a page of its own. `whose` is the organization: organizations take turns at printing. */
export const renderTicketsPdf = (tickets: TicketPrint[], format: TicketFormat, whose: string): Promise<Buffer> =>
  printer.print({ tickets, format }, whose);

export const renderTicketPdf = (ticket: TicketPrint, format: TicketFormat, whose: string): Promise<Buffer> =>
  renderTicketsPdf([ticket], format, whose);
