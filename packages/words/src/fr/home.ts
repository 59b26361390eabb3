import type home from '../en/home.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Accueil',
} satisfies Translated<typeof home>;
