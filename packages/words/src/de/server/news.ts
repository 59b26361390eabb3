import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Dies ist ein Test. Nur Sie und weitere genannte Adressen haben ihn erhalten.',
  unsubscribe: 'Abmelden',
  ask: 'Neuigkeiten von {organization} abbestellen?',
  explain:
    'Sie erhalten dann keine Neuigkeiten mehr. E-Mails zu Veranstaltungen, für die Sie angemeldet sind, erhalten Sie weiterhin.',
  done: 'Abbestellt. Sie erhalten keine Neuigkeiten mehr von {organization}.',
  again: 'Wieder abonnieren',
  welcome: 'Sie erhalten wieder Neuigkeiten von {organization}.',
} satisfies Translated<typeof news>;
