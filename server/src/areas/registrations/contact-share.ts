import type { Id } from '../../store/ids.ts';
import type { PersonNames } from '../contacts/index.ts';
import type { Book } from './book.ts';
import type { RegistrationState } from './state.ts';

/** The part of one registration that is about a contact, collected before it is blanked. */
export interface ContactShare {
  book: Book;
  registration: RegistrationState;
  /** The registrant, if the contact is the registrant. */
  registrant: RegistrationState['contact'] | null;
  attendees: RegistrationState['attendees'];
  /** Tickets of the contact's attendees, including shared ones. */
  tickets: Id[];
  /** Tickets that are for nobody else. */
  ownTickets: Id[];
  names: PersonNames[];
}

export function contactShare(book: Book, registration: RegistrationState, contact: Id): ContactShare {
  const attendees = registration.attendees.filter((attendee) => attendee.contact_id === contact);
  const registrant = registration.contact.id === contact ? registration.contact : null;
  const own = new Set(attendees.map((attendee) => attendee.id));
  const tickets = registration.tickets.filter((ticket) => ticket.attendee_ids.some((id) => own.has(id)));
  return {
    book,
    registration,
    registrant,
    attendees,
    tickets: tickets.map((ticket) => ticket.id),
    ownTickets: tickets.filter((ticket) => ticket.attendee_ids.every((id) => own.has(id))).map((ticket) => ticket.id),
    names: [...attendees.map((attendee) => ({ ...attendee })), ...(registrant === null ? [] : [registrant])],
  };
}

/** When the contact was first registered. No copies of the person are older than this. */
export const firstRegisteredAt = (shares: readonly ContactShare[]): Date =>
  new Date(Math.min(...shares.map((one) => Date.parse(one.registration.created_at))));

/** The events in which the contact is registered. */
export const eventsOf = (shares: readonly ContactShare[]): Id[] => [
  ...new Set(shares.map((one) => one.book.world.event.id)),
];
