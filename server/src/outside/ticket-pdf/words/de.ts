import type { TicketWords } from './ticket-words.ts';

export const de: TicketWords = {
  ticket: 'Ticket',
  attendee: 'Teilnehmer:in',
  attendees: 'Teilnehmende',
  days: () => 'Gültig am',
  registration: 'Anmeldung',
  terms: 'Bedingungen',
  test: 'Test',
  testNote: 'Berechtigt nicht zum Einlass',
  hint: 'Bitte halten Sie diesen Code am Einlass bereit, ausgedruckt oder auf dem Bildschirm.',
  more: (count) => `und ${count} weitere`,
};
