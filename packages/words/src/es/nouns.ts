import type nouns from '../en/nouns.ts';
import type { Translated } from '../message.ts';

export default {
  attendee: 'asistente',
  attendees: 'asistentes',
  registration: 'inscripción',
  registrations: 'inscripciones',
  ticket: 'entrada',
  tickets: 'entradas',
  event: 'evento',
  events: 'eventos',
  day: 'día',
  days: 'días',
  group: 'grupo',
  groups: 'grupos',
  check_in: 'acceso',
  check_in_point: 'punto de acceso',
} satisfies Translated<typeof nouns>;
