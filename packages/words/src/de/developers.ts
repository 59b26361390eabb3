import type developers from '../en/developers.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Entwicklung',
} satisfies Translated<typeof developers>;
