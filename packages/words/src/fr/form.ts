import type form from '../en/form.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Formulaire',
  days: '{@Days}',
  types: 'Types et tarifs',
  questions: 'Questions',
} satisfies Translated<typeof form>;
