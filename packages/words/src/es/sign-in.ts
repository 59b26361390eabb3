import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Iniciar sesión',
} satisfies Translated<typeof signIn>;
