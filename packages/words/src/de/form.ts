import type form from '../en/form.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Formular',
  days: '{@Days}',
  types: 'Arten und Preise',
  questions: 'Fragen',
} satisfies Translated<typeof form>;
