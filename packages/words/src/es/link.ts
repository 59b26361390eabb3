import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
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
} satisfies Translated<typeof link>;
