import type { Registration } from '@turnout/contract';
import type { TicketPrint } from '../../outside/ticket-pdf/index.ts';
import type { Organization } from '../../road/caller.ts';
import { closesAt, opensAt } from '../events/index.ts';
import type { SnapshotTicket } from './snapshot.ts';
import type { EventWorld } from './world.ts';

/** A ticket as it is printed: names instead of codes. */
export function printOf(
  organization: Pick<Organization, 'name' | 'terminology'>,
  world: EventWorld,
  registration: Pick<Registration, 'code'>,
  ticket: SnapshotTicket,
): TicketPrint {
  const { event } = world;
  const days = world.dayOrder.map((id) => world.days.get(id)!).filter((day) => ticket.days.includes(day.code));
  return {
    code: ticket.code,
    event,
    organization,
    people: ticket.attendees.map((person) => ({
      name: `${person.first_name} ${person.last_name}`.trim(),
      attendee_type: typeName(world, person.attendee_type),
    })),
    days: days.map((day) => ({
      name: day.name,
      date: day.date,
      opens_at: day.opens_at === null ? null : opensAt(day, event.timezone),
      closes_at: day.closes_at === null ? null : closesAt(day, event.timezone),
    })),
    registration_code: registration.code,
    test: ticket.test,
  };
}

export const typeName = (world: EventWorld, code: string): string =>
  [...world.types.values()].find((type) => type.code === code)?.name ?? code;
export const dayName = (world: EventWorld, code: string): string =>
  [...world.days.values()].find((day) => day.code === code)?.name ?? code;
