import type signInSteps from '../en/sign-in-steps.ts';
import type { Translated } from '../message.ts';

export default {
  mailText: 'Si <strong>{email}</strong> a un compte ici, un lien de connexion est en route.',
  mailUse: 'Il fonctionne une fois, pendant 15 minutes. Vous pouvez fermer cette page.',
  mailSignUp: 'Un lien pour commencer est en route vers <strong>{email}</strong>.',
  mailSignUpUse: 'Il fonctionne une fois, pendant un jour. Vous pouvez fermer cette page.',
  mailNothing: 'Rien n’est arrivé ?',
  mailSpelling: 'Vérifiez l’adresse ci-dessus : est-elle bien écrite ?',
  mailSpam: 'Regardez dans les dossiers de courrier indésirable et de publicité.',
  mailWait: 'Certains serveurs de messagerie mettent quelques minutes.',
  mailAgain: 'Renvoyer',
  mailAgainIn: 'Renvoyer (dans {time})',
  mailSentAgain: 'Le lien a été renvoyé.',
  otherAddress: 'Utiliser une autre adresse',
  factorText: 'Votre application d’authentification affiche six chiffres pour Turnout.',
  factorRecoveryText:
    'C’est l’un des dix codes que vous avez conservés en configurant l’application d’authentification. Chacun fonctionne une fois.',
  recoveryCode: 'Code de secours',
  useRecovery: 'Utiliser un code de secours',
  useApp: 'Utiliser l’application d’authentification',
  startOver: 'Recommencer',
  code: 'Code',
} satisfies Translated<typeof signInSteps>;
