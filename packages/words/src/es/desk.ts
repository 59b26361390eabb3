import type desk from '../en/desk.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Mostrador',
} satisfies Translated<typeof desk>;
