import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  products: 'Productos',
  together: 'Para toda la {@registration}',
  change: 'Cambiar productos',
  save: 'Guardar',
  changed: 'Productos cambiados',
  nothing: 'Nada reservado.',
  priceStays: 'Lo que se queda conserva su precio. Lo que añada cuesta lo que cuesta ahora.',
  withOption: '{name} ({option})',
  times: { one: '{count} × {what}', other: '{count} × {what}' },
  each: '{price} cada uno',
  off: '−{amount}',
  free: 'Gratis',
  handedOut: 'Entregado',
  handedOutOf: { one: '{handed} de {of} entregados', other: '{handed} de {of} entregados' },
  code: 'Código de descuento',
  beforeCode: 'Total antes del descuento',
  none: 'Ninguno',
  left: 'quedan {left}',
  soldOut: 'Agotado',
  hidden: 'No aparece en el formulario',
  notYetOnSale: 'Aún no está a la venta',
  saleOver: 'Venta finalizada',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · {price} cada uno',
} satisfies Translated<typeof booking>;
