import { Refusal } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { emailKey } from '../contacts/index.ts';
import type { Book } from './book.ts';
import type { FormVisit } from './holds.ts';
import { activeAttendees, type RegistrationState } from './state.ts';
import { asksApproval, outstanding } from './statuses.ts';

/**
 * How many people one network, and one registrant's address, may have registered for an event with the form and not paid yet. Places
 * that others would pay for are not to be taken by whoever sends the form most often. A company's or a school's network is one network.
 */
export const MAX_UNPAID = { network: 40, email: 20 } as const;

/**
 * Why the form may not register these people as well, or null. The caller holds the event clock, so two forms that are sent at the same
 * time cannot both have the last of what is allowed.
 */
export async function unpaidRefusal(
  book: Book,
  registration: RegistrationState,
  { network }: FormVisit,
): Promise<Refusal | null> {
  if (outstanding(registration) <= 0 || asksApproval(book, registration)) return null;
  const people = activeAttendees(registration).length;
  const unpaid = await countUnpaid(book, registration, network);
  if (unpaid.network + people > MAX_UNPAID.network) {
    return new Refusal('too_many_unpaid_from_network', { message: refusalText('from this network', 'network') });
  }
  if (unpaid.email + people > MAX_UNPAID.email) {
    return new Refusal('too_many_unpaid_for_email', { message: refusalText('with this e-mail', 'email') });
  }
  return null;
}

const refusalText = (where: string, limit: keyof typeof MAX_UNPAID): string =>
  `At most ${MAX_UNPAID[limit]} unpaid people can be registered for an event ${where}. Pay for them, or wait until their places are released.`;

type Unpaid = Record<keyof typeof MAX_UNPAID, number>;

/** Those of this transaction, which are not written yet, and all others. */
async function countUnpaid(book: Book, { contact, test }: RegistrationState, network: string): Promise<Unpaid> {
  const key = emailKey(contact.email);
  const unpaid = await storedUnpaid(book, network, key, test);
  for (const other of book.fresh()) {
    if (other.test !== test || other.hold === null || other.hold.network === null) continue;
    const people = activeAttendees(other).length;
    if (other.hold.network === network) unpaid.network += people;
    if (key !== null && emailKey(other.contact.email) === key) unpaid.email += people;
  }
  return unpaid;
}

/** Counted by the people and not by what their holds once said: places that are paid, cancelled or released count no longer. */
function storedUnpaid({ tx, org, world }: Book, network: string, email: string | null, test: boolean): Promise<Unpaid> {
  const people = sql`join attendees a on a.org_id = h.org_id and a.registration_id = h.registration_id
    and a.status = 'pending_payment' and a.test = ${test}`;
  const here = sql`h.org_id = ${org} and h.event_id = ${world.event.id}`;
  return tx.one<Unpaid>(sql`
    select
      (select count(*)::int from payment_holds h ${people} where ${here} and h.network = ${network}) as network,
      (select count(*)::int from registrations r
        join payment_holds h on h.org_id = r.org_id and h.registration_id = r.id and h.network is not null ${people}
        where ${here} and r.org_id = ${org} and r.event_id = ${world.event.id} and r.email_key = ${email}) as email`);
}
