import type { Day } from '@turnout/client';
import { expect, test } from 'vitest';
import { presentDay, ticketFor } from './tickets.ts';

const day = (code: string, closes_at: string) => ({ code, closes_at }) as Day;
// Saturday ends after midnight.
const days = [day('sat', '2027-06-13T03:00:00Z'), day('sun', '2027-06-14T00:00:00Z')];

test('the present day is the one that has not closed, before the event its first day, after it its last', () => {
  const at = (now: string) => presentDay(days, Date.parse(now))?.code;
  expect(at('2027-06-13T02:59:00Z')).toBe('sat');
  expect(at('2027-06-13T03:00:00Z')).toBe('sun');
  expect(at('2027-01-01T00:00:00Z')).toBe('sat');
  expect(at('2028-01-01T00:00:00Z')).toBe('sun');
  expect(presentDay([], 0)).toBeUndefined();
});

test('of several tickets, the one for the present day is taken', () => {
  const tickets = [{ days: ['sat'] }, { days: ['sun'] }];
  expect(ticketFor(tickets, days[1])).toBe(tickets[1]);
  expect(ticketFor([{ days: ['sat'] }, { days: [] as string[] }], days[1])).toEqual({ days: [] });
  expect(ticketFor(tickets, undefined)).toBe(tickets[0]);
  expect(ticketFor([], days[0])).toBeUndefined();
});
