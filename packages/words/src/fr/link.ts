import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
  linkTitle: 'Se connecter',
  linkText: 'Vous avez ouvert le lien de notre e-mail. Un clic, et vous êtes connecté.',
  linkMissing: 'Ce lien est incomplet',
  linkMissingText: 'Il manque la fin du lien. Copiez le lien entier depuis l’e-mail, ou recevez-en un nouveau.',
  linkNew: 'Recevoir un nouveau lien',
  clearedTitle: 'Votre adresse e-mail est confirmée',
  clearedText:
    'Pour protéger votre compte, nous avons supprimé le mot de passe, les clés d’accès et le second facteur définis auparavant : quelqu’un d’autre aurait pu les définir. Vous pouvez les configurer à nouveau dans votre compte.',
  toAccount: 'Aller à votre compte',
  sandboxTitle: 'Découvrir le bac à sable',
  sandboxText:
    'Le bac à sable est une organisation avec des événements et des personnes inventés. Vous êtes Robin Lake, qui les gère. Essayez ce que vous voulez : aucun e-mail n’est envoyé, aucun argent ne circule, et rien n’en sort.',
  sandboxEnter: 'Entrer dans le bac à sable',
  sandboxShared: 'Toutes les personnes qui ont ce lien voient le même bac à sable.',
  sandboxInstead:
    'Vous êtes connecté en tant que {email}. Entrer dans le bac à sable vous déconnecte dans ce navigateur.',
  sandboxMissingText: 'Il manque la fin du lien. Copiez le lien entier que Turnout a affiché à son démarrage.',
} satisfies Translated<typeof link>;
