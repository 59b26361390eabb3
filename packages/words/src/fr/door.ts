import type door from '../en/door.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Accueil',
  points: 'Points d’entrée',
  point: '{@Check_in_point}',
  devices: 'Appareils',
  live: 'En direct',
  checkIns: 'Entrées',
  reconciliation: 'Rapprochement',
  attendance: 'Présences',
  test: 'Mode test',
} satisfies Translated<typeof door>;
