export default {
  none: 'None',
  left: '{left} left',
  soldOut: 'Sold out',
  hidden: 'Not shown in the form',
  notYetOnSale: 'Not on sale yet',
  saleOver: 'Sale has ended',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · {price} each',
} as const;
