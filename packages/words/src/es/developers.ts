import type developers from '../en/developers.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Desarrollo',
} satisfies Translated<typeof developers>;
