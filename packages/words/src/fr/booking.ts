import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  products: 'Produits',
  together: 'Pour toute l’{@registration}',
  change: 'Modifier les produits',
  save: 'Enregistrer',
  changed: 'Produits modifiés',
  nothing: 'Rien de réservé.',
  priceStays: 'Ce qui reste garde son prix. Ce que vous ajoutez coûte le prix actuel.',
  withOption: '{name} ({option})',
  times: { one: '{count} × {what}', other: '{count} × {what}' },
  each: '{price} l’unité',
  off: '−{amount}',
  free: 'Gratuit',
  handedOut: 'Remis',
  handedOutOf: { one: '{handed} sur {of} remis', other: '{handed} sur {of} remis' },
  code: 'Code de réduction',
  beforeCode: 'Total avant réduction',
  none: 'Aucun',
  left: 'encore {left}',
  soldOut: 'Épuisé',
  hidden: 'Absent du formulaire',
  notYetOnSale: 'Pas encore en vente',
  saleOver: 'Vente terminée',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · {price} l’unité',
} satisfies Translated<typeof booking>;
