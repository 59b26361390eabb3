import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
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
} satisfies Translated<typeof link>;
