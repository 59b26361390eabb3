import { type Id, newId } from '../../store/ids.ts';
import type { AttendeeTypeRow } from '../events/index.ts';
import { newTicketCode } from './codes.ts';
import { type AttendeeState, active, type RegistrationState, type TicketState } from './state.ts';
import type { EventWorld } from './world.ts';

/**
 * Tickets, by the event's ticketing:
 *   per_person  one a person, for all the person's days
 *   per_day     one a person and day; a pass gets one
 *   shared      one for everybody of the registration; whoever joins or leaves joins or leaves it, its code stays
 */
export interface Issuing {
  world: EventWorld;
  stamp: string;
  now: Date;
}

export function issue(
  issuing: Issuing,
  registration: RegistrationState,
  people: Id[],
  day_ids: Id[] | null,
  extra: boolean,
): TicketState {
  const ticket: TicketState = {
    id: newId(issuing.now),
    code: newTicketCode(),
    status: 'valid',
    day_ids,
    extra,
    people,
    issued_at: issuing.stamp,
    voided_at: null,
    void_reason: null,
    replaced_by: null,
    created_at: issuing.stamp,
    updated_at: issuing.stamp,
    fresh: true,
    touched: true,
    peopleChanged: true,
  };
  registration.tickets.push(ticket);
  touchPeople(registration, ticket);
  registration.happened.push({ type: 'ticket.issued', ticket });
  return ticket;
}

export function voidTicket(
  issuing: Issuing,
  registration: RegistrationState,
  ticket: TicketState,
  reason: string,
): void {
  if (ticket.status === 'voided') return;
  die(issuing, registration, ticket, reason);
  registration.happened.push({ type: 'ticket.voided', ticket });
}

function die(issuing: Issuing, registration: RegistrationState, ticket: TicketState, reason: string): void {
  ticket.status = 'voided';
  ticket.voided_at = issuing.stamp;
  ticket.void_reason = reason;
  ticket.touched = true;
  touchPeople(registration, ticket);
}

/** The old code dies at once; the new ticket is for the same people and days. */
export function reissue(issuing: Issuing, registration: RegistrationState, old: TicketState): TicketState {
  die(issuing, registration, old, 'reissued');
  const ticket = issue(issuing, registration, [...old.people], old.day_ids, old.extra);
  registration.happened.pop(); // told as one occurrence, not as an issue
  old.replaced_by = ticket.id;
  registration.happened.push({ type: 'ticket.reissued', ticket, replaces: old.id });
  return ticket;
}

function touchPeople(registration: RegistrationState, ticket: TicketState): void {
  registration.touched = true;
  for (const person of registration.people) if (ticket.people.includes(person.id)) person.touched = true;
}

const valid = (registration: RegistrationState): TicketState[] =>
  registration.tickets.filter((ticket) => ticket.status === 'valid');
export const ticketsOf = (registration: RegistrationState, person: Id): TicketState[] =>
  valid(registration).filter((ticket) => ticket.people.includes(person));

/** What each person's tickets of this ticketing are for: null stands for "all the person's days". */
function wanted(world: EventWorld, type: AttendeeTypeRow, person: Pick<AttendeeState, 'day_ids'>): (Id | null)[] {
  return world.event.ticketing === 'per_day' && type.pass_days === null ? person.day_ids : [null];
}
export const wantedBy = (
  world: EventWorld,
  person: Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>,
): (Id | null)[] => wanted(world, world.types.get(person.attendee_type_id)!, person);

/** Issues what people lack: on confirmation for all, after adding for the new one. */
export function issueLacking(
  issuing: Issuing,
  registration: RegistrationState,
  people: readonly AttendeeState[],
): void {
  if (people.length === 0) return;
  if (issuing.world.event.ticketing === 'shared') {
    const shared = valid(registration).find((ticket) => !ticket.extra);
    const missing = people.filter((person) => shared === undefined || !shared.people.includes(person.id));
    if (shared === undefined)
      issue(
        issuing,
        registration,
        active(registration).map((person) => person.id),
        null,
        false,
      );
    else if (missing.length > 0)
      regroup(registration, shared, [...shared.people, ...missing.map((person) => person.id)]);
    return;
  }
  for (const person of people) {
    const type = issuing.world.types.get(person.attendee_type_id)!;
    const has = ticketsOf(registration, person.id).filter((ticket) => !ticket.extra);
    for (const day of wanted(issuing.world, type, person)) {
      if (!has.some((ticket) => (ticket.day_ids?.[0] ?? null) === day)) {
        issue(issuing, registration, [person.id], day === null ? null : [day], false);
      }
    }
  }
}

function regroup(registration: RegistrationState, ticket: TicketState, people: Id[]): void {
  ticket.people = people;
  ticket.touched = true;
  ticket.peopleChanged = true;
  touchPeople(registration, ticket);
}

/** A person's type or days changed: tickets for what fell away die, those for what is new are issued. */
export function follow(issuing: Issuing, registration: RegistrationState, person: AttendeeState): void {
  const type = issuing.world.types.get(person.attendee_type_id)!;
  const due = wanted(issuing.world, type, person);
  const mine = ticketsOf(registration, person.id);
  for (const ticket of mine) {
    const lost = ticket.extra
      ? ticket.day_ids !== null && !ticket.day_ids.some((day) => person.day_ids.includes(day))
      : issuing.world.event.ticketing !== 'shared' && !due.includes(ticket.day_ids?.[0] ?? null);
    if (lost) voidTicket(issuing, registration, ticket, 'days_changed');
  }
  for (const ticket of mine) {
    if (ticket.status !== 'valid') continue;
    ticket.touched = true; // its days are the person's
    if (ticket.extra && ticket.day_ids !== null && ticket.people.length === 1) {
      ticket.day_ids = ticket.day_ids.filter((day) => person.day_ids.includes(day));
    }
  }
  if (registration.confirmed_at !== null) issueLacking(issuing, registration, [person]);
}

/** Scanners limited to the person's group are told, should nobody else of theirs be on the ticket. */
export function depart(registration: RegistrationState, ticket: TicketState, person: AttendeeState): void {
  registration.departed ??= [];
  registration.departed.push({ code: ticket.code, group_id: person.group_id });
}

/** A person leaves: its own tickets die, a shared one goes on without it. */
export function leave(issuing: Issuing, registration: RegistrationState, person: AttendeeState): void {
  for (const ticket of ticketsOf(registration, person.id)) {
    const others = ticket.people.filter((id) => id !== person.id);
    if (others.length === 0) voidTicket(issuing, registration, ticket, 'attendee_cancelled');
    else {
      person.touched = true;
      depart(registration, ticket, person);
      regroup(registration, ticket, others);
    }
  }
}
