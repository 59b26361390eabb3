import { isRegistrationCode, isTicketCode, ticketCode } from '@turnout/checkin';

/** What a code may be that no ticket has, as far as its form tells. */
export type CodeForm = 'ticket' | 'registration' | 'link' | 'other';

const LINK = /^\s*(https?:\/\/|www\.)/i;

export function formOf(text: string): CodeForm {
  if (LINK.test(text)) return 'link';
  const code = ticketCode(text);
  return isTicketCode(code) ? 'ticket' : isRegistrationCode(code) ? 'registration' : 'other';
}
