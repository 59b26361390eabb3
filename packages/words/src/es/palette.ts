import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Buscar todo',
} satisfies Translated<typeof palette>;
