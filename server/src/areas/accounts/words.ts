import type { AccountLanguage } from '@turnout/contract';

export type AccountMailKind = 'sign_in' | 'sign_up' | 'email' | 'email_changed';

interface Words {
  subject: string;
  title: string;
  paragraphs: string[];
  button: string | null;
  footer: string;
}
type AccountWords = Record<AccountMailKind, (about: { to: string; email: string }) => Words>;

const EN: AccountWords = {
  sign_in: ({ to }) => ({
    subject: 'Your link to sign in to Turnout',
    title: 'Sign in',
    paragraphs: [
      `Somebody asked for a link to sign in to Turnout with the address ${to}.`,
      'Open it and press the button there. It works once, within 15 minutes.',
      'If it was not you, you need not do anything: without this mail, nobody can sign in with it.',
    ],
    button: 'Sign in to Turnout',
    footer: 'You get this mail because somebody entered your address on the sign-in page.',
  }),
  sign_up: () => ({
    subject: 'Create your organization in Turnout',
    title: 'Create your organization',
    paragraphs: [
      'You asked to create an organization in Turnout. Open the link to choose its name and to set up your account.',
      'The link works once, within 24 hours. If it was not you, you need not do anything.',
    ],
    button: 'Create an organization',
    footer: 'You get this mail because somebody entered your address on the sign-up page.',
  }),
  email: ({ to }) => ({
    subject: 'Confirm your address for Turnout',
    title: 'Confirm your address',
    paragraphs: [
      `Somebody wants to use ${to} as the address of their account at Turnout.`,
      'If it was you, open the link in the browser in which you are signed in. It works once, within 24 hours.',
      'If it was not you, you need not do anything; your address is then not used.',
    ],
    button: 'Confirm the address',
    footer: 'You get this mail because your address was entered in an account at Turnout.',
  }),
  email_changed: ({ email }) => ({
    subject: 'The address of your Turnout account has changed',
    title: 'Your address has changed',
    paragraphs: [
      `Your account at Turnout now has the address ${email}. From now on, mails go there, and you sign in with it.`,
      'If it was not you, ask an owner of your organization or the operator of this installation for help at once.',
    ],
    button: null,
    footer: 'You get this mail because this was the address of your account until now.',
  }),
};

const DE: AccountWords = {
  sign_in: ({ to }) => ({
    subject: 'Ihr Link zum Anmelden bei Turnout',
    title: 'Anmelden',
    paragraphs: [
      `Jemand hat einen Link angefordert, um sich mit der Adresse ${to} bei Turnout anzumelden.`,
      'Öffnen Sie ihn und drücken Sie dort den Knopf. Er gilt einmal und nur 15 Minuten lang.',
      'Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne diese Mail kann sich niemand damit anmelden.',
    ],
    button: 'Bei Turnout anmelden',
    footer: 'Sie erhalten diese Mail, weil jemand Ihre Adresse auf der Anmeldeseite eingegeben hat.',
  }),
  sign_up: () => ({
    subject: 'Ihre Organisation bei Turnout anlegen',
    title: 'Ihre Organisation anlegen',
    paragraphs: [
      'Sie möchten bei Turnout eine Organisation anlegen. Öffnen Sie den Link, um ihren Namen zu wählen und Ihr Konto einzurichten.',
      'Der Link gilt einmal und nur 24 Stunden lang. Wenn Sie das nicht waren, müssen Sie nichts tun.',
    ],
    button: 'Organisation anlegen',
    footer: 'Sie erhalten diese Mail, weil jemand Ihre Adresse auf der Registrierungsseite eingegeben hat.',
  }),
  email: ({ to }) => ({
    subject: 'Bestätigen Sie Ihre Adresse für Turnout',
    title: 'Bestätigen Sie Ihre Adresse',
    paragraphs: [
      `Jemand möchte ${to} als Adresse des eigenen Kontos bei Turnout verwenden.`,
      'Wenn Sie das waren, öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind. Er gilt einmal und nur 24 Stunden lang.',
      'Wenn Sie das nicht waren, müssen Sie nichts tun; Ihre Adresse wird dann nicht verwendet.',
    ],
    button: 'Adresse bestätigen',
    footer: 'Sie erhalten diese Mail, weil Ihre Adresse in einem Konto bei Turnout eingegeben wurde.',
  }),
  email_changed: ({ email }) => ({
    subject: 'Die Adresse Ihres Turnout-Kontos wurde geändert',
    title: 'Ihre Adresse wurde geändert',
    paragraphs: [
      `Ihr Konto bei Turnout hat jetzt die Adresse ${email}. Ab sofort gehen Mails dorthin, und Sie melden sich damit an.`,
      'Wenn Sie das nicht waren, wenden Sie sich bitte sofort an eine Inhaberin oder einen Inhaber Ihrer Organisation oder an den Betreiber dieser Installation.',
    ],
    button: null,
    footer: 'Sie erhalten diese Mail, weil dies bisher die Adresse Ihres Kontos war.',
  }),
};

