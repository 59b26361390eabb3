import type contacts from '../en/contacts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Contactos',
  one: 'Contacto',
} satisfies Translated<typeof contacts>;
