import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Ein paar Wörter hintereinander lassen sich leicht merken.',
  passwordOptionalHint:
    'Mindestens 12 Zeichen. Ohne Passwort melden Sie sich mit einem Passkey oder einem Link per E-Mail an.',
  passwordShort: 'Nehmen Sie mindestens 12 Zeichen.',
  passwordCommon: 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
  code: 'Code',
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
  mailTitle: 'Sehen Sie in Ihre E-Mails',
  mailText: 'Wenn <strong>{email}</strong> hier ein Konto hat, ist ein Link zum Anmelden unterwegs.',
  mailUse: 'Er funktioniert einmal und 15 Minuten lang. Diese Seite können Sie schließen.',
  mailSignUp: 'Ein Link zum Beginnen ist unterwegs an <strong>{email}</strong>.',
  mailSignUpUse: 'Er funktioniert einmal und einen Tag lang. Diese Seite können Sie schließen.',
  mailNothing: 'Nichts angekommen?',
  mailSpelling: 'Prüfen Sie die Adresse oben: Ist sie richtig geschrieben?',
  mailSpam: 'Sehen Sie in die Ordner für Spam und Werbung.',
  mailWait: 'Manche Mailserver brauchen ein paar Minuten.',
  mailAgain: 'Noch einmal schicken',
  mailAgainIn: 'Noch einmal schicken (in {time})',
  mailSentAgain: 'Der Link wurde noch einmal geschickt.',
  otherAddress: 'Andere Adresse verwenden',
  factorTitle: 'Code eingeben',
  factorText: 'Ihre Authenticator-App zeigt für Turnout sechs Ziffern.',
  factorRecoveryText:
    'Das ist einer der zehn Codes, die Sie beim Einrichten der Authenticator-App gesichert haben. Jeder funktioniert einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode verwenden',
  useApp: 'Authenticator-App verwenden',
  startOver: 'Von vorn beginnen',
  againTitle: 'Erneut anmelden',
  againText: 'So ist sicher, dass Sie es sind. Danach kommen Sie dorthin zurück, wo Sie waren.',
  signedInTitle: 'Sie sind angemeldet',
  signedInAs: 'Als {name} (<strong>{email}</strong>).',
  goOn: 'Weiter',
  again: 'Erneut anmelden',
  somebodyElse: 'Als jemand anderes anmelden',
  'error.oidc_unavailable':
    'Die zentrale Anmeldung ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal, oder melden Sie sich anders an.',
  'error.oidc_cancelled': 'Die zentrale Anmeldung wurde abgebrochen, oder Ihr Anbieter hat Sie nicht zugelassen.',
  'error.oidc_step_over':
    'Die zentrale Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
  'error.oidc_failed':
    'Die Antwort Ihres Anbieters wurde nicht angenommen. Versuchen Sie es erneut; wenn es wieder passiert, sagen Sie es dem Betreiber dieser Installation.',
  'error.oidc_email_not_verified':
    'Ihr Anbieter bestätigt nicht, dass Ihre E-Mail-Adresse wirklich Ihnen gehört. Melden Sie sich anders an, oder lassen Sie die Adresse dort bestätigen.',
  'error.oidc_address_not_proved':
    'Es gibt ein Konto mit Ihrer Adresse, aber noch hat niemand gezeigt, dass ihm die Adresse gehört. Lassen Sie sich zuerst einen Link per E-Mail schicken; danach funktioniert die zentrale Anmeldung.',
  'error.oidc_no_account': 'Niemand mit Ihrer E-Mail-Adresse hat hier ein Konto. Bitten Sie um eine Einladung.',
  'error.oidc_other_address': 'Die Einladung gilt für eine andere E-Mail-Adresse als die, die Ihr Anbieter kennt.',
  'error.other': 'Die Anmeldung hat nicht funktioniert. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  linkTitle: 'Anmelden',
  linkText: 'Dieser Link kam per E-Mail. Ein Klick, und Sie sind angemeldet.',
  linkMissing: 'Dieser Link ist unvollständig',
  linkMissingText:
    'Der letzte Teil fehlt. Kopieren Sie den ganzen Link aus der E-Mail, oder lassen Sie sich einen neuen schicken.',
  linkNew: 'Neuen Link schicken lassen',
  clearedTitle: 'Ihre Adresse ist bestätigt',
  clearedText:
    'Sie haben gerade gezeigt, dass diese E-Mail-Adresse Ihnen gehört. Was vorher eingerichtet war, etwa ein Passwort, Passkeys oder ein zweiter Faktor, ist gelöscht, denn es hätte von jemand anderem sein können. In Ihrem Konto können Sie es neu einrichten.',
  toAccount: 'Zu Ihrem Konto',
  sandboxTitle: 'In der Sandbox umsehen',
  sandboxText:
    'Die Sandbox ist eine Organisation mit erfundenen Veranstaltungen und Personen. Sie sind Robin Lake und verwalten sie. Probieren Sie alles aus: Es wird keine E-Mail verschickt, kein Geld bewegt, und nichts gelangt nach außen.',
  sandboxEnter: 'Sandbox betreten',
  sandboxShared: 'Alle mit diesem Link sehen dieselbe Sandbox.',
  sandboxInstead:
    'Sie sind als {email} angemeldet. Wenn Sie die Sandbox betreten, werden Sie in diesem Browser abgemeldet.',
  sandboxMissingText: 'Der letzte Teil fehlt. Kopieren Sie den ganzen Link von dort, wo Turnout gestartet wurde.',
} satisfies Translated<typeof signIn>;
