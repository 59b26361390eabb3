import type { TicketWords } from './ticket-words.ts';

export const fr: TicketWords = {
  ticket: 'Billet',
  attendee: 'Participant(e)',
  attendees: 'Participants',
  days: (count) => (count === 1 ? 'Valable le' : 'Valable les'),
  registration: 'Inscription',
  terms: 'Conditions',
  test: 'Test',
  testNote: 'Ne donne pas droit à l’entrée',
  hint: 'Merci de présenter ce code à l’entrée, imprimé ou sur votre écran.',
  more: (count) => `et ${count} de plus`,
};
