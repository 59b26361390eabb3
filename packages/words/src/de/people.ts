import type people from '../en/people.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Personen',
  person: 'Person',
} satisfies Translated<typeof people>;
