import type { TicketWords } from './ticket-words.ts';

export const es: TicketWords = {
  ticket: 'Entrada',
  attendee: 'Asistente',
  attendees: 'Asistentes',
  days: (count) => (count === 1 ? 'Válida el' : 'Válida los días'),
  registration: 'Inscripción',
  terms: 'Condiciones',
  test: 'Prueba',
  testNote: 'No es válida para entrar',
  hint: 'Tenga este código a mano en la entrada, impreso o en la pantalla.',
  more: (count) => `y ${count} más`,
};
