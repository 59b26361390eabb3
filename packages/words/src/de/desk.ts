import type desk from '../en/desk.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Schalter',
} satisfies Translated<typeof desk>;
