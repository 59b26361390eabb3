import type { Attendee, Registration, Ticket } from '@turnout/contract';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { ReducibleData, Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import {
  inSubtree,
  isTakenForRegistrant,
  limitOf,
  reducedAttendee,
  reducedRegistration,
  reducedTicket,
  type Visibility,
} from '../groups/index.ts';
import { attendeesOn, byId } from './parts.ts';
import { attendeeShape, dayCodes, registrationShape, type Shaping, ticketShape } from './shapes.ts';
import type { AttendeeState, RegistrationState, TicketState } from './state.ts';

/*
 * The group's wall around registrations in memory: what a caller limited to a group is shown of them, and what it may do to them.
 */

/** An attendee's group is their own, or else the registration's, or else the event's. */
export const attendeeGroup = (event: EventRow, registration: RegistrationState, attendee: AttendeeState): Id | null =>
  attendee.group_id ?? registrationGroup(event, registration);
export const registrationGroup = (event: EventRow, registration: RegistrationState): Id | null =>
  registration.group_id ?? event.group_id;

/**
 * The group in which the registrant's contact is looked for and added: whoever is shown that contact is also shown the registrant.
 * So a registrant who is taken for attendees is in the group of these, and in none if they are of several.
 */
export function registrantGroup(event: EventRow, registration: RegistrationState): Id | null {
  const registrant = { ...registration.contact, id: null };
  const groups = new Set(
    registration.attendees
      .filter((attendee) => isTakenForRegistrant(registrant, attendee))
      .map((attendee) => attendeeGroup(event, registration, attendee)),
  );
  const [first = registrationGroup(event, registration), ...others] = groups;
  return others.length > 0 ? null : first;
}

/** The groups that a caller limited to a group reaches. Undefined if the caller is not limited. */
export async function reachedGroups({
  tx,
  org,
  caller,
}: Pick<Work, 'tx' | 'org' | 'caller'>): Promise<ReadonlySet<Id> | undefined> {
  if (caller.group === null) return undefined;
  const rows = await tx.all<{ id: Id }>(
    sql`select g.id from groups g where g.org_id = ${org} and ${inSubtree(limitOf(caller), sql`g.id`)}`,
  );
  return new Set(rows.map((row) => row.id));
}

/** What is needed to shape registrations for one caller. */
export interface Showing extends Shaping {
  /** The groups that the caller reaches. Undefined if everybody is shown. */
  reached: ReadonlySet<Id> | undefined;
}

const isReached = (
  { reached: only, world }: Showing,
  registration: RegistrationState,
  attendee: AttendeeState,
): boolean => {
  const group = attendeeGroup(world.event, registration, attendee);
  return only === undefined || (group !== null && only.has(group));
};

function seenBy(showing: Showing, registration: RegistrationState): Visibility {
  const own = registrationGroup(showing.world.event, registration);
  const reached = new Set(
    registration.attendees
      .filter((attendee) => isReached(showing, registration, attendee))
      .map((attendee) => toUlid(attendee.id)),
  );
  return { person: (id) => reached.has(id), own: own !== null && showing.reached!.has(own) };
}

/** Lists find registrations by SQL with an attendee in reach. If that attendee has moved to another group meanwhile, it is not found. */
export function shownRegistration(showing: Showing, registration: RegistrationState): Registration {
  const whole = registrationShape(showing, registration);
  if (showing.reached === undefined) return whole;
  return reducedRegistration(whole, seenBy(showing, registration)) ?? refuse('not_found');
}

export function shownAttendee(showing: Showing, registration: RegistrationState, attendee: AttendeeState): Attendee {
  const whole = attendeeShape(showing, registration, attendee);
  if (showing.reached === undefined) return whole;
  if (!isReached(showing, registration, attendee)) refuse('not_found');
  const foreign = registration.tickets.filter(
    (ticket) => ticket.attendee_ids.length > 1 && !reachesTicket(showing, registration, ticket),
  );
  return reducedAttendee(whole, new Set(foreign.map((ticket) => toUlid(ticket.id))));
}

export function shownTicket(showing: Showing, registration: RegistrationState, ticket: TicketState): Ticket {
  const whole = ticketShape(showing, registration, ticket);
  if (showing.reached === undefined) return whole;
  const daysOf = (id: string) => dayCodes(showing, byId(registration.attendees).get(toUuid(id))?.day_ids ?? []);
  return reducedTicket(whole, seenBy(showing, registration), daysOf) ?? refuse('not_found');
}

const reachesTicket = (showing: Showing, registration: RegistrationState, ticket: TicketState): boolean =>
  attendeesOn(registration, ticket).every((attendee) => isReached(showing, registration, attendee));

/** What an act is about: all attendees of a registration, all attendees of a ticket, or one attendee. */
export type About = 'registration' | 'ticket' | 'attendee';

const attendeesConcerned = (registration: RegistrationState, about: About, id: Id): AttendeeState[] => {
  if (about === 'registration') return registration.attendees;
  if (about === 'attendee') return attendeesOn(registration, { attendee_ids: [id] });
  const ticket = byId(registration.tickets).get(id);
  return ticket === undefined ? [] : attendeesOn(registration, ticket);
};

/**
 * Refuses an act on a registration or ticket that is only partly in the caller's reach; its own attendees can be changed one by
 * one. It is called under the event clock, so no attendee can move to another group afterwards.
 */
export function requireReach(showing: Showing, registration: RegistrationState, about: About, id: Id): void {
  if (showing.reached === undefined) return;
  const attendees = attendeesConcerned(registration, about, id);
  const reached = attendees.filter((attendee) => isReached(showing, registration, attendee));
  if (reached.length === 0) refuse('not_found');
  if (reached.length < attendees.length) {
    refuse('mixed_groups', {
      message: `The ${about} also has attendees of other groups, which you can’t see, so you can’t act on all of it. Act on your own attendees one by one, or ask someone who isn’t limited to a group.`,
    });
  }
}

/** The group that the audit log names for an act: that of the attendees it was about, or null if they are of several. */
export function commonGroup(event: EventRow, registration: RegistrationState, about: About, id: Id): Id | null {
  const groups = new Set(
    attendeesConcerned(registration, about, id).map((attendee) => attendeeGroup(event, registration, attendee)),
  );
  const [first = null, ...others] = groups;
  return others.length > 0 ? null : first;
}

/**
 * The group to which an occurrence belongs. If it speaks of attendees of several groups, it is null, and `held` says who is in
 * which group, so that each group only hears of its own attendees.
 */
export function occurrenceGroup(
  shaping: Shaping,
  registration: RegistrationState,
  as: ReducibleData['as'],
  ticket?: TicketState,
): { group: Id | null; held?: ReducibleData } {
  const { event } = shaping.world;
  const own = registrationGroup(event, registration);
  const attendees = ticket === undefined ? registration.attendees : attendeesOn(registration, ticket);
  const groups = new Set(attendees.map((attendee) => attendeeGroup(event, registration, attendee)));
  if (as === 'registration') groups.add(own);
  const [first = null, ...others] = groups;
  if (others.length === 0) return { group: first };
  const entries = attendees.map((attendee) => [
    toUlid(attendee.id),
    {
      group: attendeeGroup(event, registration, attendee),
      ...(ticket !== undefined && { days: dayCodes(shaping, attendee.day_ids) }),
    },
  ]);
  return { group: null, held: { as, own, people: Object.fromEntries(entries) } };
}
