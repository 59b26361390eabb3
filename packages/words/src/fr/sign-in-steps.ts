import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
  mailText: 'Si <strong>{email}</strong> a un compte ici, un lien de connexion est en route.',
  mailUse: 'Le lien fonctionne une fois, pendant 15 minutes. Vous pouvez fermer cette page.',
  mailSignUp: 'Un lien pour commencer est en route vers <strong>{email}</strong>.',
  mailSignUpUse: 'Le lien fonctionne une fois, pendant un jour. Vous pouvez fermer cette page.',
  mailNothing: 'Pas encore d’e-mail ?',
  mailSpelling: 'Vérifiez l’orthographe de l’adresse ci-dessus.',
  mailSpam: 'Regardez dans les dossiers de courrier indésirable et de publicité.',
  mailWait: 'Attendez quelques minutes : certains serveurs de messagerie sont lents.',
  mailAgain: 'Renvoyer',
  mailAgainIn: 'Renvoyer (dans {time})',
  mailSentAgain: 'Lien renvoyé',
  otherAddress: 'Utiliser un autre e-mail',
  factorText: 'Saisissez les six chiffres que votre application d’authentification affiche pour Turnout.',
  factorRecoveryText:
    'Saisissez l’un des dix codes que vous avez conservés en configurant l’application d’authentification. Chacun fonctionne une fois.',
  recoveryCode: 'Code de secours',
  useRecovery: 'Utiliser un code de secours',
  useApp: 'Utiliser l’application d’authentification',
  startOver: 'Recommencer',
  code: 'Code',
} satisfies Translated<typeof signInSteps>;
