import type people from '../en/people.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Personas',
  person: 'Persona',
} satisfies Translated<typeof people>;
