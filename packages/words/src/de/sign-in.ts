import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Anmelden',
} satisfies Translated<typeof signIn>;
