import type gallery from '../en/gallery.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Bausteine',
} satisfies Translated<typeof gallery>;
