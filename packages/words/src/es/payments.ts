import type payments from '../en/payments.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Pagos',
} satisfies Translated<typeof payments>;
