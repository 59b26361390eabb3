import type contacts from '../en/contacts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Kontakte',
  one: 'Kontakt',
} satisfies Translated<typeof contacts>;
