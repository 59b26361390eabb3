/*
 * What an attendee type costs at a moment. The server, the pages and the app ask the same function.
 */

/** A price that holds for a while, such as the early bird's. */
export interface PricePhase {
  name: string;
  /** From this instant on. Null: from the beginning. */
  from: string | null;
  /** Up to, and without, this instant. Null: to the end. */
  until: string | null;
  price_minor: number;
}

export interface Priced {
  /** The regular price, which holds where no phase does. */
  price_minor: number;
  prices: readonly PricePhase[];
}

/** How many phases of its price a type has at most. */
export const MAX_PRICES = 20;

interface Price {
  price_minor: number;
  /** The name of the phase. Null: the regular price. */
  name: string | null;
}

export interface CurrentPrice extends Price {
  /** When another price begins to hold. Null: never. */
  until: string | null;
  /** What it costs from then on. */
  next: Price | null;
}

/** The fields of an attendee type that follow from the others and the time. */
export const DERIVED_OF_TYPE = ['current_price_minor', 'current_price_until'] as const;

/** The price of a type at an instant: that of the first phase in the list that holds then, else the regular one. */
function priceOn({ price_minor, prices }: Priced, now: number): Price {
  const phase = prices.find(
    ({ from, until }) => (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until)),
  );
  return phase === undefined ? { price_minor, name: null } : { price_minor: phase.price_minor, name: phase.name };
}

export function priceAt(type: Priced, now: Date): CurrentPrice {
  const is = priceOn(type, now.getTime());
  const changes = type.prices
    .flatMap(({ from, until }) => [from, until])
    .filter((at) => at !== null && Date.parse(at) > now.getTime())
    .toSorted((a, b) => Date.parse(a!) - Date.parse(b!));
  const until = changes.find((at) => priceOn(type, Date.parse(at!)).price_minor !== is.price_minor) ?? null;
  return { ...is, until, next: until === null ? null : priceOn(type, Date.parse(until)) };
}

/** When something is sold. Null: from the beginning, or to the end. */
export interface SalePeriod {
  from: string | null;
  until: string | null;
}

/** Whether something is sold at an instant, or before or after it was. Without a period it is always sold. */
export function saleAt(period: SalePeriod | null, now: Date): 'before' | 'now' | 'over' {
  const { from, until } = period ?? { from: null, until: null };
  if (from !== null && now.getTime() < Date.parse(from)) return 'before';
  return until === null || now.getTime() < Date.parse(until) ? 'now' : 'over';
}

export const isOnSale = (period: SalePeriod | null, now: Date): boolean => saleAt(period, now) === 'now';

/** Whether anybody ever pays for it. */
export const isPaid = ({ price_minor, prices }: Priced): boolean =>
  price_minor > 0 || prices.some((phase) => phase.price_minor > 0);
