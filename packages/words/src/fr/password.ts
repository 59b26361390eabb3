import type password from '../en/password.ts';
import type { Translated } from '../message.ts';

export default {
  passwordHint: 'Au moins 12 caractères. Quelques mots à la suite se retiennent facilement.',
  passwordOptionalHint:
    'Au moins 12 caractères. Sans mot de passe, vous vous connectez avec une clé d’accès ou un lien par e-mail.',
  passwordShort: 'Saisissez au moins 12 caractères.',
} satisfies Translated<typeof password>;
