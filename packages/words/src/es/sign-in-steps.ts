import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
  mailText: 'Si <strong>{email}</strong> tiene una cuenta aquí, un enlace para iniciar sesión está en camino.',
  mailUse: 'El enlace funciona una vez, durante 15 minutos. Puede cerrar esta página.',
  mailSignUp: 'Un enlace para empezar está en camino a <strong>{email}</strong>.',
  mailSignUpUse: 'El enlace funciona una vez, durante un día. Puede cerrar esta página.',
  mailNothing: '¿Aún no hay ningún correo?',
  mailSpelling: 'Compruebe cómo está escrita la dirección de arriba.',
  mailSpam: 'Mire en las carpetas de correo no deseado y publicidad.',
  mailWait: 'Espere unos minutos: algunos servidores de correo son lentos.',
  mailAgain: 'Enviar de nuevo',
  mailAgainIn: 'Enviar de nuevo (en {time})',
  mailSentAgain: 'Enlace enviado de nuevo',
  otherAddress: 'Usar otro correo',
  factorText: 'Introduzca las seis cifras que su aplicación de autenticación muestra para Turnout.',
  factorRecoveryText:
    'Introduzca uno de los diez códigos que guardó al configurar la aplicación de autenticación. Cada uno funciona una vez.',
  recoveryCode: 'Código de recuperación',
  useRecovery: 'Usar un código de recuperación',
  useApp: 'Usar la aplicación de autenticación',
  startOver: 'Empezar de nuevo',
  code: 'Código',
} satisfies Translated<typeof signInSteps>;
