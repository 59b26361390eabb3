import type { PERSON_FIELDS } from '@turnout/contract/person-fields';

/** What the fields of a person are called, by their names in the API. */
export default {
  attendee_type: 'Type',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  date_of_birth: 'Date of birth',
  external_id: 'Your ID',
  group: '{@Group}',
  days: '{@Days}',
  answers: 'Answers',
  status: 'Status',
  price_minor: 'Price',
  price_name: 'Price name',
  discount_minor: 'Discount',
  products: 'Booked',
  tickets: '{@Tickets}',
  checked_in: 'Checked in',
  language: 'Language',
} as const satisfies Record<keyof typeof PERSON_FIELDS, string>;
