import type { Id } from '../../store/ids.ts';
import type { PersonNames } from '../contacts/index.ts';
import type { Book } from './book.ts';
import type { RegistrationState } from './state.ts';

/** What is the contact's in one registration, from before it is blanked. */
export interface Theirs {
  book: Book;
  registration: RegistrationState;
  /** As which registrant, where the contact is. */
  registrant: RegistrationState['contact'] | null;
  people: RegistrationState['people'];
  /** Tickets with them, and those that are for nobody else. */
  tickets: Id[];
  alone: Id[];
  names: PersonNames[];
}

export function theirsIn(book: Book, registration: RegistrationState, contact: Id): Theirs {
  const people = registration.people.filter((person) => person.contact_id === contact);
  const registrant = registration.contact.id === contact ? registration.contact : null;
  const own = new Set(people.map((person) => person.id));
  const tickets = registration.tickets.filter((ticket) => ticket.people.some((id) => own.has(id)));
  return {
    book,
    registration,
    registrant,
    people,
    tickets: tickets.map((ticket) => ticket.id),
    alone: tickets.filter((ticket) => ticket.people.every((id) => own.has(id))).map((ticket) => ticket.id),
    names: [...people.map((person) => ({ ...person })), ...(registrant === null ? [] : [registrant])],
  };
}

/** Nothing was kept of them before their first registration. */
export const sinceOf = (theirs: readonly Theirs[]): Date =>
  new Date(Math.min(...theirs.map((one) => Date.parse(one.registration.created_at))));
