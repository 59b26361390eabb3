import type door from '../en/door.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Einlass',
  points: 'Check-in-Punkte',
  point: '{@Check_in_point}',
  devices: 'Geräte',
  live: 'Live',
  checkIns: 'Check-ins',
  reconciliation: 'Abgleich',
  attendance: 'Anwesenheit',
  test: 'Testmodus',
} satisfies Translated<typeof door>;
