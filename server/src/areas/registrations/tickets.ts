import { type Id, newId } from '../../common/ids.ts';
import type { AttendeeTypeRow } from '../events/index.ts';
import { newTicketCode } from './codes.ts';
import { attendeesOn } from './parts.ts';
import { type AttendeeState, activeAttendees, type RegistrationState, type TicketState } from './state.ts';
import type { EventWorld } from './world.ts';

/**
 * Which tickets a registration gets depends on the event's ticketing:
 *   per_person  one for each attendee, for all of their days
 *   per_day     one for each attendee and day; an attendee with a pass gets one
 *   shared      one for all attendees of the registration; attendees are added to and removed from it, and its code stays. Whoever was
 *               handed a place has a ticket of their own
 *
 * The interface is what issuing tickets needs. The book satisfies it.
 */
export interface TicketContext {
  world: EventWorld;
  stamp: string;
  now: Date;
}

export function issue(
  context: TicketContext,
  registration: RegistrationState,
  attendee_ids: Id[],
  day_ids: Id[] | null,
  extra: boolean,
): TicketState {
  const ticket: TicketState = {
    id: newId(context.now),
    code: newTicketCode(),
    status: 'valid',
    day_ids,
    extra,
    attendee_ids,
    issued_at: context.stamp,
    voided_at: null,
    void_reason: null,
    replaced_by: null,
    created_at: context.stamp,
    updated_at: context.stamp,
    fresh: true,
    touched: true,
    attendeesChanged: true,
  };
  registration.tickets.push(ticket);
  touchAttendees(registration, ticket);
  registration.happened.push({ type: 'ticket.issued', ticket });
  return ticket;
}

export function voidTicket(
  context: TicketContext,
  registration: RegistrationState,
  ticket: TicketState,
  reason: string,
): void {
  if (ticket.status === 'voided') return;
  markVoided(context, registration, ticket, reason);
  registration.happened.push({ type: 'ticket.voided', ticket });
}

function markVoided(
  context: TicketContext,
  registration: RegistrationState,
  ticket: TicketState,
  reason: string,
): void {
  ticket.status = 'voided';
  ticket.voided_at = context.stamp;
  ticket.void_reason = reason;
  ticket.touched = true;
  touchAttendees(registration, ticket);
}

/** Voids a ticket and issues a new one for the same attendees and days. */
export function reissue(context: TicketContext, registration: RegistrationState, old: TicketState): TicketState {
  markVoided(context, registration, old, 'reissued');
  const ticket = issue(context, registration, [...old.attendee_ids], old.day_ids, old.extra);
  registration.happened.pop(); // a reissue is one occurrence, without the `ticket.issued` that `issue` added
  old.replaced_by = ticket.id;
  registration.happened.push({ type: 'ticket.reissued', ticket, replaces: old.id });
  return ticket;
}

function touchAttendees(registration: RegistrationState, ticket: TicketState): void {
  registration.touched = true;
  for (const attendee of attendeesOn(registration, ticket)) attendee.touched = true;
}

const validTickets = (registration: RegistrationState): TicketState[] =>
  registration.tickets.filter((ticket) => ticket.status === 'valid');
export const validTicketsOf = (registration: RegistrationState, attendee: Id): TicketState[] =>
  validTickets(registration).filter((ticket) => ticket.attendee_ids.includes(attendee));

/** One entry for each ticket that an attendee gets by the event's ticketing: its day, or null for all of the attendee's days. */
function dayPerTicket(
  world: EventWorld,
  type: AttendeeTypeRow,
  attendee: Pick<AttendeeState, 'day_ids'>,
): (Id | null)[] {
  return world.event.ticketing === 'per_day' && type.pass_days === null ? attendee.day_ids : [null];
}
export const ticketsDue = (
  world: EventWorld,
  attendee: Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>,
): (Id | null)[] => dayPerTicket(world, world.types.get(attendee.attendee_type_id)!, attendee);

