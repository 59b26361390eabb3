import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Se connecter',
  email: 'E-mail',
  password: 'Mot de passe',
  passwordHint: 'Au moins 12 caractères. Quelques mots à la suite se retiennent facilement.',
  passwordOptionalHint:
    'Au moins 12 caractères. Sans mot de passe, vous vous connectez avec une clé d’accès ou un lien par e-mail.',
  passwordShort: 'Utilisez au moins 12 caractères.',
  passwordCommon: 'C’est l’un des mots de passe les plus courants. Choisissez-en un autre.',
  code: 'Code',
  signIn: 'Se connecter',
  or: 'ou',
  withPasskey: 'Se connecter avec une clé d’accès',
  withMail: 'Recevoir un lien par e-mail',
  withOidc: 'Se connecter avec {name}',
  noAccount:
    'Il vous faut une invitation pour utiliser Turnout ici. Demandez-la à un propriétaire ou administrateur de votre organisation.',
  signUp: 'Créer une organisation',
  passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou connectez-vous autrement.',
  throttled:
    'Trop d’essais ont échoué. Vous pourrez réessayer dans {time}. Les autres façons de se connecter fonctionnent toujours.',
  throttledOver: 'Vous pouvez réessayer maintenant.',
  mailTitle: 'Consultez vos e-mails',
  mailText: 'Si <strong>{email}</strong> a un compte ici, un lien de connexion est en route.',
  mailUse: 'Il fonctionne une fois, pendant 15 minutes. Vous pouvez fermer cette page.',
  mailSignUp: 'Un lien pour commencer est en route vers <strong>{email}</strong>.',
  mailSignUpUse: 'Il fonctionne une fois, pendant un jour. Vous pouvez fermer cette page.',
  mailNothing: 'Rien n’est arrivé ?',
  mailSpelling: 'Vérifiez l’adresse ci-dessus : est-elle bien écrite ?',
  mailSpam: 'Regardez dans les dossiers de spam et de publicité.',
  mailWait: 'Certains serveurs de messagerie mettent quelques minutes.',
  mailAgain: 'Renvoyer',
  mailAgainIn: 'Renvoyer (dans {time})',
  mailSentAgain: 'Le lien a été renvoyé.',
  otherAddress: 'Utiliser une autre adresse',
  factorTitle: 'Saisissez votre code',
  factorText: 'Votre application d’authentification affiche six chiffres pour Turnout.',
  factorRecoveryText:
    'C’est l’un des dix codes que vous avez conservés en configurant l’application d’authentification. Chacun fonctionne une fois.',
  recoveryCode: 'Code de secours',
  useRecovery: 'Utiliser un code de secours',
  useApp: 'Utiliser l’application d’authentification',
  startOver: 'Recommencer',
  againTitle: 'Se connecter à nouveau',
  againText: 'Cela confirme que c’est bien vous. Vous reviendrez ensuite là où vous étiez.',
  signedInTitle: 'Vous êtes connecté',
  signedInAs: 'En tant que {name} (<strong>{email}</strong>).',
  goOn: 'Continuer',
  again: 'Se connecter à nouveau',
  somebodyElse: 'Se connecter en tant que quelqu’un d’autre',
  'error.oidc_unavailable':
    'L’authentification unique est injoignable pour le moment. Réessayez dans un instant, ou connectez-vous autrement.',
  'error.oidc_cancelled': 'L’authentification unique a été annulée, ou votre fournisseur ne vous a pas laissé entrer.',
  'error.oidc_step_over':
    'L’authentification unique a pris trop de temps ou a été commencée dans un autre navigateur. Réessayez.',
  'error.oidc_failed':
    'La réponse de votre fournisseur n’a pas été acceptée. Réessayez ; si cela se reproduit, prévenez l’exploitant de cette installation.',
  'error.oidc_email_not_verified':
    'Votre fournisseur ne confirme pas que votre adresse e-mail est bien la vôtre. Connectez-vous autrement, ou faites-y vérifier votre adresse.',
  'error.oidc_address_not_proved':
    'Il existe un compte avec votre adresse, mais personne n’a encore montré qu’elle lui appartient. Faites-vous d’abord envoyer un lien par e-mail ; ensuite, l’authentification unique fonctionnera.',
  'error.oidc_no_account': 'Personne n’a de compte ici avec votre adresse e-mail. Demandez une invitation.',
  'error.oidc_other_address':
    'L’invitation est destinée à une autre adresse e-mail que celle que connaît votre fournisseur.',
  'error.other': 'La connexion n’a pas fonctionné. Réessayez, ou connectez-vous autrement.',
  linkTitle: 'Se connecter',
  linkText: 'Ce lien vous est parvenu par e-mail. Un clic, et vous êtes connecté.',
  linkMissing: 'Ce lien est incomplet',
  linkMissingText: 'Il manque la fin. Copiez le lien entier depuis l’e-mail, ou faites-vous en envoyer un nouveau.',
  linkNew: 'Recevoir un nouveau lien',
  clearedTitle: 'Votre adresse est confirmée',
  clearedText:
    'Vous venez de montrer que cette adresse e-mail est la vôtre. Ce qui avait été défini avant, comme un mot de passe, des clés d’accès ou un second facteur, a été supprimé, car quelqu’un d’autre aurait pu le définir. Vous pouvez le redéfinir dans votre compte.',
  toAccount: 'Aller à votre compte',
  sandboxTitle: 'Découvrir le bac à sable',
  sandboxText:
    'Le bac à sable est une organisation avec des événements et des personnes inventés. Vous êtes Robin Lake, qui les gère. Essayez ce que vous voulez : aucun e-mail n’est envoyé, aucun argent ne circule, et rien n’en sort.',
  sandboxEnter: 'Entrer dans le bac à sable',
  sandboxShared: 'Toutes les personnes qui ont ce lien voient le même bac à sable.',
  sandboxInstead:
    'Vous êtes connecté en tant que {email}. Entrer dans le bac à sable vous déconnecte dans ce navigateur.',
  sandboxMissingText: 'Il manque la fin. Copiez le lien entier depuis l’endroit où Turnout a été démarré.',
} satisfies Translated<typeof signIn>;
