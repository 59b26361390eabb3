import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  none: 'Ninguno',
  left: 'quedan {left}',
  soldOut: 'Agotado',
  hidden: 'No aparece en el formulario',
  notYetOnSale: 'Aún no está a la venta',
  saleOver: 'Venta finalizada',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · {price} cada uno',
} satisfies Translated<typeof booking>;
