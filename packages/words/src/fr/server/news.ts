import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Ceci est un test. Seules les adresses indiquées l’ont reçu.',
  unsubscribe: 'Se désabonner',
  ask: 'Ne plus recevoir d’actualités de {organization} ?',
  explain: 'Vous recevrez toujours les messages concernant vos inscriptions.',
  done: 'Vous ne recevrez plus d’actualités de {organization}.',
  again: 'Je souhaite à nouveau recevoir des actualités',
  welcome: 'Vous recevez à nouveau les actualités de {organization}.',
} satisfies Translated<typeof news>;
