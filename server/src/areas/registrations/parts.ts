import type { Id } from '../../common/ids.ts';
import type { AttendeeState, RegistrationState, TicketState } from './state.ts';

const indexes = new WeakMap<readonly object[], Map<Id, object>>();

/**
 * Attendees or tickets of a registration by their ids. These lists only grow, so the index of a list is completed with whatever was
 * added since. Whoever goes through all tickets and looked for each one, or for its attendees, in the whole list would take a time
 * that grows with the square of their number.
 */
export function byId<Part extends { id: Id }>(parts: readonly Part[]): ReadonlyMap<Id, Part> {
  let index = indexes.get(parts) as Map<Id, Part> | undefined;
  if (index === undefined) {
    index = new Map();
    indexes.set(parts, index);
  }
  for (let i = index.size; i < parts.length; i += 1) index.set(parts[i]!.id, parts[i]!);
  return index;
}

export const attendeesOn = (
  { attendees }: Pick<RegistrationState, 'attendees'>,
  { attendee_ids }: Pick<TicketState, 'attendee_ids'>,
): AttendeeState[] => {
  const known = byId(attendees);
  return attendee_ids.flatMap((id) => known.get(id) ?? []);
};

/** The tickets of each attendee who has any, voided ones too, in the order of the registration. */
export function ticketsByAttendee({ tickets }: Pick<RegistrationState, 'tickets'>): ReadonlyMap<Id, TicketState[]> {
  const found = new Map<Id, TicketState[]>();
  for (const ticket of tickets) {
    for (const id of ticket.attendee_ids) {
      const list = found.get(id);
      if (list === undefined) found.set(id, [ticket]);
      else list.push(ticket);
    }
  }
  return found;
}
