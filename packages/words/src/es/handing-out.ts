import type handingOut from '../en/handing-out.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Entrega',
  forAll: 'Para toda la {@registration}',
  withOption: '{name}, {option}',
  done: 'Entregado',
  some: '{done} de {count} entregados',
  handOut: 'Entregar',
  handOutOf: 'Entregar {name}',
  waits: 'Se entrega cuando la {@registration} esté confirmada.',
  by: '{when}, {name}',
  surplus: 'Entregado aunque no quedaba nada',
  undo: 'Deshacer',
  undoOf: 'Deshacer la entrega de {name}',
  undoTitle: '¿Deshacer esta entrega?',
  undoText: '{name} se podrá entregar de nuevo.',
  surplusText: 'Este se entregó de más. Solo se marca como devuelto.',
  reason: 'Motivo',
  reasonHint: 'Queda en el registro.',
  back: 'Volver',
  wasHandedOut: '{name}: entregado',
  wasUndone: 'Entrega deshecha',
} satisfies Translated<typeof handingOut>;
