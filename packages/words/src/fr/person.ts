import type person from '../en/person.ts';
import type { Translated } from '../message.ts';

export default {
  attendee_type: 'Type',
  first_name: 'Prénom',
  last_name: 'Nom',
  email: 'E-mail',
  phone: 'Téléphone',
  date_of_birth: 'Date de naissance',
  external_id: 'Votre identifiant',
  group: '{@Group}',
  days: '{@Days}',
  answers: 'Réponses',
  status: 'État',
  price_minor: 'Prix',
  price_name: 'Nom du tarif',
  discount_minor: 'Remise',
  products: 'Réservé',
  tickets: '{@Tickets}',
  checked_in: 'Entrée faite',
  language: 'Langue',
} satisfies Translated<typeof person>;
