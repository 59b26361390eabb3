import type { Attendee, Registration, Ticket } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { ReducibleData } from '../../road/operation.ts';

/**
 * How an object looks to a caller that reaches only some of its attendees. Answers, lists and webhooks all use these functions.
 * Which rows a caller reaches is decided in SQL, in reach.ts.
 */
export interface Visibility {
  /** Whether the attendee with this ULID is in reach. */
  person(id: string): boolean;
  /** Whether the registration's group is in reach; without one, the event's group. */
  own: boolean;
}

/** Which parts of the data a caller that reaches these groups sees. `ReducibleData` names the attendees in it with their groups. */
export const seenIn = ({ people, own }: ReducibleData, groups: ReadonlySet<Id>): Visibility => {
  const reaches = (group: Id | null | undefined) => group !== null && group !== undefined && groups.has(group);
  return { person: (id) => reaches(people[id]?.group), own: reaches(own) };
};

const NOBODY = { id: null, first_name: null, last_name: null, email: null, phone: null, language: null };

/**
 * Shows only the attendees in reach, the registrant only if in reach, and the totals only if all attendees are. Null when none
 * of the attendees is in reach.
 */
export function reducedRegistration(registration: Registration, seen: Visibility): Registration | null {
  const attendees = registration.attendees.filter((one) => seen.person(one.id));
  if (attendees.length === 0) return null;
  const others = registration.attendees.filter((one) => !seen.person(one.id));
  const foreign = new Set(others.flatMap((one) => one.tickets.map((ticket) => ticket.id)));
  return {
    ...registration,
    group: seen.own ? registration.group : null,
    contact: registrantIsSeen(registration, seen) ? registration.contact : NOBODY,
    attendees: attendees.map((one) => reducedAttendee(one, foreign)),
    ...(others.length > 0 && {
      products: [],
      discount_code: null,
      discount_minor: null,
      total_minor: null,
      paid_minor: null,
      balance_minor: null,
    }),
  };
}

const same = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase();

type Registrant = Pick<Registration['contact'], 'id' | 'first_name' | 'last_name' | 'email'>;
type Person = Pick<Attendee, 'contact_id' | 'first_name' | 'last_name' | 'email'>;

/** Attendees with the registrant's contact, e-mail address or name are taken for the registrant. */
export const isTakenForRegistrant = (registrant: Registrant, attendee: Person): boolean =>
  same(attendee.contact_id, registrant.id) ||
  same(attendee.email, registrant.email) ||
  (same(attendee.first_name, registrant.first_name) && same(attendee.last_name, registrant.last_name));

/**
 * A registrant who is taken for attendees is seen if all of these are. Otherwise the registration's group decides, else the
 * event's. `registrantInReach` in reach.ts is the same in SQL.
 */
function registrantIsSeen({ contact, attendees }: Registration, seen: Visibility): boolean {
  const asAttendee = attendees.filter((one) => isTakenForRegistrant(contact, one));
  return asAttendee.length > 0 ? asAttendee.every((one) => seen.person(one.id)) : seen.own;
}

/** `foreign` are the tickets that also admit attendees out of reach, so their codes are not shown. */
export const reducedAttendee = <One extends Pick<Attendee, 'tickets'>>(
  attendee: One,
  foreign: ReadonlySet<string>,
): One =>
  foreign.size === 0
    ? attendee
    : {
        ...attendee,
        tickets: attendee.tickets.map((ticket) => (foreign.has(ticket.id) ? { ...ticket, code: null } : ticket)),
      };

/**
 * A ticket that is shared with attendees out of reach is shown without them, without their days, and without its code, which
 * would admit them. Null when none of its attendees is in reach.
 */
export function reducedTicket<T extends Ticket>(
  ticket: T,
  seen: Visibility,
  daysOf: (person: string) => readonly string[],
): T | null {
  const attendees = ticket.attendees.filter((one) => seen.person(one.id));
  if (attendees.length === 0) return null;
  if (attendees.length === ticket.attendees.length) return ticket;
  const days = new Set(attendees.flatMap((one) => daysOf(one.id)));
  return { ...ticket, code: null, attendees, days: ticket.days.filter((day) => days.has(day)) };
}

/** The data of a webhook as an endpoint limited to these groups gets it; null when it gets nothing. */
export function reducedData(data: unknown, held: ReducibleData, groups: ReadonlySet<Id>): unknown {
  const seen = seenIn(held, groups);
  if (held.as === 'whole') return Object.keys(held.people).every(seen.person) ? data : null;
  if (held.as === 'ticket') return reducedTicket(data as Ticket, seen, (id) => held.people[id]?.days ?? []);
  const { attendee: about, ...full } = data as Registration & { attendee?: Attendee };
  const registration = reducedRegistration(full, seen);
  if (registration === null || about === undefined) return registration;
  // The occurrence is about one attendee (added, changed or cancelled): only whoever reaches that attendee hears of it.
  const attendee = registration.attendees.find((one) => one.id === about.id);
  return attendee === undefined ? null : { ...registration, attendee };
}
