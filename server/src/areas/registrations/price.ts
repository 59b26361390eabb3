import { priceAt } from '@turnout/contract';
import type { AttendeeTypeRow } from '../events/index.ts';
import type { AttendeeState } from './state.ts';

/** What was agreed on when somebody registered. A later change of the type's prices does not touch it. */
export type AgreedPrice = Pick<AttendeeState, 'price_minor' | 'price_name'>;

export const agreedPrice = ({ price_minor, price_name }: AgreedPrice): AgreedPrice => ({ price_minor, price_name });

/** What somebody who registers now agrees on. */
export function priceNow(type: AttendeeTypeRow, now: Date): AgreedPrice {
  const { price_minor, name } = priceAt(type, now);
  return { price_minor, price_name: name };
}
