import type events from '../en/events.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Events}',
  newTitle: 'Créer : {@event}',
  overview: 'Vue d’ensemble',
  settings: 'Réglages',
} satisfies Translated<typeof events>;
