import type form from '../en/form.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Formulario',
  days: '{@Days}',
  types: 'Tipos y precios',
  questions: 'Preguntas',
} satisfies Translated<typeof form>;
