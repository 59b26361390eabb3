import type door from '../en/door.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Puerta',
  points: 'Puntos de acceso',
  point: '{@Check_in_point}',
  devices: 'Dispositivos',
  live: 'En vivo',
  checkIns: 'Accesos',
  reconciliation: 'Conciliación',
  attendance: 'Asistencia',
  test: 'Modo de prueba',
} satisfies Translated<typeof door>;
