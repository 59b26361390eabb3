import type payments from '../en/payments.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Zahlungen',
} satisfies Translated<typeof payments>;
