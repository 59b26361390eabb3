import { priceAt } from '@turnout/contract';
import type { AttendeeTypeRow } from '../events/index.ts';
import { type AttendeeState, NO_LINES } from './state.ts';

/** What was agreed on when somebody registered. A later change of prices, products or codes does not touch it. */
export type AgreedPrice = Pick<
  AttendeeState,
  'price_minor' | 'price_name' | 'discount_minor' | 'discount_id' | 'products'
>;

export const agreedPrice = ({
  price_minor,
  price_name,
  discount_minor,
  discount_id,
  products,
}: AgreedPrice): AgreedPrice => ({ price_minor, price_name, discount_minor, discount_id, products });

/** What somebody who registers now agrees on, without a code and products. */
export function priceNow(type: AttendeeTypeRow, now: Date): AgreedPrice {
  const { price_minor, name } = priceAt(type, now);
  return { price_minor, price_name: name, discount_minor: 0, discount_id: null, products: NO_LINES };
}

/** The same for somebody who gets another type: the ticket costs what it costs now, and what is booked beside it stays. */
export const repriced = (agreed: AgreedPrice, type: AttendeeTypeRow, now: Date): AgreedPrice => ({
  ...priceNow(type, now),
  products: agreed.products,
  discount_id: agreed.products.some((line) => line.discount_minor > 0) ? agreed.discount_id : null,
});
