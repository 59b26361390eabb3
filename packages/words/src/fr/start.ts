import type start from '../en/start.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Créer votre organisation',
} satisfies Translated<typeof start>;
