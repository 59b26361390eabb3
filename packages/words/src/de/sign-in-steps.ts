import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
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
  factorText: 'Ihre Authenticator-App zeigt für Turnout sechs Ziffern.',
  factorRecoveryText:
    'Das ist einer der zehn Codes, die Sie beim Einrichten der Authenticator-App gesichert haben. Jeder funktioniert einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode verwenden',
  useApp: 'Authenticator-App verwenden',
  startOver: 'Von vorn beginnen',
  code: 'Code',
} satisfies Translated<typeof signInSteps>;
