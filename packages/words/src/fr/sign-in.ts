import type signIn from '../en/sign-in.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Se connecter',
  email: 'E-mail',
  password: 'Mot de passe',
  signIn: 'Se connecter',
  or: 'ou',
  withPasskey: 'Se connecter avec une clé d’accès',
  withMail: 'Recevoir un lien par e-mail',
  withOidc: 'Se connecter avec {name}',
  noAccount:
    'Il vous faut une invitation pour utiliser Turnout ici. Demandez-la à un propriétaire ou à un administrateur de votre organisation.',
  signUp: 'Créer une organisation',
  passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou connectez-vous autrement.',
  throttled: 'Trop d’essais ont échoué. Réessayez dans {time}, ou connectez-vous autrement.',
  throttledOver: 'Vous pouvez réessayer maintenant.',
  mailTitle: 'Consultez vos e-mails',
  factorTitle: 'Saisissez votre code',
  againTitle: 'Se connecter à nouveau',
  againText: 'Confirmez que c’est bien vous. Vous reviendrez ensuite là où vous étiez.',
  signedInTitle: 'Vous êtes connecté',
  signedInAs: 'En tant que {name} (<strong>{email}</strong>).',
  goOn: 'Continuer',
  again: 'Se connecter à nouveau',
  somebodyElse: 'Utiliser un autre compte',
} satisfies Translated<typeof signIn>;
