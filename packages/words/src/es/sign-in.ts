import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  or: 'o',
  withPasskey: 'Iniciar sesión con una llave de acceso',
  withMail: 'Recibir un enlace por correo',
  withOidc: 'Iniciar sesión con {name}',
  noAccount:
    'Para usar Turnout aquí necesita una invitación. Pídala a un propietario o administrador de su organización.',
  signUp: 'Crear una organización',
  passkeyCancelled: 'No se ha usado ninguna llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.',
  throttled: 'Demasiados intentos fallidos. Inténtelo de nuevo en {time} o inicie sesión de otra forma.',
  throttledOver: 'Ya puede intentarlo de nuevo.',
  mailTitle: 'Revise su correo',
  factorTitle: 'Introduzca su código',
  againTitle: 'Inicie sesión de nuevo',
  againText: 'Confirme que es usted. Después volverá a donde estaba.',
  signedInTitle: 'Ha iniciado sesión',
  signedInAs: 'Como {name} (<strong>{email}</strong>).',
  goOn: 'Continuar',
  again: 'Iniciar sesión de nuevo',
  somebodyElse: 'Usar otra cuenta',
} satisfies Translated<typeof signIn>;