const FR: AccountWords = {
  sign_in: ({ to }) => ({
    subject: 'Votre lien de connexion à Turnout',
    title: 'Se connecter',
    paragraphs: [
      `Quelqu’un a demandé un lien pour se connecter à Turnout avec l’adresse ${to}.`,
      'Ouvrez-le et appuyez sur le bouton. Il fonctionne une seule fois, pendant 15 minutes.',
      'Si ce n’était pas vous, vous n’avez rien à faire : sans ce message, personne ne peut se connecter avec.',
    ],
    button: 'Se connecter à Turnout',
    footer: 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur la page de connexion.',
  }),
  sign_up: () => ({
    subject: 'Créez votre organisation dans Turnout',
    title: 'Créez votre organisation',
    paragraphs: [
      'Vous avez demandé à créer une organisation dans Turnout. Ouvrez le lien pour choisir son nom et configurer votre compte.',
      'Le lien fonctionne une seule fois, pendant 24 heures. Si ce n’était pas vous, vous n’avez rien à faire.',
    ],
    button: 'Créer une organisation',
    footer: 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur la page d’inscription.',
  }),
  email: ({ to }) => ({
    subject: 'Confirmez votre adresse pour Turnout',
    title: 'Confirmez votre adresse',
    paragraphs: [
      `Quelqu’un souhaite utiliser ${to} comme adresse de son compte Turnout.`,
      'Si c’était vous, ouvrez le lien dans le navigateur où vous êtes connecté. Il fonctionne une seule fois, pendant 24 heures.',
      'Si ce n’était pas vous, vous n’avez rien à faire ; votre adresse ne sera alors pas utilisée.',
    ],
    button: 'Confirmer l’adresse',
    footer: 'Vous recevez ce message parce que votre adresse a été saisie dans un compte Turnout.',
  }),
  email_changed: ({ email }) => ({
    subject: 'L’adresse de votre compte Turnout a changé',
    title: 'Votre adresse a changé',
    paragraphs: [
      `Votre compte Turnout a maintenant l’adresse ${email}. Désormais, les messages y sont envoyés et vous vous connectez avec elle.`,
      'Si ce n’était pas vous, demandez immédiatement de l’aide à un propriétaire de votre organisation ou à l’exploitant de cette installation.',
    ],
    button: null,
    footer: 'Vous recevez ce message parce que c’était jusqu’ici l’adresse de votre compte.',
  }),
};

const ES: AccountWords = {
  sign_in: ({ to }) => ({
    subject: 'Su enlace para iniciar sesión en Turnout',
    title: 'Iniciar sesión',
    paragraphs: [
      `Alguien ha pedido un enlace para iniciar sesión en Turnout con la dirección ${to}.`,
      'Ábralo y pulse el botón. Funciona una sola vez, durante 15 minutos.',
      'Si no ha sido usted, no tiene que hacer nada: sin este mensaje, nadie puede iniciar sesión con él.',
    ],
    button: 'Iniciar sesión en Turnout',
    footer: 'Recibe este mensaje porque alguien ha introducido su dirección en la página de inicio de sesión.',
  }),
  sign_up: () => ({
    subject: 'Cree su organización en Turnout',
    title: 'Cree su organización',
    paragraphs: [
      'Ha pedido crear una organización en Turnout. Abra el enlace para elegir su nombre y configurar su cuenta.',
      'El enlace funciona una sola vez, durante 24 horas. Si no ha sido usted, no tiene que hacer nada.',
    ],
    button: 'Crear una organización',
    footer: 'Recibe este mensaje porque alguien ha introducido su dirección en la página de registro.',
  }),
  email: ({ to }) => ({
    subject: 'Confirme su dirección para Turnout',
    title: 'Confirme su dirección',
    paragraphs: [
      `Alguien quiere usar ${to} como dirección de su cuenta de Turnout.`,
      'Si ha sido usted, abra el enlace en el navegador en el que ha iniciado sesión. Funciona una sola vez, durante 24 horas.',
      'Si no ha sido usted, no tiene que hacer nada; su dirección no se usará.',
    ],
    button: 'Confirmar la dirección',
    footer: 'Recibe este mensaje porque su dirección se ha introducido en una cuenta de Turnout.',
  }),
  email_changed: ({ email }) => ({
    subject: 'La dirección de su cuenta de Turnout ha cambiado',
    title: 'Su dirección ha cambiado',
    paragraphs: [
      `Su cuenta de Turnout tiene ahora la dirección ${email}. Desde ahora, los mensajes se envían allí y usted inicia sesión con ella.`,
      'Si no ha sido usted, pida ayuda enseguida a un propietario de su organización o a quien opera esta instalación.',
    ],
    button: null,
    footer: 'Recibe este mensaje porque esta era hasta ahora la dirección de su cuenta.',
  }),
};

const WORDS: Record<AccountLanguage, AccountWords> = { en: EN, de: DE, fr: FR, es: ES };
export const accountWords = (language: AccountLanguage): AccountWords => WORDS[language];
