import { MAX_PERSON_DAYS, MAX_TICKETS } from '@turnout/contract';
import type { EventWorld } from '../registrations/index.ts';
import { isAllDays, severalIn } from './import-cells.ts';
import { type ImportRow, Rejected } from './import-row.ts';

/**
 * How many people of an event one transaction may write, measured by what they cost: at most as much as one registration of the
 * largest size. Counting rows alone is not enough: 200 people with a ticket for each of 366 days are 73,200 tickets.
 */
export interface Load {
  /** The part of a transaction that one person on so many days fills, at most. */
  person(days: number): number;
  /** The same for a row of a file, before it is known whom it concerns. Where it names no days, or all, it may be for all of them. */
  row(row: ImportRow | Rejected): number;
}

/** What fills a transaction: as many places as a registration may take. A ticket counts as several places. */
export const FULL_LOAD = MAX_PERSON_DAYS;
const TICKET = MAX_PERSON_DAYS / MAX_TICKETS;

export function loadOf({ event, days }: Pick<EventWorld, 'event' | 'days'>): Load {
  const day = event.ticketing === 'per_day' ? TICKET : 1;
  const person = (count: number) => Math.max(TICKET, day * Math.min(count, days.size));
  return {
    person,
    row: (row) =>
      row instanceof Rejected
        ? 0
        : person(row.days === undefined || isAllDays(row.days) ? days.size : severalIn(row.days).length),
  };
}
