import type start from '../en/start.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Cree su organización',
} satisfies Translated<typeof start>;
