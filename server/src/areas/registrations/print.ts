import type { Registration } from '@turnout/contract';
import type { TicketPrint } from '../../outside/ticket-pdf/index.ts';
import type { Organization } from '../../road/caller.ts';
import { closesAt, type DayRow, type EventRow, opensAt } from '../events/index.ts';
import type { SnapshotTicket } from './snapshot.ts';
import type { EventWorld } from './world.ts';

/** A ticket as it is printed: names instead of codes. */
export function printOf(
  organization: Pick<Organization, 'name' | 'terminology'>,
  world: EventWorld,
  registration: Pick<Registration, 'code'>,
  ticket: SnapshotTicket,
): TicketPrint {
  const days = daysIn(world, ticket.days);
  return {
    code: ticket.code,
    event: datedEvent(world),
    organization,
    people: ticket.attendees.map((person) => ({
      name: `${person.first_name} ${person.last_name}`.trim(),
      attendee_type: typeName(world, person.attendee_type),
    })),
    days: days.map(({ name, date, opens_at, closes_at }) => ({ name, date, opens_at, closes_at })),
    registration_code: registration.code,
    test: ticket.test,
  };
}

export const typeName = (world: EventWorld, code: string): string =>
  [...world.types.values()].find((type) => type.code === code)?.name ?? code;

/** In order of their dates. */
export const daysIn = (world: EventWorld, codes: readonly string[]): DayRow[] => {
  const wanted = new Set(codes);
  return world.dayOrder.map((id) => world.days.get(id)!).filter((day) => wanted.has(day.code));
};

/** An event that says no times of its own lasts from its first day to its last. */
export function datedEvent({ event, days, dayOrder }: EventWorld): EventRow {
  if (event.starts_at !== null || event.ends_at !== null || dayOrder.length === 0) return event;
  const all = [...days.values()];
  const starts = all.map((day) => opensAt(day, event.timezone)).sort(byTime);
  const ends = all.map((day) => closesAt(day, event.timezone)).sort(byTime);
  return { ...event, starts_at: starts[0]!, ends_at: ends.at(-1)! };
}
const byTime = (a: string, b: string): number => Date.parse(a) - Date.parse(b);
