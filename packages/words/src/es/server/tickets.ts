import type tickets from '../../en/server/tickets.ts';
import type { Translated } from '../../message.ts';

export default {
  ticket: 'Entrada',
  people: { one: 'Asistente', other: 'Asistentes' },
  days: { one: 'Válida el', other: 'Válida los días' },
  registration: 'Inscripción',
  terms: 'Condiciones',
  test: 'Prueba',
  testNote: 'No es válida para entrar',
  hint: 'Tenga este código a mano en la entrada, impreso o en la pantalla.',
  more: 'y {more} más',
} satisfies Translated<typeof tickets>;
