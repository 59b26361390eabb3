import type { DiscountKind } from './resources/discount.ts';

/*
 * What a discount takes off. The server books by it, and the pages and the app show by it.
 */

export interface DiscountValue {
  kind: DiscountKind;
  /** `percent`: 1 to 100. Otherwise in the currency's minor unit. */
  value: number;
}

/** Units of one thing at one price; a ticket is one unit. */
export interface PricedUnits {
  price_minor: number;
  quantity: number;
}

/** What a discount takes off a line: never more than the line costs, and never less than nothing. */
export function discountOff({ kind, value }: DiscountValue, { price_minor, quantity }: PricedUnits): number {
  switch (kind) {
    case 'percent':
      return percentOf(price_minor * quantity, value);
    case 'amount':
      return Math.min(value, price_minor) * quantity;
    case 'price':
      return Math.max(price_minor - value, 0) * quantity;
  }
}

/** Rounded half up. The hundreds are multiplied apart, because an amount times a percentage may be too large for a number. */
const percentOf = (amount: number, percent: number): number =>
  Math.floor(amount / 100) * percent + Math.floor(((amount % 100) * percent + 50) / 100);

/** What a line costs. */
export const lineTotal = ({
  price_minor,
  quantity,
  discount_minor,
}: PricedUnits & { discount_minor: number }): number => price_minor * quantity - discount_minor;
