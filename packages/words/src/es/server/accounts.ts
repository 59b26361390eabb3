import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Su enlace para iniciar sesión en Turnout',
  'sign_in.title': 'Iniciar sesión',
  'sign_in.line1': 'Alguien ha pedido un enlace para iniciar sesión en Turnout con la dirección {to}.',
  'sign_in.line2': 'Ábralo y pulse el botón. Funciona una sola vez, durante 15 minutos.',
  'sign_in.line3': 'Si no ha sido usted, no tiene que hacer nada: sin este mensaje, nadie puede iniciar sesión con él.',
  'sign_in.button': 'Iniciar sesión en Turnout',
  'sign_in.footer': 'Recibe este mensaje porque alguien ha introducido su dirección en la página de inicio de sesión.',
  'sign_up.subject': 'Cree su organización en Turnout',
  'sign_up.title': 'Cree su organización',
  'sign_up.line1':
    'Ha pedido crear una organización en Turnout. Abra el enlace para elegir su nombre y configurar su cuenta.',
  'sign_up.line2': 'El enlace funciona una sola vez, durante 24 horas. Si no ha sido usted, no tiene que hacer nada.',
  'sign_up.button': 'Crear una organización',
  'sign_up.footer': 'Recibe este mensaje porque alguien ha introducido su dirección en la página de registro.',
  'email.subject': 'Confirme su dirección para Turnout',
  'email.title': 'Confirme su dirección',
  'email.line1': 'Alguien quiere usar {to} como dirección de su cuenta de Turnout.',
  'email.line2':
    'Si ha sido usted, abra el enlace en el navegador en el que ha iniciado sesión. Funciona una sola vez, durante 24 horas.',
  'email.line3': 'Si no ha sido usted, no tiene que hacer nada; su dirección no se usará.',
  'email.button': 'Confirmar la dirección',
  'email.footer': 'Recibe este mensaje porque su dirección se ha introducido en una cuenta de Turnout.',
  'email_changed.subject': 'La dirección de su cuenta de Turnout ha cambiado',
  'email_changed.title': 'Su dirección ha cambiado',
  'email_changed.line1':
    'Su cuenta de Turnout tiene ahora la dirección {email}. Desde ahora, los mensajes se envían allí y usted inicia sesión con ella.',
  'email_changed.line2':
    'Si no ha sido usted, pida ayuda enseguida a un propietario de su organización o a quien opera esta instalación.',
  'email_changed.footer': 'Recibe este mensaje porque esta era hasta ahora la dirección de su cuenta.',
  'invitation.subject': 'Tiene una invitación de {organization}',
  'invitation.title': 'Únase a {organization}',
  'invitation.hello': 'Hola:',
  'invitation.by': '{by} le invita a trabajar con {organization} en Turnout. Su función: {role}.',
  'invitation.byOperator': 'Le invitan a trabajar con {organization} en Turnout. Su función: {role}.',
  'invitation.group': 'Verá y gestionará el grupo {group} y los grupos que dependen de él.',
  'invitation.once': 'El enlace funciona una sola vez, hasta el {until}.',
  'invitation.button': 'Ver la invitación',
  'invitation.copy': 'O copie esta dirección en su navegador:',
  'invitation.footer': 'Si no esperaba esta invitación, puede ignorar este mensaje. No ocurre nada sin usted.',
} satisfies Translated<typeof accounts>;
