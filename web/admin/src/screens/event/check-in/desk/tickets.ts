import type { Attendee, Day, Ticket } from '@turnout/client';
import { call } from '../../../../frame/api.ts';

/**
 * The day of the event that is open now, else the next one, else the last one. Days are given by date. A night that ends after midnight
 * is still the present day until it closes.
 */
export const presentDay = (days: readonly Day[], now: number): Day | undefined =>
  days.find(({ closes_at }) => Date.parse(closes_at) > now) ?? days.at(-1);

/** Of several tickets, the one for the present day; a ticket without days is for all of them. */
export const ticketFor = <T extends Pick<Ticket, 'days'>>(tickets: readonly T[], day: Day | undefined): T | undefined =>
  tickets.find(({ days }) => day !== undefined && days.includes(day.code)) ??
  tickets.find(({ days }) => days.length === 0) ??
  tickets[0];

export const hasTicket = (attendee: Pick<Attendee, 'tickets'>): boolean =>
  attendee.tickets.some(({ status }) => status === 'valid');

/** The id of the ticket to scan or print. Only somebody who has several, such as one for each day, makes us ask which is for which. */
export async function ticketOf(
  base: { org: string; event: string },
  attendee: Pick<Attendee, 'id' | 'tickets'>,
  day: Day | undefined,
): Promise<string | undefined> {
  const valid = attendee.tickets.filter(({ status }) => status === 'valid');
  if (valid.length <= 1) return valid[0]?.id;
  const { data } = await call('listTickets', {
    ...base,
    query: { attendee: attendee.id, status: 'valid', order: 'newest', limit: 100 },
  });
  return ticketFor(data, day)?.id;
}
