import type pages from '../en/pages.ts';
import type { Translated } from '../message.ts';

export default {
  skip: 'Zum Inhalt springen',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  findMine: '{@Registration} finden',
  languages: 'Sprache',
  missingTitle: 'Hier ist nichts',
  missingText: 'Vielleicht ist die Adresse falsch geschrieben, oder was hier war, ist vorbei.',
  failedTitle: 'Das hat nicht geklappt',
  allEvents: 'Alle {@events}',
} satisfies Translated<typeof pages>;
