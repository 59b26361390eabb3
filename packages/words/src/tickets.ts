/** The texts of tickets as PDF. Browsers never load them. */
import type tickets from './en/server/tickets.ts';
import { serverTexts, type Writing } from './server-texts.ts';

export type TicketWords = Writing<typeof tickets>;

export const ticketTexts = await serverTexts<typeof tickets>('server/tickets');
