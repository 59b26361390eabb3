import type pages from '../en/pages.ts';
import type { Translated } from '../message.ts';

export default {
  skip: 'Aller au contenu',
  imprint: 'Mentions légales',
  privacy: 'Confidentialité',
  findMine: 'Retrouver : {@registration}',
  languages: 'Langue',
  missingTitle: 'Il n’y a rien ici',
  missingText: 'L’adresse est peut-être mal écrite, ou ce qui était ici est terminé.',
  failedTitle: 'Cela n’a pas marché',
  allEvents: 'Tout voir : {@events}',
} satisfies Translated<typeof pages>;
