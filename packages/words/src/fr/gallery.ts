import type gallery from '../en/gallery.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Composants',
} satisfies Translated<typeof gallery>;
