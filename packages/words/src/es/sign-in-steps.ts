import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
  mailText: 'Si <strong>{email}</strong> tiene una cuenta aquí, un enlace para iniciar sesión está en camino.',
  mailUse: 'Funciona una vez, durante 15 minutos. Puede cerrar esta página.',
  mailSignUp: 'Un enlace para empezar está en camino a <strong>{email}</strong>.',
  mailSignUpUse: 'Funciona una vez, durante un día. Puede cerrar esta página.',
  mailNothing: '¿No ha llegado nada?',
  mailSpelling: 'Compruebe la dirección de arriba: ¿está bien escrita?',
  mailSpam: 'Mire en las carpetas de correo no deseado y publicidad.',
  mailWait: 'Algunos servidores de correo tardan unos minutos.',
  mailAgain: 'Enviar de nuevo',
  mailAgainIn: 'Enviar de nuevo (en {time})',
  mailSentAgain: 'El enlace se ha enviado de nuevo.',
  otherAddress: 'Usar otra dirección',
  factorText: 'Su aplicación de autenticación muestra seis cifras para Turnout.',
  factorRecoveryText:
    'Es uno de los diez códigos que guardó al configurar la aplicación de autenticación. Cada uno funciona una vez.',
  recoveryCode: 'Código de recuperación',
  useRecovery: 'Usar un código de recuperación',
  useApp: 'Usar la aplicación de autenticación',
  startOver: 'Empezar de nuevo',
  code: 'Código',
} satisfies Translated<typeof signInSteps>;
