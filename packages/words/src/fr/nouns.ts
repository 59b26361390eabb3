import type nouns from '../en/nouns.ts';
import type { Translated } from '../message.ts';

export default {
  attendee: 'participant',
  attendees: 'participants',
  registration: 'inscription',
  registrations: 'inscriptions',
  ticket: 'billet',
  tickets: 'billets',
  event: 'événement',
  events: 'événements',
  day: 'jour',
  days: 'jours',
  group: 'groupe',
  groups: 'groupes',
  check_in: 'entrée',
  check_in_point: 'point d’entrée',
} satisfies Translated<typeof nouns>;
