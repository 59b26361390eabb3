import type events from '../en/events.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Events}',
  newTitle: '{@Event} anlegen',
  overview: 'Überblick',
  settings: 'Einstellungen',
} satisfies Translated<typeof events>;
