import type people from '../en/people.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Personnes',
  person: 'Personne',
} satisfies Translated<typeof people>;
