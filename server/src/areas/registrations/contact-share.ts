import type { Id } from '../../common/ids.ts';
import type { PersonNames } from '../contacts/index.ts';
import type { Book } from './book.ts';
import type { RegistrationState, TicketState } from './state.ts';

/** The part of one registration that is about a contact, collected before it is blanked. */
export interface ContactShare {
  book: Book;
  registration: RegistrationState;
  /** The registrant, if the contact is the registrant. */
  registrant: RegistrationState['contact'] | null;
  attendees: RegistrationState['attendees'];
  /** Attendees whose place the contact has handed on. They are other people now, and only copies from before are erased. */
  former: Id[];
  /** Tickets of the contact's attendees, including shared ones. */
  tickets: Id[];
  /** Tickets that are for nobody else. */
  ownTickets: Id[];
  names: PersonNames[];
}

export function contactShare(
  book: Book,
  registration: RegistrationState,
  contact: PersonNames & { id: Id },
  handedOn: ReadonlySet<Id>,
): ContactShare {
  const attendees = registration.attendees.filter((attendee) => attendee.contact_id === contact.id);
  const registrant = registration.contact.id === contact.id ? registration.contact : null;
  const own = new Set(attendees.map((attendee) => attendee.id));
  const former = registration.attendees.flatMap(({ id }) => (handedOn.has(id) && !own.has(id) ? [id] : []));
  const isHeld = ({ status }: TicketState, id: Id) => own.has(id) || (status === 'voided' && handedOn.has(id));
  const tickets = registration.tickets.filter((ticket) => ticket.attendee_ids.some((id) => isHeld(ticket, id)));
  return {
    book,
    registration,
    registrant,
    attendees,
    former,
    tickets: tickets.map((ticket) => ticket.id),
    ownTickets: tickets
      .filter((ticket) => ticket.attendee_ids.every((id) => isHeld(ticket, id)))
      .map((ticket) => ticket.id),
    names: [
      ...attendees.map((attendee) => ({ ...attendee })),
      ...(registrant === null ? [] : [registrant]),
      ...(former.length === 0 ? [] : [contact]),
    ],
  };
}

/** When the contact was first registered. No copies of the person are older than this. */
export const firstRegisteredAt = (shares: readonly ContactShare[]): Date =>
  new Date(Math.min(...shares.map((one) => Date.parse(one.registration.created_at))));

/** The events in which the contact is registered. */
export const eventsOf = (shares: readonly ContactShare[]): Id[] => [
  ...new Set(shares.map((one) => one.book.world.event.id)),
];
