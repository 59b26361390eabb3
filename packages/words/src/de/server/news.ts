import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Dies ist ein Test. Nur Sie und weitere genannte Adressen haben ihn erhalten.',
  unsubscribe: 'Abmelden',
  ask: 'Keine Neuigkeiten mehr von {organization}?',
  explain: 'Mails zu Veranstaltungen, für die Sie angemeldet sind, erhalten Sie weiterhin.',
  done: 'Sie erhalten keine Neuigkeiten mehr von {organization}.',
  again: 'Ich möchte wieder Neuigkeiten erhalten',
  welcome: 'Sie erhalten wieder Neuigkeiten von {organization}.',
} satisfies Translated<typeof news>;
