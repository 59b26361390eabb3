import type nouns from '../en/nouns.ts';
import type { Translated } from '../message.ts';

export default {
  attendee: 'Teilnehmer',
  attendees: 'Teilnehmer',
  registration: 'Anmeldung',
  registrations: 'Anmeldungen',
  ticket: 'Ticket',
  tickets: 'Tickets',
  event: 'Veranstaltung',
  events: 'Veranstaltungen',
  day: 'Tag',
  days: 'Tage',
  group: 'Gruppe',
  groups: 'Gruppen',
  check_in: 'Check-in',
  check_in_point: 'Check-in-Punkt',
} satisfies Translated<typeof nouns>;
