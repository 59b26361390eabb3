import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Iniciar sesión en Turnout',
  'sign_in.title': 'Iniciar sesión',
  'sign_in.line1': 'Con este enlace inicia sesión en Turnout como {to}.',
  'sign_in.line2': 'Abra el enlace y pulse el botón. Funciona una sola vez, durante 15 minutos.',
  'sign_in.line3': 'Si no ha pedido el enlace, ignore este correo. Sin él, nadie puede iniciar sesión.',
  'sign_in.button': 'Iniciar sesión en Turnout',
  'sign_in.footer': 'Recibe este correo porque su dirección se ha introducido en la página de inicio de sesión.',
  'sign_up.subject': 'Cree su organización en Turnout',
  'sign_up.title': 'Cree su organización',
  'sign_up.line1': 'Abra el enlace para dar nombre a su organización y configurar su cuenta.',
  'sign_up.line2': 'El enlace funciona una sola vez, durante 24 horas. Si no lo ha pedido, ignore este correo.',
  'sign_up.button': 'Crear una organización',
  'sign_up.footer': 'Recibe este correo porque su dirección se ha introducido en la página de registro.',
  'email.subject': 'Confirme su dirección de correo para Turnout',
  'email.title': 'Confirme su dirección de correo',
  'email.line1': 'Confirme que {to} es su dirección, para que su cuenta de Turnout pueda usarla.',
  'email.line2':
    'Abra el enlace en el navegador en el que ha iniciado sesión. Funciona una sola vez, durante 24 horas.',
  'email.line3': 'Si no sabe nada de esto, ignore este correo. Su dirección no se usará.',
  'email.button': 'Confirmar la dirección',
  'email.footer': 'Recibe este correo porque su dirección se ha introducido en una cuenta de Turnout.',
  'email_changed.subject': 'La dirección de correo de su cuenta de Turnout ha cambiado',
  'email_changed.title': 'Su dirección de correo ha cambiado',
  'email_changed.line1':
    'Su cuenta de Turnout usa ahora {email}. Desde ahora, inicie sesión con esa dirección; nuestros correos también se envían allí.',
  'email_changed.line2':
    'Si no ha sido usted, pida ayuda enseguida a un propietario de su organización o a quien opera esta instalación.',
  'email_changed.footer': 'Recibe este correo porque esta era hasta ahora la dirección de su cuenta.',
  'invitation.subject': 'Tiene una invitación de {organization}',
  'invitation.title': 'Únase a {organization}',
  'invitation.hello': 'Hola:',
  'invitation.by': '{by} le invita a trabajar con {organization} en Turnout. Su función: {role}.',
  'invitation.byOperator': 'Le invitan a trabajar con {organization} en Turnout. Su función: {role}.',
  'invitation.group': 'Verá y gestionará el grupo {group} y los grupos que dependen de él.',
  'invitation.once': 'El enlace funciona una sola vez, hasta el {until}.',
  'invitation.button': 'Ver la invitación',
  'invitation.copy': 'O copie esta dirección en su navegador:',
  'invitation.footer': 'Si no esperaba esta invitación, ignore este correo. No ocurre nada mientras no la acepte.',
} satisfies Translated<typeof accounts>;
