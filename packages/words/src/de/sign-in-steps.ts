import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
  mailText: 'Wenn <strong>{email}</strong> hier ein Konto hat, ist ein Link zum Anmelden unterwegs.',
  mailUse: 'Der Link funktioniert einmal und 15 Minuten lang. Diese Seite können Sie schließen.',
  mailSignUp: 'Ein Link für den Start ist unterwegs an <strong>{email}</strong>.',
  mailSignUpUse: 'Der Link funktioniert einmal und einen Tag lang. Diese Seite können Sie schließen.',
  mailNothing: 'Noch keine E-Mail?',
  mailSpelling: 'Prüfen Sie die Schreibweise der E-Mail-Adresse oben.',
  mailSpam: 'Sehen Sie in die Ordner für Spam und Werbung.',
  mailWait: 'Warten Sie ein paar Minuten: Manche Mailserver sind langsam.',
  mailAgain: 'Noch einmal schicken',
  mailAgainIn: 'Noch einmal schicken (in {time})',
  mailSentAgain: 'Link noch einmal geschickt',
  otherAddress: 'Andere E-Mail-Adresse verwenden',
  factorText: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App für Turnout zeigt.',
  factorRecoveryText:
    'Geben Sie einen der zehn Codes ein, die Sie beim Einrichten der Authenticator-App gesichert haben. Jeder funktioniert einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode verwenden',
  useApp: 'Authenticator-App verwenden',
  startOver: 'Von vorn beginnen',
  code: 'Code',
} satisfies Translated<typeof signInSteps>;
