import type events from '../en/events.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Events}',
  newTitle: 'Crear {@event}',
  overview: 'Resumen',
  settings: 'Ajustes',
} satisfies Translated<typeof events>;
