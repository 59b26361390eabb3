import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Connexion',
} satisfies Translated<typeof signIn>;
