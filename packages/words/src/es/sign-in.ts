import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  passwordHint: 'Al menos 12 caracteres. Unas cuantas palabras seguidas son fáciles de recordar.',
  passwordOptionalHint:
    'Al menos 12 caracteres. Sin contraseña, inicia sesión con una llave de acceso o un enlace por correo.',
  passwordShort: 'Use al menos 12 caracteres.',
  passwordCommon: 'Es una de las contraseñas más comunes. Elija otra.',
  code: 'Código',
  signIn: 'Iniciar sesión',
  or: 'o',
  withPasskey: 'Iniciar sesión con una llave de acceso',
  withMail: 'Recibir un enlace por correo',
  withOidc: 'Iniciar sesión con {name}',
  noAccount:
    'Para usar Turnout aquí necesita una invitación. Pídala a un propietario o administrador de su organización.',
  signUp: 'Crear una organización',
  passkeyCancelled: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.',
  throttled:
    'Han fallado demasiados intentos. Podrá intentarlo de nuevo en {time}. Las otras formas de iniciar sesión siguen funcionando.',
  throttledOver: 'Ya puede intentarlo de nuevo.',
  mailTitle: 'Revise su correo',
  mailText: 'Si <strong>{email}</strong> tiene una cuenta aquí, un enlace para iniciar sesión está en camino.',
  mailUse: 'Funciona una vez, durante 15 minutos. Puede cerrar esta página.',
  mailSignUp: 'Un enlace para empezar está en camino a <strong>{email}</strong>.',
  mailSignUpUse: 'Funciona una vez, durante un día. Puede cerrar esta página.',
  mailNothing: '¿No ha llegado nada?',
  mailSpelling: 'Compruebe la dirección de arriba: ¿está bien escrita?',
  mailSpam: 'Mire en las carpetas de spam y publicidad.',
  mailWait: 'Algunos servidores de correo tardan unos minutos.',
  mailAgain: 'Enviar de nuevo',
  mailAgainIn: 'Enviar de nuevo (en {time})',
  mailSentAgain: 'El enlace se ha enviado de nuevo.',
  otherAddress: 'Usar otra dirección',
  factorTitle: 'Introduzca su código',
  factorText: 'Su aplicación de autenticación muestra seis cifras para Turnout.',
  factorRecoveryText:
    'Es uno de los diez códigos que guardó al configurar la aplicación de autenticación. Cada uno funciona una vez.',
  recoveryCode: 'Código de recuperación',
  useRecovery: 'Usar un código de recuperación',
  useApp: 'Usar la aplicación de autenticación',
  startOver: 'Empezar de nuevo',
  againTitle: 'Inicie sesión de nuevo',
  againText: 'Así sabemos con seguridad que es usted. Después volverá a donde estaba.',
  signedInTitle: 'Ha iniciado sesión',
  signedInAs: 'Como {name} (<strong>{email}</strong>).',
  goOn: 'Continuar',
  again: 'Iniciar sesión de nuevo',
  somebodyElse: 'Iniciar sesión como otra persona',
  'error.oidc_unavailable':
    'El inicio de sesión único no está disponible en este momento. Inténtelo dentro de un momento o inicie sesión de otra forma.',
  'error.oidc_cancelled': 'El inicio de sesión único se canceló, o su proveedor no le permitió entrar.',
  'error.oidc_step_over':
    'El inicio de sesión único tardó demasiado o se empezó en otro navegador. Inténtelo de nuevo.',
  'error.oidc_failed':
    'La respuesta de su proveedor no fue aceptada. Inténtelo de nuevo; si vuelve a ocurrir, avise a quien administra esta instalación.',
  'error.oidc_email_not_verified':
    'Su proveedor no confirma que su dirección de correo sea realmente suya. Inicie sesión de otra forma, o haga verificar allí su dirección.',
  'error.oidc_address_not_proved':
    'Existe una cuenta con su dirección, pero nadie ha demostrado todavía que le pertenezca. Pida primero un enlace por correo; después funcionará el inicio de sesión único.',
  'error.oidc_no_account': 'Nadie con su dirección de correo tiene una cuenta aquí. Pida una invitación.',
  'error.oidc_other_address': 'La invitación es para una dirección de correo distinta de la que conoce su proveedor.',
  'error.other': 'No se pudo iniciar sesión. Inténtelo de nuevo o inicie sesión de otra forma.',
  linkTitle: 'Iniciar sesión',
  linkText: 'Este enlace le llegó por correo. Un clic y habrá iniciado sesión.',
  linkMissing: 'Este enlace está incompleto',
  linkMissingText: 'Falta la última parte. Copie el enlace completo del correo o pida uno nuevo.',
  linkNew: 'Pedir un enlace nuevo',
  clearedTitle: 'Su dirección está confirmada',
  clearedText:
    'Acaba de demostrar que esta dirección de correo es suya. Lo que se había configurado antes, como una contraseña, llaves de acceso o un segundo factor, se ha eliminado, porque podría haberlo configurado otra persona. Puede volver a configurarlo en su cuenta.',
  toAccount: 'Ir a su cuenta',
  sandboxTitle: 'Explorar el entorno de pruebas',
  sandboxText:
    'El entorno de pruebas es una organización con eventos y personas inventados. Usted es Robin Lake, que los gestiona. Pruebe lo que quiera: no se envía ningún correo, no se mueve dinero y nada sale de aquí.',
  sandboxEnter: 'Entrar en el entorno de pruebas',
  sandboxShared: 'Todas las personas con este enlace ven el mismo entorno de pruebas.',
  sandboxInstead:
    'Ha iniciado sesión como {email}. Al entrar en el entorno de pruebas se cerrará esa sesión en este navegador.',
  sandboxMissingText: 'Falta la última parte. Copie el enlace completo del lugar donde se inició Turnout.',
} satisfies Translated<typeof signIn>;
