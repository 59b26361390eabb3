import type developers from '../en/developers.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Développement',
} satisfies Translated<typeof developers>;
