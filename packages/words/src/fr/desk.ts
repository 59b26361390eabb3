import type desk from '../en/desk.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Guichet',
} satisfies Translated<typeof desk>;
