import type { RegisteredAttendee, RegisteredProduct } from '@turnout/contract';
import type { TicketPrint } from '../../outside/ticket-pdf/index.ts';
import { unitsText } from '../../outside/units.ts';
import type { Organization } from '../../road/caller.ts';
import type { DayRow } from '../events/index.ts';
import type { SnapshotTicket } from './snapshot.ts';
import type { EventWorld } from './world.ts';

/** The registration of a ticket, as far as it is printed. */
interface Printed {
  code: string;
  attendees: readonly { id: string; products?: readonly RegisteredProduct[] }[];
}

/** A ticket as it is printed, with names in place of codes. */
export function printOf(
  organization: Pick<Organization, 'name' | 'terminology'>,
  world: EventWorld,
  registration: Printed,
  ticket: SnapshotTicket,
): TicketPrint {
  const days = daysIn(world, ticket.days);
  return {
    code: ticket.code,
    event: world.event,
    organization,
    people: ticket.attendees.map((attendee) => ({
      name: `${attendee.first_name} ${attendee.last_name}`.trim(),
      attendee_type: typeName(world, attendee.attendee_type),
      products: (registration.attendees.find(({ id }) => id === attendee.id)?.products ?? []).map((line) =>
        productText(world, line),
      ),
    })),
    days: days.map(({ name, date, opens_at, closes_at }) => ({ name, date, opens_at, closes_at })),
    registration_code: registration.code,
    test: ticket.test,
  };
}

/**
 * A ticket as it is given to some of the people on it. Only the registrant's copy of a shared ticket says who else is on it: an
 * attendee's own copy shows the attendee alone, with their own days.
 */
export function copyFor(
  ticket: SnapshotTicket,
  people: readonly Pick<RegisteredAttendee, 'id' | 'days'>[],
): SnapshotTicket {
  const theirs = new Map(people.map(({ id, days }) => [id, days]));
  const attendees = ticket.attendees.filter(({ id }) => theirs.has(id));
  if (attendees.length === ticket.attendees.length) return ticket;
  const days = new Set(attendees.flatMap(({ id }) => theirs.get(id)!));
  return { ...ticket, attendees, days: ticket.days.filter((day) => days.has(day)) };
}

export const typeName = (world: EventWorld, code: string): string =>
  [...world.types.values()].find((type) => type.code === code)?.name ?? code;

/** `T-shirt, Medium × 2`. What the event no longer has is shown by its code. */
export function productText(
  world: EventWorld,
  { product: code, option, quantity }: Pick<RegisteredProduct, 'product' | 'option' | 'quantity'>,
): string {
  const product = [...world.products.values()].find((one) => one.code === code);
  const chosen = product?.options.find((one) => one.code === option)?.name ?? option;
  return unitsText({ name: product?.name ?? code, option: chosen, quantity });
}

/** The days with these codes, in order of their dates. */
export const daysIn = (world: EventWorld, codes: readonly string[]): DayRow[] => {
  const wanted = new Set(codes);
  return world.dayOrder.map((id) => world.days.get(id)!).filter((day) => wanted.has(day.code));
};
