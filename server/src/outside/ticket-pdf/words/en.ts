import type { TicketWords } from './ticket-words.ts';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const en = (own: Record<string, string>): TicketWords => ({
  ticket: capital(own.ticket ?? 'ticket'),
  attendee: capital(own.attendee ?? 'attendee'),
  attendees: capital(own.attendees ?? 'attendees'),
  days: () => 'Valid on',
  registration: capital(own.registration ?? 'registration'),
  terms: 'Terms',
  test: 'Test',
  testNote: 'Not valid for admission',
  hint: 'Please have this code ready at the entrance, printed or on your screen.',
  more: (count) => `and ${count} more`,
});
