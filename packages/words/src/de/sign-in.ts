import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  signIn: 'Anmelden',
  or: 'oder',
  withPasskey: 'Mit Passkey anmelden',
  withMail: 'Link per E-Mail schicken',
  withOidc: 'Mit {name} anmelden',
  noAccount:
    'Um Turnout hier zu benutzen, brauchen Sie eine Einladung. Bitten Sie einen Inhaber oder Administrator Ihrer Organisation darum.',
  signUp: 'Organisation anlegen',
  passkeyCancelled: 'Es wurde kein Passkey benutzt. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  throttled: 'Zu viele Fehlversuche. Versuchen Sie es in {time} wieder, oder melden Sie sich anders an.',
  throttledOver: 'Sie können es jetzt wieder versuchen.',
  mailTitle: 'Sehen Sie in Ihr Postfach',
  factorTitle: 'Code eingeben',
  againTitle: 'Erneut anmelden',
  againText: 'Bestätigen Sie, dass Sie es sind. Danach kommen Sie dorthin zurück, wo Sie waren.',
  signedInTitle: 'Sie sind angemeldet',
  signedInAs: 'Als {name} (<strong>{email}</strong>).',
  goOn: 'Weiter',
  again: 'Erneut anmelden',
  somebodyElse: 'Anderes Konto verwenden',
} satisfies Translated<typeof signIn>;
