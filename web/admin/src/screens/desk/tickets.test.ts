import type { Day } from '@turnout/client';
import { expect, test } from 'vitest';
import { dateIn, presentDay, ticketFor } from './tickets.ts';

const day = (code: string, date: string) => ({ code, date }) as Day;
const days = [day('sat', '2027-06-12'), day('sun', '2027-06-13')];

test('the date is that of the place where the event is', () => {
  const at = new Date('2027-06-12T22:30:00Z');
  expect(dateIn('Europe/Berlin', at)).toBe('2027-06-13');
  expect(dateIn('America/New_York', at)).toBe('2027-06-12');
});

test('the present day is today, before the event its first day, after it its last', () => {
  expect(presentDay(days, '2027-06-13')?.code).toBe('sun');
  expect(presentDay(days, '2027-01-01')?.code).toBe('sat');
  expect(presentDay(days, '2028-01-01')?.code).toBe('sun');
  expect(presentDay([], '2027-01-01')).toBeUndefined();
});

test('of several tickets, the one for the present day is taken', () => {
  const tickets = [{ days: ['sat'] }, { days: ['sun'] }];
  expect(ticketFor(tickets, days[1])).toBe(tickets[1]);
  expect(ticketFor([{ days: ['sat'] }, { days: [] as string[] }], days[1])).toEqual({ days: [] });
  expect(ticketFor(tickets, undefined)).toBe(tickets[0]);
  expect(ticketFor([], days[0])).toBeUndefined();
});
