import type contacts from '../en/contacts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Contacts',
  one: 'Contact',
} satisfies Translated<typeof contacts>;
