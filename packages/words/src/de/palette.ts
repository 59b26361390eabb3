import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Alles durchsuchen',
} satisfies Translated<typeof palette>;
