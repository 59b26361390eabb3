import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Tout rechercher',
} satisfies Translated<typeof palette>;
