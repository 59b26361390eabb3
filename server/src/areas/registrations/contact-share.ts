import type { Id } from '../../store/ids.ts';
import type { PersonNames } from '../contacts/index.ts';
import type { Book } from './book.ts';
import type { RegistrationState } from './state.ts';

/** What is the contact's in one registration, from before it is blanked. */
export interface ContactShare {
  book: Book;
  registration: RegistrationState;
  /** As which registrant, where the contact is. */
  registrant: RegistrationState['contact'] | null;
  attendees: RegistrationState['attendees'];
  /** Tickets with them, and those that are for nobody else. */
  tickets: Id[];
  ownTickets: Id[];
  names: PersonNames[];
}

export function contactShare(book: Book, registration: RegistrationState, contact: Id): ContactShare {
  const people = registration.attendees.filter((person) => person.contact_id === contact);
  const registrant = registration.contact.id === contact ? registration.contact : null;
  const own = new Set(people.map((person) => person.id));
  const tickets = registration.tickets.filter((ticket) => ticket.attendee_ids.some((id) => own.has(id)));
  return {
    book,
    registration,
    registrant,
    attendees: people,
    tickets: tickets.map((ticket) => ticket.id),
    ownTickets: tickets.filter((ticket) => ticket.attendee_ids.every((id) => own.has(id))).map((ticket) => ticket.id),
    names: [...people.map((person) => ({ ...person })), ...(registrant === null ? [] : [registrant])],
  };
}

/** Nothing was kept of them before their first registration. */
export const firstRegisteredAt = (theirs: readonly ContactShare[]): Date =>
  new Date(Math.min(...theirs.map((one) => Date.parse(one.registration.created_at))));
