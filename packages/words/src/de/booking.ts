import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  none: 'Nichts',
  left: 'noch {left}',
  soldOut: 'Ausverkauft',
  hidden: 'Nicht im Formular',
  notYetOnSale: 'Noch nicht im Verkauf',
  saleOver: 'Verkauf beendet',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · je {price}',
} satisfies Translated<typeof booking>;
