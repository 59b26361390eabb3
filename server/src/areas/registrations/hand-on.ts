import { sql } from '../../store/sql.ts';
import type { Book } from './book.ts';
import type { AttendeeState, RegistrationState } from './state.ts';
import { issueOwnTicket, reissue, validTicketsOf } from './tickets.ts';

/** The details of an attendee before the place went to somebody else. */
export type FormerHolder = Pick<AttendeeState, 'first_name' | 'last_name' | 'email' | 'contact_id'>;

/**
 * What follows when a place has got the details of another person: the new person is another contact and the place is theirs alone,
 * the tickets that the former one has are replaced, and both get a mail. If the ticket was shared, the new person gets one of their
 * own and the others keep theirs, as when somebody of them cancels: they have nothing to do with it, and are not mailed.
 */
export function handOver(
  book: Book,
  registration: RegistrationState,
  attendee: AttendeeState,
  from: FormerHolder,
): void {
  const { tx, org, world } = book;
  attendee.contact_id = null;
  attendee.handed_on_at = book.stamp;
  tx.send(sql`update attendees set handed_on_at = ${book.stamp} where org_id = ${org} and id = ${attendee.id}`);
  for (const ticket of validTicketsOf(registration, attendee.id)) {
    if (ticket.attendee_ids.length === 1) reissue(book, registration, ticket);
    else issueOwnTicket(book, registration, ticket, attendee);
  }
  registration.handedOn = [...(registration.handedOn ?? []), { attendee, from }];
  // Without its mail the new person would have neither ticket nor link, so this one is sent even if others are not.
  registration.sendMails = true;
  if (from.contact_id === null) return;
  // Copies of the place from before are about this contact, and erasing it has to find them (erase.ts).
  tx.send(sql`
    insert into former_attendees (org_id, contact_id, attendee_id, registration_id, event_id, until)
    values (${org}, ${from.contact_id}, ${attendee.id}, ${registration.id}, ${world.event.id}, ${book.now})
    on conflict (org_id, contact_id, attendee_id) do update set until = excluded.until`);
}

/** The new person's answers in place of the former one's: each that is not given again is removed. */
export function answersInstead(
  former: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const gone = Object.keys(former).filter((name) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...given };
}
