import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
  linkTitle: 'Iniciar sesión',
  linkText: 'Ha abierto el enlace de nuestro correo. Un clic y habrá iniciado sesión.',
  linkMissing: 'Este enlace está incompleto',
  linkMissingText: 'Falta el final del enlace. Copie el enlace completo del correo o pida uno nuevo.',
  linkNew: 'Pedir un enlace nuevo',
  clearedTitle: 'Su dirección de correo está confirmada',
  clearedText:
    'Para proteger su cuenta, hemos eliminado la contraseña, las llaves de acceso y el segundo factor definidos antes: podría haberlos definido otra persona. Puede volver a configurarlos en su cuenta.',
  toAccount: 'Ir a su cuenta',
  sandboxTitle: 'Explorar el entorno de pruebas',
  sandboxText:
    'El entorno de pruebas es una organización con eventos y personas inventados. Usted es Robin Lake, que los gestiona. Pruebe lo que quiera: no se envía ningún correo, no se mueve dinero y nada sale de aquí.',
  sandboxEnter: 'Entrar en el entorno de pruebas',
  sandboxShared: 'Todas las personas con este enlace ven el mismo entorno de pruebas.',
  sandboxInstead:
    'Ha iniciado sesión como {email}. Al entrar en el entorno de pruebas se cerrará esa sesión en este navegador.',
  sandboxMissingText: 'Falta el final del enlace. Copie el enlace completo que Turnout mostró al iniciarse.',
} satisfies Translated<typeof link>;
