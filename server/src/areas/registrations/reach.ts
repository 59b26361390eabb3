import type { Attendee, Registration, Ticket } from '@turnout/contract';
import type { Held, Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, toUlid, toUuid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { inSubtree, limitOf, reducedAttendee, reducedRegistration, reducedTicket, type Seen } from '../groups/index.ts';
import { attendeeShape, dayCodes, registrationShape, type Shaping, ticketShape } from './shapes.ts';
import type { AttendeeState, RegistrationState, TicketState } from './state.ts';

/** The group's wall around registrations in memory: what is shown of them, and what may be done to them. */

/** A person's group is its own, else the registration's, else the event's. */
export const groupOf = (event: EventRow, registration: RegistrationState, person: AttendeeState): Id | null =>
  person.group_id ?? ownGroup(event, registration);
export const ownGroup = (event: EventRow, registration: RegistrationState): Id | null =>
  registration.group_id ?? event.group_id;

/** The groups that a limited caller reaches; undefined: all. */
export async function groupsOf({
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

/** Shapes for one caller. */
export interface Showing extends Shaping {
  /** Undefined: everybody is shown. */
  only: ReadonlySet<Id> | undefined;
}

const isReached = ({ only, world }: Showing, registration: RegistrationState, person: AttendeeState): boolean => {
  const group = groupOf(world.event, registration, person);
  return only === undefined || (group !== null && only.has(group));
};

function seenBy(showing: Showing, registration: RegistrationState): Seen {
  const own = ownGroup(showing.world.event, registration);
  const reached = new Set(
    registration.people.filter((person) => isReached(showing, registration, person)).map((person) => toUlid(person.id)),
  );
  return { person: (id) => reached.has(id), own: own !== null && showing.only!.has(own) };
}

/** What is found by SQL has somebody in reach; who moved away in between is not there any more. */
export function shownRegistration(showing: Showing, registration: RegistrationState): Registration {
  const whole = registrationShape(showing, registration);
  if (showing.only === undefined) return whole;
  return reducedRegistration(whole, seenBy(showing, registration)) ?? refuse('not_found');
}

export function shownAttendee(showing: Showing, registration: RegistrationState, person: AttendeeState): Attendee {
  const whole = attendeeShape(showing, registration, person);
  if (showing.only === undefined) return whole;
  if (!isReached(showing, registration, person)) refuse('not_found');
  const foreign = registration.tickets.filter(
    (ticket) => ticket.people.length > 1 && !isWhole(showing, registration, ticket),
  );
  return reducedAttendee(whole, new Set(foreign.map((ticket) => toUlid(ticket.id))));
}

export function shownTicket(showing: Showing, registration: RegistrationState, ticket: TicketState): Ticket {
  const whole = ticketShape(showing, registration, ticket);
  if (showing.only === undefined) return whole;
  const daysOf = (id: string) =>
    dayCodes(showing, registration.people.find((person) => person.id === toUuid(id))?.day_ids ?? []);
  return reducedTicket(whole, seenBy(showing, registration), daysOf) ?? refuse('not_found');
}

const peopleOn = (registration: RegistrationState, ticket: TicketState): AttendeeState[] =>
  registration.people.filter((person) => ticket.people.includes(person.id));

const isWhole = (showing: Showing, registration: RegistrationState, ticket: TicketState): boolean =>
  peopleOn(registration, ticket).every((person) => isReached(showing, registration, person));

/** Whom an act is about: everybody of the registration, or of one ticket, or one person. */
export type About = 'registration' | 'ticket' | 'attendee';

const concerned = (registration: RegistrationState, about: About, id: Id): AttendeeState[] => {
  if (about === 'registration') return registration.people;
  if (about === 'attendee') return registration.people.filter((person) => person.id === id);
  const ticket = registration.tickets.find((one) => one.id === id);
  return ticket === undefined ? [] : peopleOn(registration, ticket);
};

/**
 * Asked under the event's clock, where nobody moves any more. One's own people are changed one by one; what is theirs in part is
 * not acted on as a whole.
 */
export function requireReach(showing: Showing, registration: RegistrationState, about: About, id: Id): void {
  if (showing.only === undefined) return;
  const people = concerned(registration, about, id);
  const reached = people.filter((person) => isReached(showing, registration, person));
  if (reached.length === 0) refuse('not_found');
  if (reached.length < people.length) {
    refuse('mixed_groups', {
      message: `The ${about} also holds people of other groups, out of your reach, so you cannot act on it as a whole. Act on your own people one by one, or ask somebody who is not limited to a group.`,
    });
  }
}

/** For the audit log: the group of those whom an act was about, if it is one. */
export function commonGroup(event: EventRow, registration: RegistrationState, about: About, id: Id): Id | null {
  const groups = new Set(concerned(registration, about, id).map((person) => groupOf(event, registration, person)));
  const [only = null, ...others] = groups;
  return others.length > 0 ? null : only;
}

/** The group of an occurrence; where what it tells is of several, of whom it speaks, so that each hears of its own. */
export function heldIn(
  shaping: Shaping,
  registration: RegistrationState,
  as: Held['as'],
  ticket?: TicketState,
): { group: Id | null; held?: Held } {
  const { event } = shaping.world;
  const own = ownGroup(event, registration);
  const people = ticket === undefined ? registration.people : peopleOn(registration, ticket);
  const groups = new Set(people.map((person) => groupOf(event, registration, person)));
  if (as === 'registration') groups.add(own);
  const [only = null, ...others] = groups;
  if (others.length === 0) return { group: only };
  const entries = people.map((person) => [
    toUlid(person.id),
    {
      group: groupOf(event, registration, person),
      ...(ticket !== undefined && { days: dayCodes(shaping, person.day_ids) }),
    },
  ]);
  return { group: null, held: { as, own, people: Object.fromEntries(entries) } };
}
