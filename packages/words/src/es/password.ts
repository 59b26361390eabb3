import type password from '../en/password.ts';
import type { Translated } from '../message.ts';

export default {
  passwordHint: 'Al menos 12 caracteres. Unas cuantas palabras seguidas son fáciles de recordar.',
  passwordOptionalHint:
    'Al menos 12 caracteres. Sin contraseña, inicia sesión con una llave de acceso o un enlace por correo.',
  passwordShort: 'Introduzca al menos 12 caracteres.',
} satisfies Translated<typeof password>;
