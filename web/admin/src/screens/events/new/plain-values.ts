import type { AttendeeTypeCreate, DayCreate, EventCreate } from '@turnout/client';
import { emptyDays, planOf } from '../../event/tickets/day-values.ts';

/** What is asked about a new event. */
export interface PlainValues {
  name: string;
  first_day: string;
  /** Empty: it lasts one day. */
  last_day: string;
  opens: string;
  closes: string;
  where: 'place' | 'online';
  venue: string;
  price: 'free' | 'paid';
  currency: string;
  timezone: string;
  code: string;
  group: string;
  test: boolean;
}

/** What was left empty is not sent: the organization's own settings hold then. `online`: what stands for a place where there is none. */
export function eventOf(values: PlainValues, online: string): EventCreate {
  const { name, where, price, currency, timezone, code, group, test } = values;
  const venue = where === 'online' ? online : values.venue.trim();
  return {
    name: name.trim(),
    timezone,
    ...(venue !== '' && { venue }),
    ...(price === 'paid' && { currency }),
    ...(code.trim() !== '' && { code: code.trim() }),
    ...(group !== '' && { group }),
    ...(test && { test }),
  };
}

/** A day for each date from the first to the last, all with the same times. */
export const daysOf = ({ first_day, last_day, opens, closes, timezone }: PlainValues): DayCreate[] =>
  planOf({ ...emptyDays(first_day), to: last_day, opens, closes }, [], timezone).days;

/** Where nobody pays, one type is enough. Types with prices are made by whoever knows the prices. */
export const typesOf = ({ price }: PlainValues, name: string): AttendeeTypeCreate[] =>
  price === 'free' ? [{ name }] : [];
