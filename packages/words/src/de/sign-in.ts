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
    'Für Turnout brauchen Sie hier eine Einladung. Bitten Sie einen Inhaber oder Administrator Ihrer Organisation darum.',
  signUp: 'Organisation anlegen',
  passkeyCancelled: 'Es wurde kein Passkey benutzt. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  throttled:
    'Zu viele Versuche sind fehlgeschlagen. In {time} können Sie es wieder versuchen. Die anderen Wege funktionieren weiterhin.',
  throttledOver: 'Sie können es jetzt wieder versuchen.',
  mailTitle: 'Sehen Sie in Ihr Postfach',
  factorTitle: 'Code eingeben',
  againTitle: 'Erneut anmelden',
  againText: 'So ist sicher, dass Sie es sind. Danach kommen Sie dorthin zurück, wo Sie waren.',
  signedInTitle: 'Sie sind angemeldet',
  signedInAs: 'Als {name} (<strong>{email}</strong>).',
  goOn: 'Weiter',
  again: 'Erneut anmelden',
  somebodyElse: 'Als jemand anderes anmelden',
} satisfies Translated<typeof signIn>;