/** Issues the tickets that these attendees lack: to all of them on confirmation, to a new one when it is added. */
export function issueLacking(
  context: TicketContext,
  registration: RegistrationState,
  attendees: readonly AttendeeState[],
): void {
  if (attendees.length === 0) return;
  const isShared = context.world.event.ticketing === 'shared';
  const together = isShared ? attendees.filter(sharesTicket) : [];
  if (together.length > 0) issueShared(context, registration, together);
  for (const attendee of attendees) {
    if (isShared && sharesTicket(attendee)) continue;
    const type = context.world.types.get(attendee.attendee_type_id)!;
    const has = validTicketsOf(registration, attendee.id).filter((ticket) => !ticket.extra);
    for (const day of dayPerTicket(context.world, type, attendee)) {
      if (!has.some((ticket) => (ticket.day_ids?.[0] ?? null) === day)) {
        issue(context, registration, [attendee.id], day === null ? null : [day], false);
      }
    }
  }
}

const sharesTicket = ({ handed_on_at }: AttendeeState): boolean => handed_on_at === null;

function issueShared(
  context: TicketContext,
  registration: RegistrationState,
  attendees: readonly AttendeeState[],
): void {
  const all = registration.attendees.filter(sharesTicket).map(({ id }) => id);
  const shared = validTickets(registration).find(
    ({ extra, attendee_ids }) => !extra && attendee_ids.some((id) => all.includes(id)),
  );
  if (shared === undefined) {
    const active = activeAttendees(registration).filter(sharesTicket);
    issue(
      context,
      registration,
      active.map(({ id }) => id),
      null,
      false,
    );
    return;
  }
  const missing = attendees.flatMap(({ id }) => (shared.attendee_ids.includes(id) ? [] : [id]));
  if (missing.length > 0) setTicketAttendees(registration, shared, [...shared.attendee_ids, ...missing]);
}

/** Takes an attendee off a shared ticket and issues one of their own in its place. The others keep theirs, and its code. */
export function issueOwnTicket(
  context: TicketContext,
  registration: RegistrationState,
  shared: TicketState,
  attendee: AttendeeState,
): void {
  setTicketAttendees(
    registration,
    shared,
    shared.attendee_ids.filter((id) => id !== attendee.id),
  );
  issue(context, registration, [attendee.id], shared.day_ids, shared.extra);
}

function setTicketAttendees(registration: RegistrationState, ticket: TicketState, attendee_ids: Id[]): void {
  ticket.attendee_ids = attendee_ids;
  ticket.touched = true;
  ticket.attendeesChanged = true;
  touchAttendees(registration, ticket);
}

/** Brings an attendee's tickets in line with a changed type or changed days: voids what no longer applies and issues what is new. */
export function adjustTickets(context: TicketContext, registration: RegistrationState, attendee: AttendeeState): void {
  const type = context.world.types.get(attendee.attendee_type_id)!;
  const due = dayPerTicket(context.world, type, attendee);
  const mine = validTicketsOf(registration, attendee.id);
  for (const ticket of mine) {
    const lost = ticket.extra
      ? ticket.day_ids !== null && !ticket.day_ids.some((day) => attendee.day_ids.includes(day))
      : context.world.event.ticketing !== 'shared' && !due.includes(ticket.day_ids?.[0] ?? null);
    if (lost) voidTicket(context, registration, ticket, 'days_changed');
  }
  for (const ticket of mine) {
    if (ticket.status !== 'valid') continue;
    ticket.touched = true; // the API shows the attendee's days as the ticket's
    if (ticket.extra && ticket.day_ids !== null && ticket.attendee_ids.length === 1) {
      ticket.day_ids = ticket.day_ids.filter((day) => attendee.day_ids.includes(day));
    }
  }
  if (registration.confirmed_at !== null) issueLacking(context, registration, [attendee]);
}

/** Takes an attendee off their tickets: tickets of theirs alone are voided, shared ones stay valid for the others. */
export function removeFromTickets(
  context: TicketContext,
  registration: RegistrationState,
  attendee: AttendeeState,
): void {
  for (const ticket of validTicketsOf(registration, attendee.id)) {
    const others = ticket.attendee_ids.filter((id) => id !== attendee.id);
    if (others.length === 0) voidTicket(context, registration, ticket, 'attendee_cancelled');
    else {
      attendee.touched = true;
      setTicketAttendees(registration, ticket, others);
    }
  }
}
