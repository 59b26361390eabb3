import type person from '../en/person.ts';
import type { Translated } from '../message.ts';

export default {
  attendee_type: 'Art',
  first_name: 'Vorname',
  last_name: 'Nachname',
  email: 'E-Mail',
  phone: 'Telefon',
  date_of_birth: 'Geburtsdatum',
  external_id: 'Ihre ID',
  group: '{@Group}',
  days: '{@Days}',
  answers: 'Antworten',
  status: 'Status',
  price_minor: 'Preis',
  price_name: 'Name des Preises',
  discount_minor: 'Rabatt',
  products: 'Gebucht',
  tickets: '{@Tickets}',
  checked_in: 'Eingecheckt',
  language: 'Sprache',
} satisfies Translated<typeof person>;
