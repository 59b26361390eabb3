import type start from '../en/start.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Ihre Organisation anlegen',
} satisfies Translated<typeof start>;
