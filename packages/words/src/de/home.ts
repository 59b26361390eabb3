import type home from '../en/home.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Übersicht',
} satisfies Translated<typeof home>;
