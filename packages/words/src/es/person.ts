import type person from '../en/person.ts';
import type { Translated } from '../message.ts';

export default {
  attendee_type: 'Tipo',
  first_name: 'Nombre',
  last_name: 'Apellidos',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  date_of_birth: 'Fecha de nacimiento',
  external_id: 'Su ID',
  group: '{@Group}',
  days: '{@Days}',
  answers: 'Respuestas',
  status: 'Estado',
  price_minor: 'Precio',
  price_name: 'Nombre de la tarifa',
  discount_minor: 'Descuento',
  products: 'Reservado',
  tickets: '{@Tickets}',
  checked_in: 'Ha entrado',
  language: 'Idioma',
} satisfies Translated<typeof person>;
