import type account from '../en/account.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Konto',
} satisfies Translated<typeof account>;
