import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Ceci est un test. Seules les adresses indiquées l’ont reçu.',
  unsubscribe: 'Se désabonner',
  ask: 'Vous désabonner de {organization} ?',
  explain: 'Vous ne recevrez plus d’actualités. Les e-mails concernant vos inscriptions vous parviendront toujours.',
  done: 'Vous êtes désabonné(e). Vous ne recevrez plus d’actualités de {organization}.',
  again: 'Me réabonner',
  welcome: 'Vous recevez à nouveau les actualités de {organization}.',
} satisfies Translated<typeof news>;
