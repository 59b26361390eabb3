import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  none: 'Aucun',
  left: 'encore {left}',
  soldOut: 'Épuisé',
  hidden: 'Absent du formulaire',
  notYetOnSale: 'Pas encore en vente',
  saleOver: 'Vente terminée',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · {price} l’unité',
} satisfies Translated<typeof booking>;
