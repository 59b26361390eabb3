import type password from '../en/password.ts';
import type { Translated } from '../message.ts';

export default {
  passwordHint: 'Mindestens 12 Zeichen. Ein paar Wörter hintereinander lassen sich leicht merken.',
  passwordOptionalHint:
    'Mindestens 12 Zeichen. Ohne Passwort melden Sie sich mit einem Passkey oder einem Link per E-Mail an.',
  passwordShort: 'Geben Sie mindestens 12 Zeichen ein.',
} satisfies Translated<typeof password>;
